#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Card payments, some of them by thieves: the same on every run (a linear congruential generator).

    generate.py > payments.json        400 lines, out of order by at most 3 seconds
"""
import json

COUNTRIES = ["DE", "FR", "US"]


def numbers(seed):
    while True:
        seed = (seed * 1103515245 + 12345) % 2**31
        yield seed >> 16


def moment(ms):
    s = ms // 1000
    return "2024-03-01 %02d:%02d:%02d.%03d" % (8 + s // 3600, s // 60 % 60, s % 60, ms % 1000)


def main():
    r, ms, lines = numbers(5), 0, []
    while len(lines) < 400:
        ms += 200 + next(r) % 9000
        number, what, burst = next(r) % 12, next(r) % 20, 1
        card, country = "card-%02d" % number, COUNTRIES[(number + (1 if next(r) % 30 == 0 else 0)) % 3]
        if what == 0:
            burst = 4 + next(r) % 4  # a stolen number is tried out
        for i in range(burst):
            cents = 20 + next(r) % 60 if what in (1, 2) else 55000 + next(r) % 20000 if what == 3 else 300 + next(r) % 15000
            lines.append((ms, card, cents, country))
            if what in (1, 2) and next(r) % 3 == 0:  # small, then large
                ms += 5000 + next(r) % 60000
                lines.append((ms, card, 60000 + next(r) % 9000, country))
            ms += 400 + next(r) % 3000 if burst > 1 else 0
    lines = sorted((t + next(r) % 3000, i, t, card, cents, country) for i, (t, card, cents, country) in enumerate(lines[:400]))
    seen = set()
    for _, i, t, card, cents, country in lines:
        while t in seen:
            t += 1
        seen.add(t)
        print(json.dumps({"payment_id": i, "card": card, "amount": cents / 100, "country": country, "ts": moment(t)}))


main()

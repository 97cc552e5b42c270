#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Readings of sensors over a bad network: sent twice, out of order, minutes late. The same on every run.

    generate.py > readings.json        about 700 lines, in the order of arrival
"""
import json


def numbers(seed):
    while True:
        seed = (seed * 1103515245 + 12345) % 2**31
        yield seed >> 16


def moment(ms):
    s = ms // 1000
    return "2024-06-01 %02d:%02d:%02d.%03d" % (12 + s // 3600, s // 60 % 60, s % 60, ms % 1000)


def main():
    r, arrivals = numbers(9), []
    for seq in range(90):
        for sensor in range(6):
            ms = seq * 10000 + sensor * 700 + next(r) % 500
            heat = 20 * max(0, 12 - abs(seq - 20 - 10 * sensor)) / 12 if sensor != 3 else 0
            celsius = 68 + sensor + next(r) % 40 / 10 + heat
            sent = ms + 100 + next(r) % 4000
            if next(r) % 25 == 0:
                sent += 90000 + next(r) % 100000  # the network was away
            arrivals.append((sent, sensor, seq, ms, celsius))
            if next(r) % 8 == 0:
                arrivals.append((sent + 50 + next(r) % 20000, sensor, seq, ms, celsius))
    for _, sensor, seq, ms, celsius in sorted(arrivals):
        print(json.dumps({"sensor": "s%d" % sensor, "seq": seq, "celsius": round(celsius, 1), "ts": moment(ms)}))


main()

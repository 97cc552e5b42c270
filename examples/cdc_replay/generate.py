#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The changes of a small shop's database as Debezium tells them: the same on every run (a linear congruential generator).

    generate.py FOLDER        writes orders/1.json, orders/2.json, rates.json and payments.json
"""
import json, os, sys

START = 1704103200000  # 2024-01-01 10:00:00
CUSTOMERS = ["ann", "bob", "cleo", "dora", "emil"]


def numbers(seed):
    while True:
        seed = (seed * 1103515245 + 12345) % 2**31
        yield seed >> 16


def moment(ms):
    s = ms // 1000 - 1704103200
    return "2024-01-01 %02d:%02d:%02d.%03d" % (10 + s // 3600, s // 60 % 60, s % 60, ms % 1000)


def change(table, before, after, ms):
    op = "c" if before is None else "d" if after is None else "u"
    source = {"version": "2.7.0.Final", "connector": "postgresql", "name": "shop", "ts_ms": ms, "snapshot": "false", "db": "shop",
              "schema": "public", "table": table, "txId": ms % 100000, "lsn": ms % 1000000}
    return json.dumps({"before": before, "after": after, "source": source, "op": op, "ts_ms": ms + 7, "transaction": None})


def orders(r):
    rows, lines, ms = {}, [], START
    for i in range(160):
        ms += 1000 + next(r) % 5000
        what = next(r) % 10
        if what < 4 or not rows:
            row = {"order_id": i, "customer": CUSTOMERS[next(r) % 5], "status": "open", "amount": "%.2f" % (5 + next(r) % 9000 / 100)}
            lines.append(change("orders", None, row, ms))
            rows[i] = row
            continue
        key = sorted(rows)[next(r) % len(rows)]
        old = rows[key]
        if what == 9:
            lines.append(change("orders", old, None, ms))
            lines.append("")  # the tombstone that follows a deletion
            del rows[key]
            continue
        row = dict(old)
        row["status"] = {"open": "paid", "paid": "shipped", "shipped": "shipped"}[old["status"]]
        if what == 8:
            row["amount"] = "%.2f" % (float(old["amount"]) - 1)
        lines.append(change("orders", old, row, ms))
        rows[key] = row
    return lines


def rates(r):
    rows, lines, ms = {}, [], START
    for i in range(24):
        currency = ["USD", "GBP", "CHF"][next(r) % 3]
        row = {"currency": currency, "rate": "%.4f" % (0.8 + next(r) % 4000 / 10000), "changed_at": moment(ms)}
        lines.append(change("rates", rows.get(currency), row, ms))
        rows[currency] = row
        ms += 20000 + next(r) % 30000
    return lines


def payments(r):
    ms, lines = START - 30000, []
    for i in range(60):
        ms += next(r) % 20000
        lines.append(json.dumps({"payment_id": i, "currency": ["USD", "GBP", "CHF", "NOK"][next(r) % 4],
                                 "amount": "%.2f" % (1 + next(r) % 20000 / 100), "paid_at": moment(ms) if ms >= START else
                                 "2024-01-01 09:59:%02d.%03d" % (60 - (START - ms + 999) // 1000, ms % 1000)}))
    return lines


def main():
    folder = sys.argv[1]
    os.makedirs(os.path.join(folder, "orders"), exist_ok=True)
    changes = orders(numbers(1))
    cut = len(changes) // 2
    for name, lines in (("orders/1.json", changes[:cut]), ("orders/2.json", changes[cut:]), ("rates.json", rates(numbers(2))),
                        ("payments.json", payments(numbers(3)))):
        with open(os.path.join(folder, name), "w") as out:
            out.write("\n".join(lines) + "\n")


main()

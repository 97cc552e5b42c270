#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The same without SQL: by_hand.py means|alerts|late"""
import collections, datetime, json, sys
from decimal import ROUND_HALF_UP, Decimal

MINUTE, DELAY = datetime.timedelta(minutes=1), datetime.timedelta(seconds=15)


def rounded(x):
    return float(Decimal(repr(x)).quantize(Decimal("0.01"), ROUND_HALF_UP))


seen, windows, late, watermark = set(), collections.defaultdict(list), 0, datetime.datetime.min
for line in open("readings.json"):
    r = json.loads(line)
    ts = datetime.datetime.strptime(r["ts"], "%Y-%m-%d %H:%M:%S.%f")
    start = ts.replace(second=0, microsecond=0)
    if (r["sensor"], r["seq"]) not in seen:
        seen.add((r["sensor"], r["seq"]))
        if start + MINUTE - datetime.timedelta(milliseconds=1) <= watermark:
            late += 1
        else:
            windows[r["sensor"], start].append(r["celsius"])
    watermark = max(watermark, ts - DELAY)

means = {key: (len(values), rounded(sum(values) / len(values))) for key, values in windows.items()}
if sys.argv[1] == "late":
    print(late)
if sys.argv[1] == "means":
    for (sensor, start), (n, mean) in means.items():
        print('%s,"%s",%d,%s' % (sensor, start, n, mean))
if sys.argv[1] == "alerts":
    for sensor in sorted({s for s, _ in means}):
        rows = sorted((start, mean) for (s, start), (_, mean) in means.items() if s == sensor)
        for (_, a), (start, b) in zip(rows, rows[1:]):
            if b > 80 and b - a > 3:
                print('%s,"%s",%s,%s' % (sensor, start, b, rounded(b - a)))

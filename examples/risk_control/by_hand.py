#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The three rules without SQL: by_hand.py bursts|probes|travels"""
import collections, datetime, json, sys

cards = collections.defaultdict(list)
for line in open("payments.json"):
    p = json.loads(line)
    p["at"] = datetime.datetime.strptime(p["ts"], "%Y-%m-%d %H:%M:%S.%f")
    cards[p["card"]].append(p)


def bursts():
    for card, rows in cards.items():
        windows = collections.defaultdict(list)
        for p in rows:
            windows[p["at"].replace(second=p["at"].second // 30 * 30, microsecond=0)].append(p["amount"])
        for start, amounts in windows.items():
            if len(amounts) > 3:
                yield [card, str(start), len(amounts), round(sum(amounts), 2)]


def probes():
    for card, rows in cards.items():
        rows.sort(key=lambda p: p["at"])
        i = 0
        while i + 1 < len(rows):
            a, b = rows[i], rows[i + 1]
            if a["amount"] < 1 and b["amount"] > 500 and b["at"] - a["at"] < datetime.timedelta(minutes=5):
                yield [card, a["payment_id"], b["payment_id"], b["amount"]]
                i += 1
            i += 1


def travels():
    for card, rows in cards.items():
        rows.sort(key=lambda p: p["at"])
        for a, b in zip(rows, rows[1:]):
            if a["country"] != b["country"] and b["at"] - a["at"] < datetime.timedelta(minutes=10):
                yield [card, b["payment_id"], a["country"], b["country"]]


for row in {"bursts": bursts, "probes": probes, "travels": travels}[sys.argv[1]]():
    print(json.dumps(row))

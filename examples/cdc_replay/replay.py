#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the queries must give, by a dictionary and a loop: replay.py status|customers|payments"""
import json
from decimal import ROUND_HALF_UP, Decimal


def log(*paths):
    for path in paths:
        for line in open(path):
            if line.strip():
                yield json.loads(line)


def table(key, *paths):
    rows = {}
    for m in log(*paths):
        if m["before"]:
            del rows[m["before"][key]]
        if m["after"]:
            rows[m["after"][key]] = m["after"]
    return rows


def sums(by):
    out = {}
    for row in table("order_id", "data/orders/1.json", "data/orders/2.json").values():
        n, amount = out.get(row[by], (0, Decimal(0)))
        out[row[by]] = n + 1, amount + Decimal(row["amount"])
    return ["%s,%d,%s" % (k, n, amount) for k, (n, amount) in sorted(out.items())]


def payments():
    versions = [m["after"] for m in log("data/rates.json")]
    for p in log("data/payments.json"):
        known = [v for v in versions if v["currency"] == p["currency"] and v["changed_at"] <= p["paid_at"]]
        euros = (Decimal(p["amount"]) * Decimal(known[-1]["rate"])).quantize(Decimal("0.01"), ROUND_HALF_UP) if known else ""
        yield "%d,%s,%s" % (p["payment_id"], p["currency"], euros)


if __name__ == "__main__":
    import sys
    what = sys.argv[1]
    print("\n".join(payments() if what == "payments" else sums({"status": "status", "customers": "customer"}[what])))

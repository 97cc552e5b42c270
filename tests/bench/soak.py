#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does state that event time bounds stay bounded? Nexmark's events in order of event time, 200 million by default, through windows and
joins by time, with the resident memory of the process looked at all the way.

    ./dev bench soak [--events 200M] [--queries tumble,hop,...] [--rate N] [--json]

For each query: events, seconds, the greatest resident memory of each tenth of the run's time, and the growth: the greatest of tenths
6 to 9 over that of tenths 2 to 5. The first is start-up; in the last the input ends, and all that waits for the watermark comes out at
once. More than 10 % and 16 MB of growth is told, and is the exit code."""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "nexmark"))
from nexmark import fill, generator, text_of  # noqa: E402

TIME = "DESCRIPTOR(`dateTime`)"
QUERIES = {
    "tumble": ("auction BIGINT, num BIGINT", f"SELECT auction, COUNT(*) FROM TABLE(TUMBLE(TABLE bid, {TIME}, INTERVAL '10' SECOND)) GROUP BY auction, window_start, window_end"),
    "hop": ("bidder BIGINT, num BIGINT", f"SELECT channel_id, COUNT(*) FROM (SELECT * FROM TABLE(HOP(TABLE b, {TIME}, INTERVAL '2' SECOND, INTERVAL '10' SECOND))) GROUP BY channel_id, window_start, window_end"),
    "session": ("bidder BIGINT, num BIGINT", f"SELECT bidder, COUNT(*) FROM TABLE(SESSION(TABLE bid PARTITION BY bidder, {TIME}, INTERVAL '1' SECOND)) GROUP BY bidder, window_start, window_end"),
    "window-join": ("id BIGINT, name STRING", "SELECT p.id, p.name FROM (SELECT id, name, window_start, window_end FROM TABLE(TUMBLE(TABLE person, "
                    f"{TIME}, INTERVAL '10' SECOND))) p JOIN (SELECT seller, window_start, window_end FROM TABLE(TUMBLE(TABLE auction, {TIME}, INTERVAL '10' SECOND))) a "
                    "ON p.id = a.seller AND p.window_start = a.window_start AND p.window_end = a.window_end"),
    "window-top": ("auction BIGINT, price BIGINT", f"SELECT auction, price FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY price DESC) AS rn "
                   f"FROM TABLE(TUMBLE(TABLE bid, {TIME}, INTERVAL '10' SECOND))) WHERE rn <= 3"),
    "interval": ("auction BIGINT, price BIGINT", "SELECT a.id, b.price FROM auction a JOIN bid b ON a.id = b.auction AND b.`dateTime` BETWEEN a.`dateTime` AND a.`dateTime` + INTERVAL '10' SECOND"),
    "interval-left": ("auction BIGINT, price BIGINT", "SELECT a.id, b.price FROM auction a LEFT JOIN bid b ON a.id = b.auction AND b.`dateTime` BETWEEN a.`dateTime` AND a.`dateTime` + INTERVAL '5' SECOND"),
    "temporal": ("auction BIGINT, price BIGINT", "SELECT b.auction, c.price FROM bid b JOIN channel_price FOR SYSTEM_TIME AS OF b.`dateTime` AS c ON b.channel = c.channel"),
    "over": ("auction BIGINT, num BIGINT", "SELECT auction, COUNT(*) OVER (PARTITION BY channel ORDER BY `dateTime` RANGE BETWEEN INTERVAL '1' SECOND PRECEDING AND CURRENT ROW) FROM (SELECT auction, channel, `dateTime` FROM bid WHERE MOD(auction, 100) = 0)"),
    "match": ("auction BIGINT, price BIGINT", "SELECT * FROM (SELECT auction, price, `dateTime` FROM bid WHERE MOD(auction, 10) = 0) MATCH_RECOGNIZE (PARTITION BY auction ORDER BY `dateTime` MEASURES LAST(A.price) AS price ONE ROW PER MATCH AFTER MATCH SKIP PAST LAST ROW "
              "PATTERN (A B) WITHIN INTERVAL '5' SECOND DEFINE B AS B.price > A.price)"),
}
VIEWS = """CREATE VIEW b AS SELECT MOD(bidder, 1000) AS channel_id, `dateTime` FROM bid;
CREATE VIEW channel_price AS SELECT channel, price, `dateTime` FROM (SELECT channel, price, `dateTime`, ROW_NUMBER() OVER (PARTITION BY channel ORDER BY `dateTime` DESC) AS rn FROM (SELECT bid.channel AS channel, bid.price AS price, `dateTime` FROM datagen WHERE event_type = 2 AND MOD(bid.auction, 50) = 0)) WHERE rn = 1;
"""


def number(text):
    unit = {"k": 10**3, "m": 10**6, "g": 10**9}.get(text[-1:].lower())
    return int(float(text[:-1]) * unit) if unit else int(text)


def resident(pid):
    try:
        with open(f"/proc/{pid}/statm") as f:
            return int(f.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
    except (OSError, IndexError):
        return 0


def run(args, name):
    columns, select = QUERIES[name]
    sql = fill(text_of("tables"), SOURCE=generator(number(args.events), args.rate, "counter")) + VIEWS
    sql += f"CREATE TABLE sink ({columns}) WITH ('connector' = 'blackhole');\nINSERT INTO sink {select};\n"
    with tempfile.NamedTemporaryFile("w", suffix=".sql", encoding="utf-8") as f:
        f.write(sql)
        f.flush()
        start = time.time()
        p = subprocess.Popen([args.weir, "run", "--quiet", f.name], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        samples = []
        while p.poll() is None:
            samples.append(resident(p.pid))
            time.sleep(0.02)
        out = p.communicate()[0]
    if p.returncode:
        sys.exit(f"{name}: {out}")
    n = len(samples)
    tenths = [max(samples[n * i // 10:max(n * (i + 1) // 10, n * i // 10 + 1)]) for i in range(10)]
    early, late = max(tenths[1:5]), max(tenths[5:9])
    return {"query": name, "events": number(args.events), "seconds": round(time.time() - start, 1), "resident_mb": [round(t) for t in tenths],
            "growth": round(late / early, 3), "flat": late <= early * 1.1 or late - early < 16}


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--weir", default=os.path.join(ROOT, "build", "release", "weir"))
    ap.add_argument("--events", default="200M")
    ap.add_argument("--queries", default=",".join(QUERIES))
    ap.add_argument("--rate", type=int, default=100000)
    ap.add_argument("--json", action="store_true")
    args = ap.parse_args()
    bad = 0
    for name in args.queries.split(","):
        if name not in QUERIES:
            sys.exit(f"no query {name}: {', '.join(QUERIES)}")
        r = run(args, name)
        bad += not r["flat"]
        print(json.dumps(r) if args.json else "%-14s %6.1f s  MB in tenths %s  growth %.2f%s" % (name, r["seconds"], " ".join(map(str, r["resident_mb"])), r["growth"], "" if r["flat"] else "  NOT FLAT"), flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

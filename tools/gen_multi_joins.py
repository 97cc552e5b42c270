#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random multi-way joins over random changing tables, as a script for the corpus: every change in a step of its own, so that the exact
changelog of a real Flink is comparable (tools/oracle.py). tests/corpus/multi_join/random*.sql are some of them.

    tools/gen_multi_joins.py SEED [--queries N] [--changes N]
    tools/gen_multi_joins.py --check      the files of tests/corpus/multi_join that name this command are what it makes"""
import argparse
import glob
import os
import random
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

STRINGS = ["a", "b", "longer text", "c", None]


class Table:
    def __init__(self, rng, i):
        self.name, self.live, self.lines = "t%d" % i, [], []
        self.key = rng.choice(["v", "v", "k"]) if rng.random() < 0.45 else None
        self.upserts = self.key is not None and rng.random() < 0.4

    def key_of(self, row):
        return row[3] if self.key == "v" else row[0]

    def fresh(self, rng):
        return [rng.choice([1, 1, 1, 2, 2, 3, None]), rng.choice([0, 1, 2, None]), rng.choice(STRINGS), rng.randint(0, rng.choice([6, 6, 40]))]

    def change(self, rng):
        """The rows of one change; none when the key is taken."""
        row = self.fresh(rng)
        if not self.live or rng.random() >= 0.33:
            if self.key and (self.key_of(row) is None or any(self.key_of(x) == self.key_of(row) for x in self.live)):
                return []
            self.live.append(row)
            return [("+I", row)]
        old = self.live.pop(rng.randrange(len(self.live)))
        if rng.random() < 0.5:
            return [("-D", old)]
        if self.key:
            at = 3 if self.key == "v" else 0
            row[at] = old[at]
        self.live.append(row)
        return [("+U", row)] if self.upserts else [("-U", old), ("+U", row)]

    def ddl(self):
        key = ", PRIMARY KEY (%s) NOT ENFORCED" % self.key if self.key else ""
        return "CREATE TABLE %s (k INT, j INT, s STRING, v INT%s) WITH ('connector' = 'script', 'changelog-mode' = '%s', 'rows' = '\n%s');" % (
            self.name, key, "I,UA,D" if self.upserts else "I,UB,UA,D", "\n".join(self.lines))


def literal(x):
    return "null" if x is None else '"%s"' % x if isinstance(x, str) else str(x)


def condition(rng, me, before):
    other = lambda: rng.choice(before)  # noqa: E731
    sides = [me, other()]
    rng.shuffle(sides)
    terms = ["%s.k = %s.k" % tuple(sides)]
    if rng.random() < 0.3:
        terms.append("%s.j = %s.j" % (other(), me))
    if rng.random() < 0.25:
        terms.append("%s.s = %s.s" % (other(), me))
    if rng.random() < 0.25:
        terms.append("%s.v %s %s.v" % (other(), rng.choice(["<", "<=", ">", "<>"]), me))
    if rng.random() < 0.12:
        terms.append("%s.v > 2" % me)
    if rng.random() < 0.1:
        terms.append("%s.s IS NOT NULL" % other())
    if rng.random() < 0.2:
        rng.shuffle(terms)
    return " AND ".join(terms)


def query(rng, tables):
    names = [t.name for t in rng.sample(tables, rng.randint(2, len(tables)))]
    tail = names[0]
    for i in range(1, len(names)):
        tail += " %sJOIN %s ON %s" % (rng.choice(["", "LEFT ", "LEFT "]), names[i], condition(rng, names[i], names[:i]))
    if rng.random() < 0.15:
        tail += " WHERE %s.v < 5" % names[0]
    if rng.random() < 0.15:
        return "SELECT %s.k, COUNT(*), COUNT(%s.v), SUM(%s.v) FROM %s GROUP BY %s.k;" % (names[0], names[-1], names[-1], tail, names[0])
    columns = ["%s.%s" % (n, c) for n in names for c in rng.choice([["v"], ["v"], ["k", "s", "v"], ["j", "v"]])]
    return "SELECT %s FROM %s;" % (", ".join(columns), tail)


def script(seed, queries, changes):
    rng = random.Random(seed)
    tables = [Table(rng, i) for i in range(rng.choice([3, 4]))]
    for step in range(1, changes + 1):
        table = rng.choice(tables)
        rows = table.change(rng)
        if rows:
            table.lines.append('{"step": %d}' % step)
        for kind, row in rows:
            table.lines.append('["%s", %s]' % (kind, ", ".join(literal(x) for x in row)))
    return ["SET 'table.optimizer.multi-join.enabled' = 'true';"] + [t.ddl() for t in tables] + [query(rng, tables) for _ in range(queries)]


def text(seed, queries, changes):
    head = ["-- SPDX-License-Identifier: Apache-2.0", "-- modes: streaming",
            "-- Random multi-way joins over random changes: tools/gen_multi_joins.py %d --queries %d --changes %d" % (seed, queries, changes)]
    return "\n".join(head + script(seed, queries, changes)) + "\n"


def check():
    """Exits with 1 when a file is not what its command gives."""
    bad = []
    for path in sorted(glob.glob(os.path.join(ROOT, "tests", "corpus", "multi_join", "*.sql"))):
        have = open(path, encoding="utf-8").read()
        m = re.search(r"tools/gen_multi_joins\.py (\d+) --queries (\d+) --changes (\d+)$", have, re.M)
        if m and have != text(*map(int, m.groups())):
            bad.append("%s: not what %s makes: write it again, with its goldens" % (os.path.relpath(path, ROOT), m.group(0)))
    if bad:
        sys.exit("\n".join(bad))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("seed", type=int, nargs="?", help="without it: --check")
    ap.add_argument("--check", action="store_true", help="compare the kept files")
    ap.add_argument("--queries", type=int, default=25)
    ap.add_argument("--changes", type=int, default=80)
    args = ap.parse_args()
    if args.check or args.seed is None:
        return check()
    sys.stdout.write(text(args.seed, args.queries, args.changes))


if __name__ == "__main__":
    main()

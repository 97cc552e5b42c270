#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Generates SQL scripts at random: grammar x schema x data, the same for the same seed.

    tools/gen_queries.py SEED COUNT   one script on standard output
    tools/gen_queries.py --check      the files of tests/corpus/generated that name their seed and count are what this makes

Every query is deterministic as a multiset of rows. Uses: corpus files that a real Flink answers (tools/oracle.py), and
tests/prop/generated_test.py, where batch must equal the final content of the stream and PostgreSQL must agree."""
import argparse, glob, os, random, re, sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

TABLES = {
    "t1": [("id", "INT"), ("k", "STRING"), ("v", "INT"), ("d", "DECIMAL(10, 2)"), ("b", "BOOLEAN")],
    "t2": [("id", "INT"), ("k", "STRING"), ("w", "BIGINT"), ("f", "DOUBLE")],
    "t3": [("k", "STRING"), ("n", "INT")],
}


class Gen:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.alias = 0

    def pick(self, *xs):
        return self.r.choice(xs)

    # ---- data
    def value(self, typ):
        if self.r.random() < 0.15:
            return None
        if typ == "INT":
            return self.r.randint(-3, 6)
        if typ == "BIGINT":
            return self.r.choice([0, 1, 2, 3, -7, 10000000000])
        if typ == "STRING":
            return self.r.choice(["a", "b", "c", "ab", "", "B"])
        if typ == "BOOLEAN":
            return self.r.random() < 0.5
        if typ == "DOUBLE":
            return self.r.choice([0.5, -1.25, 2.0, 100.0, 0.0])
        return self.r.choice([1.5, 2.25, -0.75, 10.0, 0.0])

    def data(self):
        out = {}
        for t, cols in TABLES.items():
            out[t] = [[self.value(c[1]) for c in cols] for _ in range(self.r.randint(4, 12))]
        return out

    # ---- expressions over columns: [(sql, type)]
    def num(self, cols, depth=2):
        nums = [c for c in cols if c[1] in ("INT", "BIGINT")]
        r = self.r.random()
        if depth == 0 or r < 0.35:
            if nums and self.r.random() < 0.8:
                return self.r.choice(nums)[0]
            return str(self.r.randint(0, 5))
        a, b = self.num(cols, depth - 1), self.num(cols, depth - 1)
        return self.pick(
            "(%s + %s)" % (a, b), "(%s - %s)" % (a, b), "(%s * 2)" % a, "ABS(%s)" % a, "COALESCE(%s, %s)" % (a, b),
            "(CASE WHEN %s THEN %s ELSE %s END)" % (self.cond(cols, depth - 1), a, b), "NULLIF(%s, %s)" % (a, b), "MOD(%s, 3)" % a)

    def text(self, cols, depth=1):
        strs = [c for c in cols if c[1] == "STRING"]
        if depth == 0 or not strs or self.r.random() < 0.5:
            return self.r.choice(strs)[0] if strs and self.r.random() < 0.8 else "'%s'" % self.pick("a", "b", "x")
        a, b = self.text(cols, 0), self.text(cols, 0)
        return self.pick("(%s || %s)" % (a, b), "UPPER(%s)" % a, "COALESCE(%s, 'z')" % a, "SUBSTRING(%s FROM 1 FOR 1)" % a)

    def cond(self, cols, depth=2):
        r = self.r.random()
        if depth == 0 or r < 0.5:
            k = self.r.randint(0, 7)
            if k < 3:
                return "%s %s %s" % (self.num(cols, 0), self.pick("=", "<>", "<", "<=", ">", ">="), self.num(cols, 0))
            if k == 3:
                return "%s %s %s" % (self.text(cols, 0), self.pick("=", "<>", "<", ">"), self.text(cols, 0))
            if k == 4:
                return "%s IS %sNULL" % (self.r.choice(cols)[0], self.pick("", "NOT "))
            if k == 5:
                return "%s %sIN (1, 2, 5)" % (self.num(cols, 0), self.pick("", "NOT "))
            if k == 6:
                return "%s BETWEEN 0 AND 3" % self.num(cols, 0)
            strs = [c for c in cols if c[1] == "STRING"]
            return "%s LIKE '%s'" % (self.r.choice(strs)[0], self.pick("a%", "%b", "_")) if strs else "TRUE"
        a, b = self.cond(cols, depth - 1), self.cond(cols, depth - 1)
        return self.pick("(%s AND %s)" % (a, b), "(%s OR %s)" % (a, b), "NOT (%s)" % a)

    def item(self, cols):
        r = self.r.random()
        if r < 0.45:
            return self.r.choice(cols)
        if r < 0.75:
            return (self.num(cols), "BIGINT")
        if r < 0.9:
            return (self.text(cols), "STRING")
        return ("(%s)" % self.cond(cols, 1), "BOOLEAN")

    # ---- FROM: (sql, columns)
    def source(self, depth):
        self.alias += 1
        a = "q%d" % self.alias
        if depth == 0 or self.r.random() < 0.7:
            t = self.r.choice(list(TABLES))
            return "%s AS %s" % (t, a), [("%s.%s" % (a, c[0]), c[1]) for c in TABLES[t]]
        sql, cols = self.select(depth - 1, named=True)
        return "(%s) AS %s" % (sql, a), [("%s.%s" % (a, c[0]), c[1]) for c in cols]

    def from_clause(self, depth):
        sql, cols = self.source(depth)
        for _ in range(self.r.choice([0, 0, 1, 1, 2])):
            rsql, rcols = self.source(depth - 1 if depth else 0)
            lk = [c for c in cols if c[1] in ("INT", "STRING")]
            rk = [c for c in rcols if c[1] in ("INT", "STRING")]
            pairs = [(x, y) for x in lk for y in rk if x[1] == y[1]]
            if not pairs:
                continue
            x, y = self.r.choice(pairs)
            on = "%s = %s" % (x[0], y[0])
            if self.r.random() < 0.25:
                on += " AND " + self.cond(cols + rcols, 0)
            sql += " %s %s ON %s" % (self.pick("JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN", "JOIN"), rsql, on)
            cols = cols + rcols
        return sql, cols

    def where(self, cols):
        r = self.r.random()
        if r < 0.35:
            return ""
        c = self.cond(cols)
        if r > 0.75:
            t, k = self.pick(("t2", "id"), ("t1", "v"), ("t3", "n"))
            self.alias += 1
            a = "s%d" % self.alias
            form = self.r.randint(0, 3)
            nums = [x for x in cols if x[1] == "INT"]
            strs = [x for x in cols if x[1] == "STRING"]
            if form == 0 and nums:
                c = "%s %sIN (SELECT %s.%s FROM %s AS %s)" % (self.r.choice(nums)[0], self.pick("", "NOT "), a, k, t, a)
            elif form == 1 and strs:
                c = "%sEXISTS (SELECT 1 FROM %s AS %s WHERE %s.k = %s)" % (self.pick("", "NOT "), t, a, a, self.r.choice(strs)[0])
            elif form == 2 and nums:
                c = "%s %s (SELECT MAX(%s.%s) FROM %s AS %s)" % (self.r.choice(nums)[0], self.pick("<", "=", ">="), a, k, t, a)
            elif nums and strs:
                c = "%s > (SELECT COUNT(*) FROM %s AS %s WHERE %s.k = %s)" % (self.r.choice(nums)[0], t, a, a, self.r.choice(strs)[0])
        return " WHERE " + c

    def aggregate(self, cols):
        k = self.r.randint(0, 7)
        n = self.num(cols, 1)
        if k == 0:
            return "COUNT(*)", "BIGINT"
        if k == 1:
            return "COUNT(%s)" % self.r.choice(cols)[0], "BIGINT"
        if k == 2:
            return "SUM(%s)" % n, "BIGINT"
        if k == 3:
            return "MIN(%s)" % n, "BIGINT"
        if k == 4:
            return "MAX(%s)" % self.text(cols, 0), "STRING"
        if k == 5:
            return "COUNT(DISTINCT %s)" % self.r.choice(cols)[0], "BIGINT"
        if k == 6:
            return "SUM(DISTINCT %s)" % n, "BIGINT"
        return "COUNT(*) FILTER (WHERE %s)" % self.cond(cols, 1), "BIGINT"

    def select(self, depth, named=False):
        frm, cols = self.from_clause(depth)
        where = self.where(cols)
        if self.r.random() < 0.4:
            keys = []
            for _ in range(self.r.randint(0, 2)):
                c = self.r.choice(cols)
                if c not in keys and c[1] != "DOUBLE":
                    keys.append(c)
            if not keys and (where or "JOIN" in frm or "(" in frm):  # a global aggregate of nothing differs between modes
                keys = [c for c in cols if c[1] != "DOUBLE"][:1]
            items = list(keys) + [self.aggregate(cols) for _ in range(self.r.randint(1, 3))]
            tail = " GROUP BY " + ", ".join(k[0] for k in keys) if keys else ""
            if keys and self.r.random() < 0.3:
                tail += " HAVING COUNT(*) > 1"
            if not keys and named:
                tail += " HAVING COUNT(*) >= 0"
        else:
            items = [self.item(cols) for _ in range(self.r.randint(1, 4))]
            tail = ""
        distinct = "DISTINCT " if not tail and self.r.random() < 0.15 else ""
        out = [("c%d" % i, it[1]) for i, it in enumerate(items)]
        sql = "SELECT %s%s FROM %s%s%s" % (distinct, ", ".join("%s AS c%d" % (it[0], i) for i, it in enumerate(items)), frm, where, tail)
        return sql, out

    def query(self):
        if self.r.random() < 0.12:
            a, b = self.r.choice(list(TABLES)), self.r.choice(list(TABLES))
            op = self.pick("UNION ALL", "UNION", "INTERSECT", "EXCEPT", "INTERSECT ALL", "EXCEPT ALL")
            return "SELECT k FROM %s %s SELECT k FROM %s" % (a, op, b)
        return self.select(2)[0]


class Wide(Gen):
    """Standard SQL beyond joins and groups: scalar sub-queries, quantified comparisons and EXISTS anywhere, LATERAL, WITH, nested
    set operations, grouping sets, ORDER BY with LIMIT over a total order. Values are the same on PostgreSQL."""

    def scalar(self, cols):
        """A scalar sub-query, correlated or not, that never has two rows."""
        self.alias += 1
        a = "w%d" % self.alias
        t, n = self.pick(("t1", "v"), ("t2", "id"), ("t3", "n"))
        strs = [c[0] for c in cols if c[1] == "STRING"]
        where = ""
        if strs and self.r.random() < 0.6:
            where = " WHERE %s.k = %s" % (a, self.r.choice(strs))
        if self.r.random() < 0.3:
            where += (" AND " if where else " WHERE ") + "%s.%s > %d" % (a, n, self.r.randint(-2, 3))
        what = self.pick("COUNT(*)", "MAX(%s.%s)" % (a, n), "SUM(%s.%s) + 1" % (a, n), "COALESCE(MIN(%s.%s), 7)" % (a, n), "7", "COUNT(DISTINCT %s.k)" % a)
        having = self.pick("", "", " HAVING COUNT(*) > 1", " HAVING MIN(%s.%s) > 0" % (a, n))
        if what == "7" and not having:
            having = " HAVING COUNT(*) >= 1"
        return "(SELECT %s FROM %s AS %s%s%s)" % (what, t, a, where, having)

    def quantified(self, cols):
        self.alias += 1
        a = "w%d" % self.alias
        t, n = self.pick(("t1", "v"), ("t2", "id"), ("t3", "n"))
        strs = [c[0] for c in cols if c[1] == "STRING"]
        where = " WHERE %s.k %s %s" % (a, self.pick("=", "=", "<>"), self.r.choice(strs)) if strs and self.r.random() < 0.4 else ""
        x = self.num(cols, 1)
        k = self.r.randint(0, 3)
        if k == 0:
            return "(%s %s %s (SELECT %s.%s FROM %s AS %s%s))" % (x, self.pick("=", "<>", "<", ">="), self.pick("ANY", "ALL", "SOME"), a, n, t, a, where)
        if k == 1:
            return "(%s %sIN (SELECT %s.%s FROM %s AS %s%s))" % (x, self.pick("", "NOT "), a, n, t, a, where)
        if k == 2:
            return "(%sEXISTS (SELECT 1 FROM %s AS %s%s))" % (self.pick("", "NOT "), t, a, where or " WHERE %s.%s > 3" % (a, n))
        return "(%s IS %sDISTINCT FROM %s)" % (x, self.pick("", "NOT "), self.num(cols, 0))

    def cond(self, cols, depth=2):
        if depth and self.r.random() < 0.12:
            return self.quantified(cols) if self.r.random() < 0.7 else "%s > %s" % (self.scalar(cols), self.num(cols, 0))
        return super().cond(cols, depth)

    def item(self, cols):
        r = self.r.random()
        if r < 0.12:
            return self.scalar(cols), "BIGINT"
        if r < 0.2:
            return self.quantified(cols), "BOOLEAN"
        return super().item(cols)

    def from_clause(self, depth):
        sql, cols = super().from_clause(depth)
        if self.r.random() < 0.15:
            self.alias += 1
            a, b = "l%d" % self.alias, "m%d" % self.alias
            t, n = self.pick(("t1", "v"), ("t2", "id"), ("t3", "n"))
            strs = [c[0] for c in cols if c[1] == "STRING"]
            if strs:
                where = "%s.k = %s" % (b, self.r.choice(strs))
                inner = self.pick("SELECT %s.%s AS x, %s.k AS y FROM %s AS %s WHERE %s" % (b, n, b, t, b, where),
                                  "SELECT MAX(%s.%s) AS x, MIN(%s.k) AS y FROM %s AS %s WHERE %s" % (b, n, b, t, b, where),
                                  "SELECT COUNT(*) AS x, 'c' AS y FROM %s AS %s WHERE %s" % (t, b, where))
                sql += self.pick(", LATERAL (%s) AS %s", " LEFT JOIN LATERAL (%s) AS %s ON TRUE") % (inner, a)
                cols = cols + [(a + ".x", "BIGINT"), (a + ".y", "STRING")]
        return sql, cols

    def numbers(self, depth):
        """A query of one BIGINT column c0."""
        while True:
            sql, cols = self.select(depth, named=True)
            nums = [c[0] for c in cols if c[1] in ("INT", "BIGINT")]
            if nums and "HAVING COUNT(*) >= 0" not in sql:
                self.alias += 1
                return "SELECT CAST(n%d.%s AS BIGINT) AS c0 FROM (%s) AS n%d" % (self.alias, self.r.choice(nums), sql, self.alias)

    def query(self):
        while True:
            q = self.any_query()
            if "HAVING COUNT(*) >= 0" not in q:  # a global aggregate of nothing differs between modes
                return q

    def any_query(self):
        r = self.r.random()
        if r < 0.15:
            op = lambda: self.pick("UNION ALL", "UNION", "INTERSECT", "EXCEPT", "INTERSECT ALL", "EXCEPT ALL")
            a, b, c = self.numbers(0), self.numbers(0), self.numbers(0)
            return self.pick("(%s) %s (%s)" % (a, op(), b), "((%s) %s (%s)) %s (%s)" % (a, op(), b, op(), c), "(%s) %s ((%s) %s (%s))" % (a, op(), b, op(), c))
        if r < 0.25:
            sql, cols = self.select(1, named=True)
            names = [c[0] for c in cols if c[1] != "STRING"]
            if len(names) == len(cols):  # texts sort by collation elsewhere
                order = ", ".join("%s %s NULLS %s" % (n, self.pick("ASC", "DESC"), self.pick("FIRST", "LAST")) for n in names)
                return "SELECT * FROM (%s) AS o ORDER BY %s LIMIT %d" % (sql, order, self.r.randint(1, 6))
        if r < 0.35:
            sql, cols = self.select(1, named=True)
            keys = [c[0] for c in cols if c[1] != "DOUBLE"][:2]
            if keys:
                sets = self.pick("ROLLUP (%s)", "CUBE (%s)", "GROUPING SETS ((%s), (" + keys[0] + "))") % ", ".join(keys)
                return "SELECT %s, COUNT(*) AS n, GROUPING(%s) AS g FROM (%s) AS o GROUP BY %s HAVING COUNT(*) > 0" % (", ".join(keys), keys[0], sql, sets)
        if r < 0.45:
            sql, cols = self.select(1, named=True)
            return "WITH w AS (%s) SELECT COUNT(*) AS n, x.c0 FROM w AS x JOIN w AS y ON x.c0 = y.c0 WHERE x.c0 IS NOT NULL%s GROUP BY x.c0" % (
                sql, self.pick("", " AND EXISTS (SELECT 1 FROM w AS z WHERE z.c0 <> x.c0)", " AND x.c0 IN (SELECT z.c0 FROM w AS z)"))
        return self.select(2, named=True)[0]


def script(seed, count, wide=False):
    """(data by table, [queries])"""
    g = Wide(seed) if wide else Gen(seed)
    data = g.data()
    return data, [g.query() for _ in range(count)]


def ddl(data):
    import json
    out = []
    for t, cols in TABLES.items():
        rows = "\n".join(json.dumps(["+I"] + r) for r in data[t])
        out.append("CREATE TABLE %s (%s) WITH ('connector' = 'script', 'rows' = '\n%s');" % (t, ", ".join("%s %s" % c for c in cols), rows))
    return "\n".join(out)


def text(seed, count):
    """The corpus file of a seed and a count."""
    data, queries = script(seed, count)
    # two inputs overtake each other, so the final content alone is the query's
    head = ["-- compare: final", "-- generated by tools/gen_queries.py %d %d" % (seed, count), ddl(data)]
    return "\n".join(head + [q + ";" for q in queries]) + "\n"


def check():
    """Exits with 1 when a generated corpus file is not what its seed and count give."""
    seen, bad = 0, []
    for f in sorted(glob.glob(os.path.join(ROOT, "tests", "corpus", "generated", "*.sql"))):
        have = open(f, encoding="utf-8").read()
        m = re.search(r"^-- generated by tools/gen_queries\.py (\d+) (\d+)$", have, re.M)
        if not m:
            continue
        seen += 1
        if have != text(int(m.group(1)), int(m.group(2))):
            bad.append("%s: not what tools/gen_queries.py %s %s makes: write it again, with its goldens" % (os.path.relpath(f, ROOT), m.group(1), m.group(2)))
    if not seen:
        bad.append("tests/corpus/generated has no file with a line '-- generated by tools/gen_queries.py SEED COUNT'")
    if bad:
        sys.exit("\n".join(bad))


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("seed", type=int, nargs="?")
    ap.add_argument("count", type=int, nargs="?")
    ap.add_argument("--check", action="store_true", help="compare the kept files")
    args = ap.parse_args()
    if args.check or args.seed is None:
        return check()
    if args.count is None:
        ap.error("a seed and a count are wanted")
    sys.stdout.write(text(args.seed, args.count))


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
"""Random queries over the tables of timed_tables.py: windows, OVER, Top-N, deduplication, joins by time, patterns, and any of them
over any other.

A query is one text for both modes; where batch mode says it otherwise (a session is found with OVER, a version by its times) the
text holds both, between the marks of alt(). What a part of a query knows of itself stands in Rel."""
import re

import gen_matches
from gen_queries import Gen

BEGIN, OR, END = "\x01", "\x02", "\x03"


def alt(stream, batch):
    return BEGIN + stream + OR + batch + END


def render(text, batch):
    """One of the two readings."""
    out, parts = [], []
    for ch in text:
        if ch == BEGIN:
            parts.append(False)
        elif ch == OR:
            parts[-1] = True
        elif ch == END:
            parts.pop()
        elif all(p == batch for p in parts):
            out.append(ch)
    return "".join(out)


class Rel:
    """text: a table's name (base) or a SELECT; cols: [(name, type)]; ts: its event time; append: rows are only inserted; key: columns
    that no two rows share; uts: no two rows have the same time; win: (start, end) of the window each row is in; batch: batch mode
    must agree; arrival: content depends on the order of arrival; tables: those read, one name a scan; odd: what of it a real Flink is
known to answer otherwise (docs/reference/differences.md)."""

    union, odd = False, ()

    def __init__(self, text, cols, tables, base=False, ts=None, append=True, key=None, uts=False, win=None, batch=True, arrival=False):
        self.text, self.cols, self.tables, self.base = text, cols, tables, base
        self.ts, self.append, self.key, self.uts, self.win, self.batch, self.arrival = ts, append, key, uts, win, batch, arrival

    def has(self, *types):
        return [c for c in self.cols if c[1] in types]


def seconds(n):
    return "INTERVAL '%d' SECOND" % n


class Window:
    """One choice of window function with its arguments."""

    def __init__(self, gen, session=True):
        self.kind = gen.r.choice(["TUMBLE", "TUMBLE", "HOP", "HOP", "CUMULATE"] + (["SESSION", "SESSION"] if session else []))
        step = gen.pick(2, 5, 10)
        size = {"TUMBLE": step, "SESSION": gen.pick(1, 2, 4, 6)}.get(self.kind, step * gen.r.randint(1, 4))
        self.size = size
        self.named = [("GAP" if self.kind == "SESSION" else "SIZE", size)]
        if self.kind in ("HOP", "CUMULATE"):
            self.named.insert(0, ("SLIDE" if self.kind == "HOP" else "STEP", step))
        if self.kind != "SESSION" and gen.r.random() < 0.25:
            self.named.append(("`OFFSET`", gen.pick(*[o for o in (1, 3, -2, 7) if abs(o) < step])))
        self.by_name = gen.r.random() < 0.15
        self.part = None

    def plain(self, gen, rel):
        """TABLE(...) over rel."""
        if rel.text.count(" UNION ALL ") and rel.union:
            gen.odd.add("union")
        src = "TABLE " + rel.text if rel.base else "(" + rel.text + ")"
        if self.part:
            src += " PARTITION BY " + self.part
        args = [("DATA", src), ("TIMECOL", "DESCRIPTOR(%s)" % rel.ts)] + [(n, seconds(v)) for n, v in self.named]
        return "TABLE(%s(%s))" % (self.kind, ", ".join("%s => %s" % a if self.by_name else a[1] for a in args))

    def text(self, gen, rel):
        if self.kind != "SESSION":
            return self.plain(gen, rel)
        return alt(self.plain(gen, rel), sessions(rel, self.part, self.size))


def sessions(rel, part, gap):
    """Sessions of batch rows: where the row before is further away than the gap, a new one begins."""
    by = "PARTITION BY %s " % part if part else ""
    src = rel.text if rel.base else "(" + rel.text + ") AS s0"
    marked = "SELECT *, CASE WHEN LAG(%s) OVER (%sORDER BY %s) >= %s - %s THEN 0 ELSE 1 END AS s_new FROM %s" % (rel.ts, by, rel.ts, rel.ts, seconds(gap), src)
    numbered = "SELECT *, SUM(s_new) OVER (%sORDER BY %s RANGE UNBOUNDED PRECEDING) AS s_no FROM (%s) AS s1" % (by, rel.ts, marked)
    over = "OVER (PARTITION BY %ss_no)" % (part + ", " if part else "")
    return "(SELECT *, CAST(MIN({0}) {1} AS TIMESTAMP(3)) AS window_start, CAST(MAX({0}) {1} + {2} AS TIMESTAMP(3)) AS window_end, MAX({0}) {1} + {2} - INTERVAL '0.001' SECOND AS window_time FROM ({3}) AS s2)".format(
        rel.ts, over, seconds(gap), numbered)


class Timed(Gen):
    def __init__(self, seed):
        super().__init__(seed)
        self.count, self.odd = 0, set()
        self.by_order = self.ordered = False  # may aggregates depend on the order of rows; does one since this was last cleared

    # ---- names, tables
    def cond(self, cols, depth=2):
        """No comparison of a column with itself; event time is never NULL."""
        cols = [c for c in cols if c[1] != "TIME"] or cols
        while True:
            text = super().cond(cols, depth)
            if not re.search(r"(\S+) (=|<>|<|<=|>|>=) \1( |\)|$)", text):
                return text

    def col(self):
        self.count += 1
        return "c%d" % self.count

    def name(self):
        self.alias += 1
        return "q%d" % self.alias

    def table(self, name):
        t = self.tables[name]
        cols = [c for c in t.cols if not c[1].startswith(("ARRAY", "MAP"))]
        return Rel(name, cols, [name], base=True, ts=t.cols[t.time][0] if t.time is not None else None, append=t.kind == "append",
                   key=["id"] if cols[0][0] == "id" else [cols[0][0]] if t.key is not None else None, uts=t.unique and name in "efa")

    def item(self, rel):
        """What stands behind FROM, its columns."""
        a = self.name()
        return "%s AS %s" % (rel.text if rel.base else "(" + rel.text + ")", a), [(a + "." + n, t) for n, t in rel.cols], a

    def some(self, cols, low, high, keep=()):
        """Some of the columns, in order; those named in `keep` surely."""
        n = min(len(cols), self.r.randint(low, high))
        chosen = set(self.r.sample([c[0] for c in cols], n)) | {k for k in keep if k}
        return [c for c in cols if c[0] in chosen]

    def out(self, items):
        """SELECT list of (text, type): text, columns."""
        cols = [(self.col(), t) for _, t in items]
        return ", ".join("%s AS %s" % (i[0], c[0]) for i, c in zip(items, cols)), cols

    def renamed(self, cols, out, names):
        """The new names of `names`, None when one is gone."""
        if names is None:
            return None
        by = {c[0].split(".")[-1]: o[0] for c, o in zip(cols, out)}
        return [by[n] for n in names] if all(n in by for n in names) else None

    def filtered(self, cols, chance=0.3):
        return " WHERE " + self.cond(cols, 1) if self.r.random() < chance else ""

    def item_of(self, cols):
        """A computed column."""
        r = self.r.random()
        return (self.num(cols, 1), "BIGINT") if r < 0.6 else (self.text(cols, 1), "STRING") if r < 0.85 else ("(%s)" % self.cond(cols, 0), "BOOLEAN")

    def measure(self, cols):
        """An aggregate, its type."""
        dec = [c[0] for c in cols if c[1].startswith("DECIMAL")]
        nums = [c[0] for c in cols if c[1] in ("INT", "BIGINT")]
        r = self.r.random()
        if self.by_order and self.r.random() < 0.05:
            self.ordered = True
            c = self.pick(*[c for c in cols if c[1] in ("STRING", "INT", "BIGINT")] or cols)
            return ("LISTAGG(%s)" if c[1] == "STRING" and r < 0.4 else self.pick("FIRST_VALUE(%s)", "LAST_VALUE(%s)")) % c[0], c[1]
        if r < 0.1 and dec:
            return "%s(%s)" % (self.pick("SUM", "MIN", "MAX", "AVG"), dec[0]), "DECIMAL"
        if r < 0.35 and nums:
            return "%s(%s)" % (self.pick("SUM", "MIN", "MAX", "AVG", "SUM", "COUNT"), self.pick(*nums)), "BIGINT"
        return self.aggregate(cols)

    def measures(self, cols, low=1, high=3):
        return [self.measure(cols) for _ in range(self.r.randint(low, high))]

    def ordered_measures(self, cols, allowed):
        """Measures; self.ordered says whether one of them depends on the order of rows, which `allowed` lets it."""
        self.by_order, self.ordered = allowed, False
        out = self.measures(cols)
        self.by_order = False
        return out

    def keys(self, rel, low, high):
        return self.parts(rel.has("STRING", "INT", "BIGINT", "BOOLEAN"), low, high)

    def parts(self, cols, low, high):
        """Columns to group by: seldom those that say which row it is."""
        few = [c for c in cols if c[1] in ("STRING", "BOOLEAN")]
        return self.some(few if few and self.r.random() < 0.6 else cols, low, high)

    # ---- parts that keep the event time
    def calc(self, rel):
        frm, cols, a = self.item(rel)
        kept = self.some(cols, 1, 4, [a + "." + n for n in [rel.ts] + (rel.key or []) + list(rel.win or ()) if n])
        items = kept + [self.item_of(cols) for _ in range(self.r.randint(0, 1))]
        text, out = self.out(items)
        ren = lambda names: self.renamed(items, out, names)
        win = ren(rel.win)
        return Rel("SELECT %s FROM %s%s" % (text, frm, self.filtered(cols, 0.5)), out, rel.tables, ts=ren([rel.ts])[0] if rel.ts else None, append=rel.append,
                   key=ren(rel.key), uts=rel.uts, win=tuple(win) if win else None, batch=rel.batch, arrival=rel.arrival)

    def union(self, depth):
        a, b = self.timed(depth), self.timed(depth)
        lists = []
        for rel in (a, b):
            frm, cols, q = self.item(rel)
            nums, strs = [c[0] for c in cols if c[1] in ("INT", "BIGINT")], [c[0] for c in cols if c[1] == "STRING"]
            lists.append((frm, nums[0] if nums else "0", strs[0] if strs else "'u'", q + "." + rel.ts))
        n, k, t = self.col(), self.col(), self.col()
        one = lambda x: "SELECT CAST(%s AS BIGINT) AS %s, %s AS %s, %s AS %s FROM %s" % (x[1], n, x[2], k, x[3], t, x[0])
        rel = Rel("%s UNION ALL %s" % (one(lists[0]), one(lists[1])), [(n, "BIGINT"), (k, "STRING"), (t, "TIME")], a.tables + b.tables, ts=t,
                  append=a.append and b.append, batch=a.batch and b.batch, arrival=a.arrival or b.arrival)
        rel.union = True
        return rel

    def unnest(self):
        a, u, x, y = self.name(), self.name(), self.col(), self.col()
        kind = self.r.randint(0, 3)
        if kind == 0:
            join, extra = "CROSS JOIN UNNEST(%s.xs) AS %s (%s)" % (a, u, x), [(u + "." + x, "INT")]
        elif kind == 1:
            join, extra = "LEFT JOIN UNNEST(%s.xs) AS %s (%s) ON TRUE" % (a, u, x), [(u + "." + x, "INT")]
        elif kind == 2:
            join, extra = "CROSS JOIN UNNEST(%s.m) AS %s (%s, %s)" % (a, u, x, y), [(u + "." + x, "STRING"), (u + "." + y, "INT")]
        else:
            join, extra = "CROSS JOIN UNNEST(%s.xs) WITH ORDINALITY AS %s (%s, %s)" % (a, u, x, y), [(u + "." + x, "INT"), (u + "." + y, "INT")]
        items = [(a + ".id", "INT"), (a + ".k", "STRING"), (a + ".ts", "TIME")] + extra
        text, out = self.out(items)
        return Rel("SELECT %s FROM a AS %s %s%s" % (text, a, join, self.filtered(items)), out, ["a"], ts=out[2][0])

    def interval(self, depth):
        a, b = self.timed(depth, append=True), self.timed(depth, append=True)
        fa, ca, qa = self.item(a)
        fb, cb, qb = self.item(b)
        pairs = [(x[0], y[0]) for x in ca for y in cb if x[1] == y[1] and x[1] in ("STRING", "INT", "BIGINT")]
        if not pairs:
            return a
        x, y = self.pick(*pairs)
        ta, tb = qa + "." + a.ts, qb + "." + b.ts
        lo, hi = self.pick(0, 0, 1, 3, 8), self.pick(0, 1, 2, 5)
        bound = self.pick("%s BETWEEN %s - %s AND %s + %s" % (ta, tb, seconds(lo), tb, seconds(hi)),
                          "%s BETWEEN %s - %s AND %s + %s" % (tb, ta, seconds(lo), ta, seconds(hi)),
                          "%s > %s - %s AND %s <= %s + %s" % (ta, tb, seconds(lo + 1), ta, tb, seconds(hi)),
                          "%s >= %s AND %s < %s + %s" % (ta, tb, ta, tb, seconds(hi + 1)), "%s = %s" % (ta, tb))
        how = self.pick("JOIN", "JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN")
        if how != "JOIN":
            self.odd.add("padded")
        on = "%s = %s AND %s" % (x, y, bound) + (" AND " + self.cond(ca + cb, 0) if self.r.random() < 0.25 else "")
        items = self.some(ca, 1, 3, [ta]) + self.some(cb, 1, 3)
        text, out = self.out(items)
        ts = self.renamed(items[:len(items)], out, [a.ts]) if how in ("JOIN", "LEFT JOIN") else None
        at = next(i for i, c in enumerate(items) if c[0] == ta)
        return Rel("SELECT %s FROM %s %s %s ON %s%s" % (text, fa, how, fb, on, self.filtered(items, 0.15)), out, a.tables + b.tables,
                   ts=out[at][0] if ts else None, batch=a.batch and b.batch, arrival=a.arrival or b.arrival)

    def temporal(self, depth):
        a = self.table("c") if self.r.random() < 0.12 else self.timed(depth, append=True)
        strs = a.has("STRING")
        if not strs:
            return a
        if not a.append:
            self.odd.add("taken back")  # a row goes back with the version of another time than it came with
        fa, ca, qa = self.item(a)
        y, key = self.name(), qa + "." + self.pick(*strs)[0]
        right, table, cols = self.pick(("r", "r", [("k", "STRING"), ("rate", "INT"), ("rts", "PLAIN")]), ("r", "r", [("k", "STRING"), ("rate", "INT")]),
                                       ("f_last", "f", [("id", "INT"), ("w", "BIGINT"), ("k", "STRING")]))
        t = qa + "." + a.ts
        on = "%s = %s.k" % (key, y)
        cb = [(y + "." + n, c) for n, c in cols]
        extra = " AND " + self.cond(ca + cb, 0) if self.r.random() < 0.2 else ""
        history = "%s AS %s ON %s AND %s >= %s.since AND (%s.until IS NULL OR %s < %s.until)" % (table + "_h", y, on, t, y, y, t, y)
        join = alt("%s FOR SYSTEM_TIME AS OF %s AS %s ON %s" % (right, t, y, on), history)
        items = self.some(ca, 1, 4, [t] + [qa + "." + k for k in a.key or []]) + cb[1:2] + self.some(cb[2:], 0, 1)
        text, out = self.out(items)
        return Rel("SELECT %s FROM %s %s %s%s%s" % (text, fa, self.pick("JOIN", "LEFT JOIN"), join, extra, self.filtered(items, 0.2)), out,
                   a.tables + [table], ts=self.renamed(items, out, [a.ts])[0], append=a.append, key=self.renamed(items, out, a.key), uts=a.uts,
                   batch=a.batch and a.append, arrival=a.arrival)

    def match(self, depth=0):
        src = self.table("e")
        if depth and self.r.random() < 0.5:
            src = self.timed(depth - 1, append=True)
        nums, strs = [c[0] for c in src.cols if c[1] == "INT"], [c[0] for c in src.cols if c[1] == "STRING"]
        if not src.base and nums and strs:
            table = "(SELECT %s AS id, %s AS k, %s AS v, %s AS ts FROM %s)" % (
                nums[0], strs[-1], nums[-1], src.ts, src.text if src.base else "(%s) AS %s" % (src.text, self.name()))
        else:
            src, table = self.table("e"), "e"
        own = gen_matches.query(self.r).rstrip(";")  # what it says of itself, not what the query it reads says
        text = own.replace(" FROM t ", " FROM %s " % table)
        ordered = src.uts or (", id DESC" in own and src.base)
        cols = ([("k", "STRING")] if "(PARTITION BY k" in own else []) + [("m0", "INT"), ("m1", "INT")]
        timed = "MATCH_ROWTIME() AS rt" in own and not self.tables.zoned  # which is a TIMESTAMP always
        if timed:
            cols.append(("rt", "TIME"))
        return Rel(text, cols, src.tables, ts="rt" if timed else None, batch=ordered and src.batch, arrival=src.arrival or not (ordered or src.base))

    # ---- windows
    def tvf(self, rel, w):
        """Rows with their windows."""
        frm, cols = w.text(self, rel), rel.cols
        items = self.some(cols, 1, 4, rel.key or ()) + [("window_start", "PLAIN"), ("window_end", "PLAIN")]
        if rel.ts and self.r.random() < 0.3 and rel.ts not in [i[0] for i in items]:
            items.insert(0, (rel.ts, "PLAIN"))
        items += [("window_time", "TIME")] if self.r.random() < 0.5 else []
        text, out = self.out(items)
        names = [i[0] for i in items]
        timed = out[names.index("window_time")][0] if "window_time" in names else None
        start = names.index("window_start")
        key = self.renamed(items, out, rel.key)
        return Rel("SELECT %s FROM %s%s" % (text, frm, self.filtered(cols)), out, rel.tables, ts=timed, append=rel.append,
                   key=key + [out[start][0]] if key and w.kind == "HOP" else key + [out[start + 1][0]] if key else None, win=(out[start][0], out[start + 1][0]),
                   batch=rel.batch and (w.kind != "SESSION" or rel.append), arrival=rel.arrival or (w.kind == "SESSION" and not rel.append))

    def windowed(self, rel, w=None):
        """Aggregates by windows."""
        w = w or Window(self)
        keys = self.keys(rel, 0, 2)
        if w.kind == "SESSION" and keys and self.r.random() < 0.8:
            w.part = keys[0][0]
        frm = w.text(self, rel)
        sets = bool(keys) and self.r.random() < 0.15
        apart = w.kind == "SESSION" and (sets or [k[0] for k in keys] != ([w.part] if w.part else []))  # no aggregate by windows
        timed = self.r.random() < 0.5
        items = [("window_start", "PLAIN"), ("window_end", "PLAIN")] + ([("window_time", "TIME")] if timed else [])
        group = [i[0] for i in items]
        items = items + keys + self.ordered_measures(rel.cols, w.kind == "TUMBLE")
        names = ", ".join(k[0] for k in keys)
        if sets:
            items.append(("GROUPING(%s)" % keys[0][0], "BIGINT"))
            group.append(self.pick("ROLLUP (%s)", "CUBE (%s)", "GROUPING SETS ((%s), ())") % names)
        else:
            group += [k[0] for k in keys]
            self.r.shuffle(group)
        text, out = self.out(items)
        having = " HAVING " + self.pick("COUNT(*) > 1", "COUNT(*) < 3") if self.r.random() < 0.15 else ""
        ordered = self.ordered
        where = self.filtered(rel.cols)
        if w.kind == "SESSION" and (where or sets):
            self.odd.add("session")
        return Rel("SELECT %s FROM %s%s GROUP BY %s%s" % (text, frm, where, ", ".join(group), having), out, rel.tables,
                   ts=out[2][0] if timed and not apart else None, append=not apart, key=None if sets else [out[i][0] for i in range(len(group)) if i != 2 or not timed], uts=not keys,
                   win=(out[0][0], out[1][0]), batch=rel.batch and not ordered and (w.kind != "SESSION" or rel.append),
                   arrival=rel.arrival or ordered or (w.kind == "SESSION" and not rel.append))

    def legacy(self, rel):
        """GROUP BY TUMBLE(...)."""
        w = Window(self)
        while w.kind == "CUMULATE" or ("`OFFSET`" in dict(w.named)):
            w = Window(self)
        keys = self.keys(rel, 0, 1 if w.kind == "SESSION" else 2)
        args = "(%s, %s)" % (rel.ts, ", ".join(seconds(v) for _, v in w.named))
        fields = self.some([("START", "PLAIN"), ("END", "PLAIN"), ("ROWTIME", "TIME")], 1, 3, ["START"])
        ms = self.measures(rel.cols)
        src = rel.text if rel.base else "(" + rel.text + ") AS " + self.name()
        stream, out = self.out([("%s_%s%s" % (w.kind, f, args), t) for f, t in fields] + keys + ms)
        stream += " FROM %s GROUP BY %s" % (src, ", ".join(["%s%s" % (w.kind, args)] + [k[0] for k in keys]))
        text = "SELECT " + stream
        if w.kind == "SESSION":
            names = {"START": "window_start", "END": "window_end", "ROWTIME": "window_time"}
            items = [names[f] for f, _ in fields] + [k[0] for k in keys] + [m[0] for m in ms]
            text = alt(text, "SELECT %s FROM %s AS s3 GROUP BY %s" % (
                ", ".join("%s AS %s" % (i, o[0]) for i, o in zip(items, out)), sessions(rel, keys[0][0] if keys else None, w.size),
                ", ".join(["window_start", "window_end", "window_time"] + [k[0] for k in keys])))
        timed = next((out[i][0] for i, f in enumerate(fields) if f[0] == "ROWTIME"), None)
        return Rel(text, out, rel.tables, ts=timed, key=[out[i][0] for i in [0] + list(range(len(fields), len(fields) + len(keys)))], uts=not keys,
                   batch=rel.batch and (w.kind != "SESSION" or rel.append), arrival=rel.arrival or (w.kind == "SESSION" and not rel.append))

    def window_join(self, depth):
        w = Window(self, session=False)
        sides = []
        for _ in range(2):
            rel = self.timed(depth, append=True)
            sides.append(self.tvf(rel, w) if self.r.random() < 0.7 else self.windowed(rel, w))
        a, b = sides
        fa, ca, qa = self.item(a)
        fb, cb, qb = self.item(b)
        pairs = [(x[0], y[0]) for x in ca for y in cb if x[1] == y[1] and x[1] in ("STRING", "INT")]
        on = "%s.%s = %s.%s AND %s.%s = %s.%s" % (qa, a.win[0], qb, b.win[0], qa, a.win[1], qb, b.win[1])
        if pairs and self.r.random() < 0.8:
            on += " AND %s = %s" % self.pick(*pairs)
        if self.r.random() < 0.15:
            on += " AND " + self.cond(ca + cb, 0)
        batch, arrival, tables = a.batch and b.batch, a.arrival or b.arrival, a.tables + b.tables
        if self.r.random() < 0.25:
            items = self.some(ca, 1, 4, [qa + "." + n for n in a.win])
            text, out = self.out(items)
            return Rel("SELECT %s FROM %s WHERE %sEXISTS (SELECT 1 FROM %s WHERE %s)" % (text, fa, self.pick("", "NOT "), fb, on), out, tables, batch=batch, arrival=arrival)
        items = self.some(ca, 1, 3) + self.some(cb, 1, 3)
        text, out = self.out(items)
        return Rel("SELECT %s FROM %s %s %s ON %s" % (text, fa, self.pick("JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN"), fb, on), out, tables, batch=batch, arrival=arrival)

    # ---- OVER, ranks
    def over_arrival(self, rel):
        """OVER by processing time: rows in order of arrival."""
        frm, cols, a = self.item(rel)
        frame = self.pick("", " ROWS %d PRECEDING" % self.r.randint(1, 3), " ROWS UNBOUNDED PRECEDING", " RANGE UNBOUNDED PRECEDING")
        part = self.parts([c for c in cols if c[1] in ("STRING", "INT")], 0, 1)
        spec = "%sORDER BY %s.pt%s" % ("PARTITION BY %s " % part[0][0] if part else "", a, frame)
        items = self.some(cols, 1, 3, [a + ".id", a + ".ts"]) + [("%s OVER (%s)" % (f, spec), t) for f, t in self.over_functions(cols, frame, True)[0]]
        text, out = self.out(items)
        return Rel("SELECT %s FROM %s%s" % (text, frm, self.filtered(cols)), out, rel.tables, ts=self.renamed(items, out, ["ts"])[0],
                   key=self.renamed(items, out, ["id"]), uts=rel.uts, batch=False, arrival=True)

    def over(self, rel):
        if rel.base and rel.text in ("e", "f") and self.r.random() < 0.1:
            return self.over_arrival(rel)
        frm, cols, a = self.item(rel)
        timed = bool(rel.ts and rel.append) and (not self.tables_keyed(rel) or self.r.random() < 0.8)
        nums = [c[0] for c in cols if c[1] in ("INT", "BIGINT")]
        if not timed and not nums:
            return self.calc(rel)
        order = a + "." + rel.ts if timed else self.pick(*nums)
        total = rel.uts if timed else rel.key == [order.split(".")[-1]]
        frame = self.pick("", "RANGE UNBOUNDED PRECEDING", "RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW", "ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW") \
            if not timed else self.pick("", "RANGE BETWEEN %s PRECEDING AND CURRENT ROW" % seconds(self.pick(1, 2, 5, 20)), "RANGE BETWEEN %s PRECEDING AND CURRENT ROW" % seconds(4),
                                        "ROWS BETWEEN %d PRECEDING AND CURRENT ROW" % self.r.randint(0, 4), "ROWS %d PRECEDING" % self.r.randint(1, 3),
                                        "ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW", "RANGE UNBOUNDED PRECEDING")
        part = self.parts([c for c in cols if c[1] in ("STRING", "INT")], 0, 2)
        spec = "%sORDER BY %s%s" % ("PARTITION BY %s " % ", ".join(p[0] for p in part) if part and self.r.random() < 0.8 else "", order, " " + frame if frame else "")
        fs, by_order = self.over_functions(cols, frame, timed)
        stream_only = any("DISTINCT" in f for f, _ in fs)
        window = self.r.random() < 0.3
        items = self.some(cols, 1, 3, [a + "." + n for n in [rel.ts] + (rel.key or []) if n]) + [
            ("%s OVER %s" % (f, "w" if window else "(" + spec + ")"), t) for f, t in fs]
        text, out = self.out(items)
        ok = total or not (by_order or "ROWS" in frame)
        ts = self.renamed(items, out, [rel.ts])[0] if timed else None
        return Rel("SELECT %s FROM %s%s%s" % (text, frm, self.filtered(cols), " WINDOW w AS (%s)" % spec if window else ""), out, rel.tables, ts=ts, append=timed,
                   key=self.renamed(items, out, rel.key), uts=rel.uts, batch=rel.batch and ok and not stream_only, arrival=rel.arrival or not ok)

    def tables_keyed(self, rel):
        return any(t in ("c", "p") for t in rel.tables)

    def over_functions(self, cols, frame, timed):
        """[(call, type)], does an order among equal times matter?"""
        out, by_order = [], False
        nums = [c for c in cols if c[1] in ("INT", "BIGINT")]
        for _ in range(self.r.randint(1, 3)):
            r = self.r.random()
            if r < 0.3 and not frame and timed and not out and self.r.random() < 0.5:  # it has a window of its own
                return [("ROW_NUMBER()", "BIGINT")], True
            elif r < 0.3 and not frame and nums and timed:
                out.append((self.pick("LAG(%s)", "LAG(%s, 2)", "LAG(%s, 1, 9)") % self.pick(*nums)[0], "BIGINT"))
                by_order = True
            elif r < 0.4 and timed:
                c = self.pick(*[c for c in cols if c[1] != "TIME"] or cols)
                out.append(("%s(%s)" % (self.pick("FIRST_VALUE", "LAST_VALUE"), c[0]), c[1]))
                by_order = True
            elif r < 0.5 and timed:
                out.append(("COUNT(DISTINCT %s)" % self.pick(*cols)[0], "BIGINT"))
            elif nums:
                out.append(("%s(%s)" % (self.pick("SUM", "MIN", "MAX", "AVG", "COUNT"), self.pick(*nums)[0]), "BIGINT"))
            else:
                out.append(("COUNT(*)", "BIGINT"))
        return out, by_order

    def ranked(self, rel, part, order, total, first=False, win=None):
        """Rows whose number among those of their part is small."""
        frm, cols, a = self.item(rel)
        spec = "%sORDER BY %s" % ("PARTITION BY %s " % ", ".join(a + "." + p for p in part) if part else "", ", ".join(a + "." + o for o in order))
        n = self.r.randint(1, 3)
        limit = "= 1" if first else self.pick("<= %d" % n, "<= %d" % n, "< %d" % (n + 1), "= %d" % n, "BETWEEN %d AND %d" % (n, n + 1), "<= %d" % (n + 2))
        if limit in ("= 1", "<= 1", "< 2"):
            self.odd.add("first")
        elif limit[0] in "B=" and n > 1 and not rel.append:
            self.odd.add("offset")
        self.ordered_by_key(rel, order)
        items = self.some(cols, 1, 4, [a + "." + k for k in (rel.key or []) + list(win or ())] + ([a + "." + rel.ts] if rel.ts else []))
        ok = {"tables": rel.tables, "append": bool(win) and rel.append, "batch": rel.batch and total, "arrival": rel.arrival or not total}
        if self.r.random() < 0.25:
            text, out = self.out(items)
            return Rel("SELECT %s FROM %s QUALIFY ROW_NUMBER() OVER (%s) %s" % (text, frm, spec, limit), out, key=self.renamed(items, out, rel.key), **ok), items, out
        rn = self.col()
        text, inner = self.out(items)
        shown = inner + ([(rn, "BIGINT")] if self.r.random() < 0.5 else [])
        return Rel("SELECT %s FROM (SELECT %s, ROW_NUMBER() OVER (%s) AS %s FROM %s%s) WHERE %s %s" % (
            ", ".join(c[0] for c in shown), text, spec, rn, frm, self.filtered(cols, 0.2), rn, limit), shown, key=self.renamed(items, inner, rel.key), **ok), items, shown

    def ordered_by_key(self, rel, order):
        if not rel.append and rel.key and order[0].split()[0].split(".")[-1] in rel.key:
            self.odd.add("by key")

    def topn(self, rel):
        cols = rel.has("INT", "BIGINT", "STRING", "DECIMAL", "BOOLEAN")
        if not cols:
            return self.calc(rel)
        part = [c[0] for c in self.parts(rel.has("STRING", "INT", "BOOLEAN"), 0, 1)]
        order = ["%s%s" % (c[0], self.pick("", " DESC", " DESC")) for c in self.some(cols, 1, 2)]
        if rel.key:
            order += ["%s%s" % (k, self.pick("", " DESC")) for k in rel.key if k not in [o.split()[0] for o in order]]
        return self.ranked(rel, part, order, bool(rel.key))[0]

    def dedup(self, rel):
        """First or last row by time."""
        part = [c[0] for c in self.parts(rel.has("STRING", "INT", "BOOLEAN"), 1, 1)]
        if rel.base and rel.text in ("e", "f") and self.r.random() < 0.2:
            got = self.ranked(rel, part, ["pt" + self.pick("", " DESC")], False, first=True)[0]
            got.batch, got.arrival = False, True
            return got
        down = self.r.random() < 0.5
        got, items, out = self.ranked(rel, part, [rel.ts + (" DESC" if down else "")], rel.uts, first=True)
        if not down:
            got.append, got.ts, got.uts = True, self.renamed(items, out, [rel.ts])[0], rel.uts
        return got

    def window_ranked(self, depth):
        """Top-N and first rows within windows."""
        w = Window(self, session=False)
        rel = self.timed(depth, append=True)
        if self.r.random() < 0.6:
            src = self.windowed(rel, w) if self.r.random() < 0.6 else self.tvf(rel, w)
            order = ["%s%s" % (c[0], self.pick("", " DESC")) for c in self.some(src.has("INT", "BIGINT", "STRING", "DECIMAL"), 1, 1)]
            order += [k for k in src.key or [] if k not in src.win and k not in [o.split()[0] for o in order]] if src.key else []
            if not order:
                return src
            first, total = False, bool(src.key)
        else:
            frm, items = w.text(self, rel), [c for c in rel.cols if c[1] != "TIME"][:4] + [("window_start", "PLAIN"), ("window_end", "PLAIN"), (rel.ts, "PLAIN")]
            text, out = self.out(items)
            src = Rel("SELECT %s FROM %s" % (text, frm), out, rel.tables, key=None, win=(out[-3][0], out[-2][0]), batch=rel.batch, arrival=rel.arrival)
            order, first, total = [out[-1][0] + self.pick("", " DESC")], True, rel.uts
        part = list(src.win) + [c[0] for c in self.some([c for c in src.has("STRING", "INT") if c[0] not in src.win], 0, 1)]
        return self.ranked(src, part, order, total, first=first, win=src.win)[0]

    # ---- what has no time any more
    def group(self, rel):
        frm, cols, a = self.item(rel)
        keys = self.some([c for c in cols if c[1] in ("STRING", "INT", "BIGINT", "BOOLEAN", "PLAIN", "TIME")], 1, 2)
        if not keys:
            return self.calc(rel)
        names, tail = ", ".join(k[0] for k in keys), ""
        if "GROUPING(" in rel.text:
            self.odd.add("sets")
        items = keys + self.measures(cols)
        if self.r.random() < 0.15:
            items.append(("GROUPING(%s)" % keys[0][0], "BIGINT"))
            tail = self.pick("ROLLUP (%s)", "CUBE (%s)", "GROUPING SETS ((%s), (" + keys[0][0] + "))") % names + " HAVING COUNT(*) > 0"
        text, out = self.out([(i[0], "PLAIN" if i[1] == "TIME" else i[1]) for i in items])
        having = " HAVING COUNT(*) > 1" if not tail and self.r.random() < 0.2 else ""
        return Rel("SELECT %s FROM %s%s GROUP BY %s%s" % (text, frm, self.filtered(cols), tail or names, having), out, rel.tables, append=False,
                   key=None if tail else [o[0] for o in out[:len(keys)]], batch=rel.batch, arrival=rel.arrival)

    def join(self, depth):
        a, b = self.any(depth), self.any(depth)
        fa, ca, qa = self.item(a)
        fb, cb, qb = self.item(b)
        pairs = [(x[0], y[0]) for x in ca for y in cb if x[1] == y[1] and x[1] in ("STRING", "INT", "BIGINT", "PLAIN")]
        if not pairs:
            return a
        how = self.pick("JOIN", "JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN", "IN", "EXISTS")
        on = "%s = %s" % self.pick(*pairs)
        batch, arrival, tables = a.batch and b.batch, a.arrival or b.arrival, a.tables + b.tables
        if how in ("IN", "EXISTS"):
            items = self.some(ca, 1, 4, [qa + "." + k for k in a.key or []])
            text, out = self.out([(i[0], "PLAIN" if i[1] == "TIME" else i[1]) for i in items])
            cond = "%s IN (SELECT %s FROM %s)" % (on.split(" = ")[0], on.split(" = ")[1], fb) if how == "IN" else "%sEXISTS (SELECT 1 FROM %s WHERE %s)" % (self.pick("", "NOT "), fb, on)
            return Rel("SELECT %s FROM %s WHERE %s" % (text, fa, cond), out, tables, append=False, key=self.renamed(items, out, a.key), batch=batch, arrival=arrival)
        items = self.some(ca, 1, 3) + self.some(cb, 1, 3)
        text, out = self.out([(i[0], "PLAIN" if i[1] == "TIME" else i[1]) for i in items])
        return Rel("SELECT %s FROM %s %s %s ON %s" % (text, fa, how, fb, on), out, tables, append=a.append and b.append and how == "JOIN", batch=batch, arrival=arrival)

    def sorted(self, rel):
        """The first rows of all."""
        frm, cols, a = self.item(rel)
        by = [c for c in cols if c[1] in ("INT", "BIGINT", "STRING", "BOOLEAN")]
        order = ["%s%s" % (c[0], self.pick("", " DESC")) for c in self.some(by, 1, 2)]
        order += [a + "." + k for k in rel.key or [] if a + "." + k not in [o.split()[0] for o in order]]
        if not order:
            return self.calc(rel)
        self.ordered_by_key(rel, order)
        items = self.some(cols, 1, 4, [a + "." + k for k in rel.key or []])
        text, out = self.out([(i[0], "PLAIN" if i[1] == "TIME" else i[1]) for i in items])
        tail = "LIMIT %d" % self.r.randint(1, 5) + (" OFFSET %d" % self.r.randint(1, 2) if self.r.random() < 0.25 else "")
        if "OFFSET" in tail and not rel.append:
            self.odd.add("offset")
        if tail == "LIMIT 1":
            self.odd.add("first")
        return Rel("SELECT %s FROM %s%s ORDER BY %s %s" % (text, frm, self.filtered(cols), ", ".join(order), tail), out, rel.tables, append=False,
                   key=self.renamed(items, out, rel.key), batch=rel.batch and bool(rel.key), arrival=rel.arrival or not rel.key)

    def setop(self, depth):
        a, b = self.any(depth), self.any(depth)
        sides, typ = [], self.pick("STRING", "INT")
        for rel in (a, b):
            frm, cols, _ = self.item(rel)
            fit = [c[0] for c in cols if c[1] in (("STRING",) if typ == "STRING" else ("INT", "BIGINT"))]
            if not fit:
                return self.calc(a)
            sides.append("SELECT %s AS %s FROM %s" % ("CAST(%s AS BIGINT)" % self.pick(*fit) if typ == "INT" else self.pick(*fit), "%s", frm))
        out = self.col()
        op = self.pick("UNION", "UNION", "INTERSECT", "EXCEPT", "INTERSECT ALL", "EXCEPT ALL", "UNION ALL")
        return Rel("%s %s %s" % (sides[0].replace("%s", out), op, sides[1].replace("%s", out)), [(out, "STRING" if typ == "STRING" else "BIGINT")], a.tables + b.tables,
                   append=False, key=[out] if op in ("UNION", "INTERSECT", "EXCEPT") else None, batch=a.batch and b.batch, arrival=a.arrival or b.arrival)

    def near(self, depth):
        """Rows with, or without, another one near them in time."""
        a, b = self.timed(depth, append=True), self.timed(depth, append=True)
        fa, ca, qa = self.item(a)
        fb, cb, qb = self.item(b)
        pairs = [(x[0], y[0]) for x in ca for y in cb if x[1] == y[1] and x[1] in ("STRING", "INT", "BIGINT")]
        if not pairs:
            return self.calc(a)
        items = self.some(ca, 1, 4, [qa + "." + k for k in a.key or []])
        text, out = self.out([(i[0], "PLAIN" if i[1] == "TIME" else i[1]) for i in items])
        x, y = self.pick(*pairs)
        return Rel("SELECT %s FROM %s WHERE %sEXISTS (SELECT 1 FROM %s WHERE %s = %s AND %s.%s BETWEEN %s.%s - %s AND %s.%s)" % (
            text, fa, self.pick("", "NOT "), fb, x, y, qb, b.ts, qa, a.ts, seconds(self.pick(1, 5)), qa, a.ts), out, a.tables + b.tables, append=False,
            key=self.renamed(items, out, a.key), batch=a.batch and b.batch, arrival=a.arrival or b.arrival)

    # ---- the grammar
    def timed(self, depth, append=False):
        """Something with an event time. append: and without updates."""
        for _ in range(20):
            rel = self.timed_once(depth)
            if rel.ts and (rel.append or not append):
                return rel
        return self.table("e")

    def timed_once(self, depth):
        r = self.r.random()
        if depth == 0 or r < 0.4:
            rel = self.table(self.pick("e", "e", "e", "f", "f", "a", "c", "e"))
            return self.calc(rel) if self.r.random() < 0.2 else rel
        forms = [lambda: self.windowed(self.timed(depth - 1)), lambda: self.windowed(self.timed(depth - 1)), lambda: self.legacy(self.timed(depth - 1)),
                 lambda: self.union(depth - 1), self.unnest, lambda: self.interval(depth - 1), lambda: self.temporal(depth - 1), lambda: self.wrapped_match(depth - 1),
                 lambda: self.dedup(self.timed(depth - 1, append=True)), lambda: self.over(self.timed(depth - 1, append=True)),
                 lambda: self.tvf(self.timed(depth - 1), Window(self))]
        return self.r.choice(forms)()

    def wrapped_match(self, depth=0):
        m = self.match(depth)
        text, out = self.out(m.cols)
        return Rel("SELECT %s FROM (%s)" % (text, m.text), out, m.tables, ts=out[-1][0] if m.ts else None, batch=m.batch, arrival=m.arrival or not m.batch)

    def any(self, depth):
        r = self.r.random()
        if depth == 0 or r < 0.3:  # a table of versions has a key that repeats
            return self.table(self.pick("e", "f", "c", "p", "e" if self.tables["r"].kind == "versions" else "r", "p"))
        return self.calc(self.timed(depth)) if r < 0.6 else self.query_rel(depth - 1)

    def query_rel(self, depth):
        t = lambda: self.timed(depth)
        ta = lambda: self.timed(depth, append=True)
        forms = [(6, lambda: self.windowed(t())), (2, lambda: self.legacy(t())), (2, lambda: self.tvf(t(), Window(self))), (4, lambda: self.over(ta())),
                 (2, lambda: self.over(self.any(depth))), (3, lambda: self.topn(self.any(depth))), (2, lambda: self.topn(self.group(self.any(depth)))), (3, lambda: self.dedup(ta())),
                 (4, lambda: self.interval(depth)), (3, lambda: self.temporal(depth)), (2, lambda: self.wrapped_match(depth)), (1, self.unnest),
                 (2, lambda: self.group(self.any(depth))), (2, lambda: self.group(self.over(ta()))), (3, lambda: self.join(depth)), (1, lambda: self.union(depth)),
                 (3, lambda: self.window_join(depth)), (3, lambda: self.window_ranked(depth)), (2, lambda: self.setop(depth)),
                 (1, lambda: self.near(depth)), (1, lambda: self.sorted(self.any(depth))), (1, lambda: self.sorted(self.group(self.any(depth))))]
        return self.r.choices([f for _, f in forms], [w for w, _ in forms])[0]()

    def query(self):
        self.odd = set()
        rel = self.match() if self.r.random() < 0.06 else self.whole()
        rel.odd = self.odd
        return rel

    def whole(self):
        rel = self.query_rel(self.r.choice([0, 0, 1, 1, 2]))
        if rel.base:
            rel = self.calc(rel)
        if rel.ts and rel.append and self.r.random() < 0.05:
            a = self.name()
            rel.text = "SELECT * FROM (%s) AS %s ORDER BY %s%s" % (rel.text, a, rel.ts, ", " + ", ".join(rel.key) if rel.key and self.r.random() < 0.5 else "")
        return rel

# SPDX-License-Identifier: Apache-2.0
"""Random tables with event time: rows out of order and late, ties, NULL columns, changelogs, versions.

A table has a history: a list of changes, each of one or two lines that arrive at once. For a stream it is written as it is, tables
taking turns where wanted; for batch the rows that are left at the end are written, in any order."""
import datetime, json

EPOCH = datetime.datetime(2024, 1, 1)

# name: columns, kinds it can have
SCHEMAS = {
    "e": ([("id", "INT"), ("k", "STRING"), ("v", "INT"), ("d", "DECIMAL(10, 2)"), ("ts", "TIME")], ("append",)),
    "f": ([("id", "INT"), ("k", "STRING"), ("w", "BIGINT"), ("ts", "TIME")], ("append",)),
    "a": ([("id", "INT"), ("k", "STRING"), ("xs", "ARRAY<INT>"), ("m", "MAP<STRING, INT>"), ("ts", "TIME")], ("append",)),
    "c": ([("id", "INT"), ("k", "STRING"), ("v", "INT"), ("ts", "TIME")], ("retract", "keyed", "keyed", "upsert")),
    "r": ([("k", "STRING"), ("rate", "INT"), ("rts", "TIME")], ("versions", "versions", "keyed", "upsert")),
    "p": ([("id", "INT"), ("k", "STRING"), ("n", "INT")], ("append", "retract", "keyed", "upsert")),
}
KEYED = ("keyed", "upsert", "versions")


def stamp(ms, zone=""):
    at = EPOCH + datetime.timedelta(milliseconds=ms)
    return at.strftime("%Y-%m-%d %H:%M:%S") + (".%03d" % (ms % 1000) if ms % 1000 else "") + zone


class Table:
    """name, cols, kind; history: [[(kind, row), ...], ...] with times in milliseconds; late: does a row come behind its watermark?"""

    def __init__(self, gen, name, calm):
        r = gen.r
        self.name, (self.cols, kinds) = name, SCHEMAS[name]
        self.kind = r.choice(kinds)
        self.time = next((i for i, c in enumerate(self.cols) if c[1] == "TIME"), None)
        self.key = 0 if self.kind in KEYED else None
        self.unique = r.random() < 0.6  # no two rows of the same time
        self.disorder = 0 if r.random() < 0.25 else r.choice([1000, 3000, 6000])
        self.delay = r.choice([0, 1000, 2000, 5000])
        if calm and self.delay <= self.disorder:
            self.delay = self.disorder + 1000
        self.history = self.draw(gen)
        if calm and self.is_late():
            self.delay = 30 * 60000
        self.late = self.is_late()

    # ---- drawing
    def draw(self, gen):
        r, out, live = gen.r, [], []
        self.clock, self.taken, self.serial = 0, set(), 0
        keys = ["a", "b", "c", "ab", "", None]
        for _ in range(r.randint(6, 26) if self.time is not None else r.randint(3, 9)):
            p = r.random()
            if self.kind == "append" or not live or p < 0.6:
                row = self.fresh(gen)
                if self.kind == "versions":
                    row[0] = r.choice(keys[:5])
                elif self.name == "r" and self.kind in KEYED:
                    row[0] = next((k for k in keys[:5] if all(o[0] != k for o in live)), None)
                    if row[0] is None:
                        continue
                live.append(row)
                out.append([("+I", row)])
            elif p < 0.85:
                if self.kind == "versions":
                    continue
                i = r.randrange(len(live))
                old, new = live[i], self.fresh(gen)
                if self.key is not None:
                    new[0] = old[0]
                live[i] = new
                out.append([("+U", new)] if self.kind == "upsert" else [("-U", old), ("+U", new)])
            elif self.kind != "versions" and self.name != "r":
                out.append([("-D", live.pop(r.randrange(len(live))))])
        return out

    def fresh(self, gen):
        row = []
        for i, (name, typ) in enumerate(self.cols):
            if name == "id":
                self.serial += 1
                row.append(self.serial)
            elif i == self.time:
                row.append(self.moment(gen.r))
            elif typ.startswith("ARRAY"):
                row.append(None if gen.r.random() < 0.1 else [gen.value("INT") for _ in range(gen.r.randint(0, 3))])
            elif typ.startswith("MAP"):
                row.append(None if gen.r.random() < 0.1 else {k: gen.value("INT") for k in gen.r.sample(["a", "b", "x"], gen.r.randint(0, 2))})
            else:
                row.append(gen.value(typ.split("(")[0]))
        return row

    def moment(self, r):
        while True:
            self.clock += r.choice([0, 0, 250, 1000, 1000, 2000, 4000, 7000])
            if self.unique:
                self.clock += 1
            at = max(0, self.clock - (r.choice([0, 0, 0, self.disorder // 2, self.disorder]) if self.disorder else 0))
            if not self.unique:
                at -= at % 1000
            if not self.unique or at not in self.taken:
                self.taken.add(at)
                return at

    def is_late(self):
        """Does a row come that its table's watermark has passed?"""
        if self.time is None:
            return False
        mark, known = None, {}
        for change in self.history:
            for _, row in change:
                at = row[self.time]
                old = known.get(row[0], at) if self.kind == "upsert" else at  # of what the row replaces
                if mark is not None and min(old, at) <= mark:
                    return True
                mark, known[row[0]] = at - self.delay if mark is None else max(mark, at - self.delay), at
        return False

    # ---- writing
    def cells(self, row, zone):
        return [stamp(v, zone) if i == self.time and v is not None else v for i, v in enumerate(row)]

    def final(self):
        rows, by_key = [], {}
        for change in self.history:
            for kind, row in change:
                if self.key is not None:
                    by_key.pop(row[0], None)
                    if kind in ("+I", "+U"):
                        by_key[row[0]] = row
                elif kind in ("+I", "+U"):
                    rows.append(row)
                else:
                    rows.remove(row)
        return rows if self.key is None else list(by_key.values())

    def versions(self):
        """[(row, from, to)]: the times at which each row of a versioned table is the valid one. The last of a time counts. Of f_last, a
        view of the last rows by time, a row that comes behind a later one never is."""
        key, at = [c[0] for c in self.cols].index("k"), {}
        for change in self.history:
            for kind, row in change:
                known = at.setdefault(row[key], {})
                if kind in ("+I", "+U") and (self.name == "r" or not known or row[self.time] >= max(known)):
                    known[row[self.time]] = row
        out = []
        for rows in at.values():
            times = sorted(rows)
            out += [(rows[t], t, times[i + 1] if i + 1 < len(times) else None) for i, t in enumerate(times)]
        return out

    def ddl(self, typ, lines, batch=False):
        cols = ", ".join("%s %s" % (n, typ if t == "TIME" else t) for n, t in self.cols)
        if self.name in ("e", "f") and not batch:
            cols += ", pt AS PROCTIME()"
        if self.key is not None:
            cols += ", PRIMARY KEY (%s) NOT ENFORCED" % self.cols[0][0]
        if self.time is not None:
            t = self.cols[self.time][0]
            cols += ", WATERMARK FOR %s AS %s%s" % (t, t, " - INTERVAL '%d' %s" % ((self.delay // 1000, "SECOND") if self.delay < 60000 else (self.delay // 60000, "MINUTE")) if self.delay else "")
        mode = "'changelog-mode' = 'upsert', " if self.kind == "upsert" and not batch else ""
        return "CREATE TABLE %s (%s) WITH ('connector' = 'script', %s'rows' = '%s');" % (
            self.name, cols, mode, "".join("\n" + line for line in lines))


class Tables:
    """The tables of a script. calm: no row is late. zoned: event time is TIMESTAMP_LTZ(3)."""

    def __init__(self, gen):
        r = gen.r
        self.calm = r.random() < 0.7
        self.zoned = r.random() < 0.2
        self.all = {n: Table(gen, n, self.calm) for n in SCHEMAS}
        self.orders = r.randrange(1 << 30)

    def __getitem__(self, name):
        return self.all[name]

    def type(self):
        return "TIMESTAMP_LTZ(3)" if self.zoned else "TIMESTAMP(3)"

    def lines(self, change, table):
        return [json.dumps([kind] + table.cells(row, "Z" if self.zoned else "")) for kind, row in change]

    def streaming(self, turns, r):
        """DDL in which the tables change; turns: one after the other."""
        left = {n: list(t.history) for n, t in self.all.items()}
        lines, step = {n: [] for n in left}, 1
        while any(left.values()):
            n = r.choice([n for n in left if left[n]])
            if turns:
                lines[n].append(json.dumps({"step": step}))
            for _ in range(r.randint(1, 4)):
                if left[n]:
                    lines[n] += self.lines(left[n].pop(0), self.all[n])
            step += 1
        return [t.ddl(self.type(), lines[n]) for n, t in self.all.items()] + [self.view()]

    def batch(self, r):
        """DDL with what is left at the end, and r_h and f_h: the versions of r and of f_last with their times."""
        out = []
        for t in self.all.values():
            rows = t.final()
            r.shuffle(rows)
            out.append(t.ddl(self.type(), [line for row in rows for line in self.lines([("+I", row)], t)], True))
        return out + [self.history(self.all[n]) for n in ("r", "f")]

    def history(self, t):
        zone = "Z" if self.zoned else ""
        lines = [json.dumps(["+I"] + t.cells(row, zone) + [stamp(a, zone), None if b is None else stamp(b, zone)]) for row, a, b in t.versions()]
        cols = t.cols + [("since", "TIME"), ("until", "TIME")]
        return "CREATE TABLE %s_h (%s) WITH ('connector' = 'script', 'rows' = '%s');" % (
            t.name, ", ".join("%s %s" % (n, self.type() if c == "TIME" else c) for n, c in cols), "".join("\n" + line for line in lines))

    def view(self):
        """A versioned view: the last row of f for each key."""
        return ("CREATE VIEW f_last AS SELECT id, k, w, ts FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY ts DESC) AS rn FROM f "
                "WHERE k IS NOT NULL) WHERE rn = 1;")

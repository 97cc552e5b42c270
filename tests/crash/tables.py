# SPDX-License-Identifier: Apache-2.0
"""The script tables of a corpus file, and longer changelogs like theirs.

A corpus table has a handful of changes. A crash needs a job that is at work for a second and has state worth losing, so a
table's rows become the pool from which a few hundred changes are drawn: of the kinds that occur in it, consistent (what is
deleted was there; a primary key is there once), dealt into steps that the tables of the job take in turn."""
import datetime
import re

SCRIPT = re.compile(r"'connector'\s*=\s*'script'", re.I)
ROWS = re.compile(r"'rows'\s*=\s*'((?:[^']|'')*)'", re.S | re.I)


def top_level(text, sep=","):
    """Parts of `text` between separators that are outside quotes and brackets."""
    out, depth, cur, quote = [], 0, "", None
    escaped = False
    for ch in text:
        if quote:
            cur += ch
            if quote == '"' and ch == "\\" and not escaped:
                escaped = True
                continue
            if ch == quote and not escaped:
                quote = None
            escaped = False
            continue
        if ch in "'\"`":
            quote = ch
        elif ch in "([{<":
            depth += 1
        elif ch in ")]}>":
            depth -= 1
        if ch == sep and depth == 0:
            out.append(cur)
            cur = ""
        else:
            cur += ch
    out.append(cur)
    return [p.strip() for p in out]


class Table:
    """A CREATE TABLE statement with a script source."""

    def __init__(self, sql):
        self.sql = sql
        head = re.match(r"(?is)\s*CREATE\s+(?:TEMPORARY\s+)?TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?([\w.`]+)\s*\(", sql)
        self.name = head.group(1).replace("`", "") if head else None
        rows = ROWS.search(sql)
        self.lines = [l.strip() for l in rows.group(1).replace("''", "'").split("\n") if l.strip()] if rows else []
        self.columns, self.key = self._columns(sql[head.end():]) if head else ([], [])
        self.upsert = bool(re.search(r"(?i)'changelog-mode'\s*=\s*'upsert'", sql))

    @staticmethod
    def _columns(rest):
        depth, end = 1, 0
        quote = None
        for end, ch in enumerate(rest):
            if quote:
                quote = None if ch == quote else quote
            elif ch in "'`\"":
                quote = ch
            elif ch in "(<":
                depth += 1
            elif ch in ")>":
                depth -= 1
                if depth == 0:
                    break
        columns, key = [], []
        for item in top_level(rest[:end]):
            pk = re.match(r"(?is)(?:CONSTRAINT\s+\S+\s+)?PRIMARY\s+KEY\s*\(([^)]*)\)", item)
            m = re.match(r"(?is)`([^`]+)`\s+(.*)|(\w+)\s+(.*)", item)
            if pk:
                key = [k.strip(" `") for k in pk.group(1).split(",")]
            elif re.match(r"(?i)WATERMARK\s+FOR\b", item) or not m:
                continue
            else:
                name, kind = (m.group(1), m.group(2)) if m.group(1) else (m.group(3), m.group(4))
                if re.match(r"(?i)AS\b", kind) or re.search(r"(?i)\bMETADATA\b", kind):
                    continue
                if re.search(r"(?i)\bPRIMARY\s+KEY\b", kind):
                    key = [name]
                columns.append((name, kind.upper()))
        names = [c[0] for c in columns]
        return columns, [names.index(k) for k in key if k in names]

    def growable(self):
        """Can more rows be drawn? With event time where it can rise from row to row, so that none is late by chance."""
        if re.search(r"(?i)WATERMARK\s+FOR", self.sql) and (self.time() is None or not self.insert_only()):
            return False
        return bool(self.rows()) and not any(l.startswith("{") and "watermark" in l for l in self.lines) and len(self.columns) > 0

    def time(self):
        """The column that has the watermark, if it is a plain TIMESTAMP; else None."""
        m = re.search(r"(?i)WATERMARK\s+FOR\s+`?(\w+)", self.sql)
        for i, (name, kind) in enumerate(self.columns):
            if m and name == m.group(1) and re.match(r"TIMESTAMP(\(\d\))?$", kind.strip()):
                return i
        return None

    def before_epoch(self):
        """Times before 1970: what interval joins take for expired begins at 0 in each subtask, as in Flink, so parallelisms differ."""
        c = self.time()
        return c is not None and any(cells[c] != "null" and cells[c].strip('"') < "1970" for _, cells in self.rows())

    def rows(self):
        out = []
        for line in self.lines:
            if line.startswith("["):
                cells = top_level(line[1:-1])
                out.append((cells[0].strip('"'), (cells[1:] + ["null"] * len(self.columns))[:max(len(self.columns), 1)]))
        return out

    def insert_only(self):
        return all(k == "+I" for k, _ in self.rows()) and not self.upsert

    def with_source(self, options):
        """The statement with other options (a dict) instead of its own; script's other options stay when `path` is given."""
        start = re.search(r"(?is)\)\s*WITH\s*\(", self.sql).end()
        if options.get("connector") == "script":
            body = ROWS.sub("'path' = '%s'" % options["path"], self.sql[start:], count=1)
            return self.sql[:start] + body
        return self.sql[:start] + ", ".join("'%s' = '%s'" % kv for kv in options.items()) + ")"


class Drawer:
    """Draws changes for one table. calm: values are those of the corpus, nothing invented. ties: times may repeat."""

    def __init__(self, table, rng, calm, ties):
        self.t, self.rng, self.calm, self.ties = table, rng, calm, ties
        rows = table.rows()
        self.pools = [[r[1][c] for r in rows] for c in range(len(table.columns))]
        kinds = {k for k, _ in rows}
        self.deletes = "-D" in kinds
        self.updates = "+U" in kinds
        self.before = "-U" in kinds
        self.time = table.time()
        times = [v.strip('"') for v in self.pools[self.time] if v != "null"] if self.time is not None else []
        self.clock = datetime.datetime.fromisoformat(min(times)) if times else None
        self.content = []  # rows as tuples of JSON texts
        self.spare = 1

    def value(self, c):
        if c == self.time and self.clock:
            self.clock += datetime.timedelta(seconds=self.rng.choice([0, 0, 1, 1, 2, 5, 20]) or int(not self.ties))
            return '"%s"' % self.clock.isoformat(" ")
        pool, kind = self.pools[c], self.t.columns[c][1]
        v = self.rng.choice(pool)
        ints = [int(x) for x in pool if re.fullmatch(r"-?\d+", x)]
        if c in self.t.key and ints and len(ints) == len(pool):
            return str(self.rng.randint(min(ints), max(ints) + (20 if max(ints) < 100 else 0)))
        if self.calm or v == "null" or self.rng.random() < 0.5:
            return v
        if ints and re.match(r"(INT|BIGINT|SMALLINT|TINYINT)\b", kind):
            return str(self.rng.randint(min(ints), max(ints)))
        if v.startswith('"') and re.match(r"STRING\b", kind) and self.rng.random() < 0.3:
            return v[:-1] + "%d" % self.rng.randint(0, 9) + '"'
        return v

    def fresh(self):
        """A row that may be inserted; None when no key is free."""
        for _ in range(20):
            row = tuple(self.value(c) for c in range(len(self.t.columns)))
            if not self.t.key or all(tuple(row[k] for k in self.t.key) != tuple(o[k] for k in self.t.key) for o in self.content):
                return row
        return None

    def change(self):
        """Lines of one change."""
        rng = self.rng
        p = rng.random()
        if self.content and self.updates and p < 0.35:
            i = rng.randrange(len(self.content))
            old = self.content[i]
            new = list(self.value(c) for c in range(len(self.t.columns)))
            for k in self.t.key:
                new[k] = old[k]
            self.content[i] = tuple(new)
            return ([line("-U", old)] if self.before else []) + [line("+U", new)]
        if self.content and self.deletes and p < 0.35 + 0.25 * min(1, len(self.content) / 20):
            return [line("-D", self.content.pop(rng.randrange(len(self.content))))]
        row = self.fresh()
        if row is None:
            return []
        self.content.append(row)
        return [line("+I", row)]


def line(kind, row):
    return '["%s", %s]' % (kind, ", ".join(row)) if row else '["%s"]' % kind


def draw(tables, rng, changes, calm, ties):
    """{name: [chunk of lines, ...]} with the order in which the chunks of all tables come: [(name, lines)]."""
    drawers = [Drawer(t, rng, calm, ties) for t in tables]
    steps = []
    while changes > 0:
        d = rng.choice(drawers)
        n = min(changes, rng.choice([1, 2, 3, 4, 8, 8, 16, 40]))
        lines = [l for _ in range(n) for l in d.change()]
        changes -= n
        if lines:
            steps.append((d.t.name, lines))
    return steps


def script_lines(steps, name, sleep_ms):
    """The script of one table; the sleeps go behind its steps."""
    out = []
    for n, (table, lines) in enumerate(steps):
        if table == name:
            out.append('{"step": %d}' % (n + 2))
            out += lines
            if sleep_ms:
                out.append('{"sleep": %d}' % sleep_ms)
    return out

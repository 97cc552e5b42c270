# SPDX-License-Identifier: Apache-2.0
"""Random jobs out of the streaming corpus: a file's tables with longer changelogs, and some of its queries writing into
sinks that commit with checkpoints. A file added to the corpus joins by itself."""
import glob, json, os, re

from tables import SCRIPT, Table, draw, script_lines

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# How often a folder of the corpus is drawn; those that are not here: 1.
WEIGHTS = {"agg": 12, "join": 12, "multi_join": 8, "set": 8, "sort": 8, "subquery": 10, "changes": 10, "generated": 6, "query": 6, "sink": 8, "unnest": 3,
           "time": 2, "error": 0, "plan": 2, "ddl": 1, "expr": 1, "types": 2,
           "window": 2, "window_rows": 2, "window_emit": 2, "timed_join": 2}
# The answer depends on when a row came or on chance: nothing to compare.
BY_CHANCE = re.compile(r"(?i)\b(NOW|CURRENT_\w+|LOCALTIME\w*|PROCTIME|RAND\w*|UUID|UNIX_TIMESTAMP\s*\(\s*\)|ROW_TIMESTAMP|SYSTEM_TIME\s+AS\s+OF\s+[\w.`]*\bp(t|roc\w*))\b")
# The content depends on the order of arrival, which other parallelisms and growing files do not keep.
BY_ORDER = re.compile(r"(?i)\b(LISTAGG|FIRST_VALUE|LAST_VALUE|\w*ARRAY_?AGG|COLLECT|LIMIT|FETCH|OFFSET|ROW_NUMBER|RANK|DENSE_RANK|LAG|LEAD|SINGLE_VALUE)\b")
# Sums of floating-point numbers depend on it in their last digits.
FLOATING = re.compile(r"(?i)\b(FLOAT|DOUBLE|REAL|STDDEV\w*|VAR_\w+)\b")
# The groups of a window come out in no defined order: another one behind a restart than from memory. Only contents are compared, and
# nothing where they decide about ties.
WINDOWED = re.compile(r"(?i)\b(TUMBLE|HOP|CUMULATE|SESSION)\s*\(")
VERSIONED = re.compile(r"(?i)\bFOR\s+SYSTEM_TIME\s+AS\s+OF\b")
QUERY = re.compile(r"(?is)^\s*(SELECT|WITH|VALUES|\()")
# A time to live that passes while a case runs makes the answer a matter of the clock. With hours nothing expires, but all its paths
# are gone through.
TTL = re.compile(r"(?i)(STATE_TTL\s*\([^)]*\)|'table\.exec\.state\.ttl'\s*=\s*'[^']*')")
BRIEF = re.compile(r"(?i)=\s*'\s*[1-9]\d*\s*(ms|s|milli\w*|sec\w*)\s*'")
SETUP = re.compile(r"(?is)^\s*(CREATE|SET|RESET|USE|ALTER|DROP)\b")


def lasting(sql):
    return TTL.sub(lambda m: BRIEF.sub("= '3 h'", m.group(0)), sql)


class CorpusFile:
    def __init__(self, path):
        self.path = path
        self.name = os.path.relpath(path, os.path.join(ROOT, "tests", "corpus"))[:-4]
        golden = os.path.join(ROOT, "tests", "golden", self.name + ".streaming.json")
        self.statements = json.load(open(golden, encoding="utf-8"))["statements"] if os.path.exists(golden) else []
        for s in self.statements:
            s["sql"] = lasting(s["sql"])
        self.head = [l for l in open(path, encoding="utf-8").read().splitlines() if l.startswith("--")]

    def conf(self):
        pairs = (l.split("conf:", 1)[1].strip().split("=", 1) for l in self.head if "conf:" in l and "=" in l)
        return {k.strip(): "3 h" if k.strip() == "table.exec.state.ttl" and BRIEF.fullmatch("='%s'" % v.strip()) else v.strip() for k, v in pairs}

    def queries(self):
        """Indexes of statements that can be jobs."""
        return [i for i, s in enumerate(self.statements) if usable(s)]


def usable(s):
    sql = s["sql"]
    if BY_CHANCE.search(sql):
        return False
    if s["kind"] == "rows":
        return bool(QUERY.match(sql)) and bool(s.get("columns")) and not re.search(r"\bRAW\b|\bNULL\b(?!\s*(,|$|\)))", " ".join(
            c for c in s["columns"] if " NULL" in c and "NOT NULL" not in c))
    return s["kind"] == "ok" and bool(re.match(r"(?is)\s*INSERT\s+INTO\b.*\bSELECT\b", sql)) and "ON CONFLICT" not in sql.upper()


def corpus():
    """[(file, weight)], those with usable queries over script tables."""
    out = []
    for path in sorted(glob.glob(os.path.join(ROOT, "tests", "corpus", "**", "*.sql"), recursive=True)):
        f = CorpusFile(path)
        weight = WEIGHTS.get(f.name.split("/")[0], 1)
        if weight and f.queries() and any(SCRIPT.search(s["sql"]) for s in f.statements):
            out.append((f, weight))
    return out


class Sink:
    """One output of a job: where it is, how it is read."""

    def __init__(self, table, folder, kind, key=None, by_order=False, floating=False, windowed=False, upsert=False):
        self.table, self.folder, self.kind, self.key = table, folder, kind, key
        self.by_order, self.floating, self.windowed, self.upsert = by_order, floating, windowed, upsert
        self.writers = 1  # INSERTs into it: between two of them no order is defined


class Job:
    """A script with %(run)s where the folder of a run goes. `source`: script or files."""

    def __init__(self):
        self.setup, self.inserts, self.sinks, self.steps, self.tables, self.conf = [], [], [], [], [], {}
        self.source = "script"
        self.statement_set = False
        self.name = ""

    def exact(self):
        """Is the changelog itself the same in every run at parallelism 1?"""
        bundles = "table.exec.mini-batch.enabled" in " ".join([*self.conf, *(s for s in self.setup if isinstance(s, str))])
        return self.source == "script" and not bundles

    def count(self):
        return 1 if self.statement_set else len(self.inserts)

    def stopping(self, text, rows):
        """The script of a job alone, so that it is stopped with a savepoint after a hundredth of a second for each of `rows`."""
        return ("SET 'table.dml-sync' = 'false';\n" + text + "RESET 'execution.state-recovery.path';\nCREATE TABLE crash_pause (n INT) WITH ("
                "'connector' = 'datagen', 'rows-per-second' = '100', 'number-of-rows' = '%d');\nSELECT n FROM crash_pause WHERE n IS NULL;\n"
                "STOP JOB '1' WITH SAVEPOINT;\n" % rows)

    def script(self, folder, sleep_ms, bounded):
        """Writes the inputs of a run into `folder`; gives the SQL text. bounded: files do not grow."""
        os.makedirs(folder, exist_ok=True)
        text = []
        for t in self.setup:
            text.append(self._with_source(t, folder, sleep_ms, bounded) if isinstance(t, Table) else t)
        for s in self.sinks:
            text.append(s.ddl.replace("%(run)s", folder))
        inserts = self.inserts
        if self.statement_set:
            text.append("EXECUTE STATEMENT SET BEGIN\n" + ";\n".join(inserts) + ";\nEND")
        else:
            text += inserts
        return "".join(s + ";\n" for s in text)

    def _with_source(self, t, folder, sleep_ms, bounded):
        if t not in self.tables:
            return t.sql
        if self.source == "files" and t.insert_only():
            options = {"connector": "filesystem", "path": os.path.join(folder, "in", t.name), "format": "json"}
            os.makedirs(options["path"], exist_ok=True)
            if not bounded:
                options["source.monitor-interval"] = "20 ms"
            return t.with_source(options)
        path = os.path.join(folder, t.name + ".script")
        with open(path, "w", encoding="utf-8") as f:
            f.write("\n".join(script_lines(self.steps, t.name, sleep_ms)) + "\n")
        return t.with_source({"connector": "script", "path": path})


def json_object(table, text):
    """The line of a JSON file for a script row."""
    from tables import top_level
    cells = top_level(text[1:-1])[1:]
    return "{" + ", ".join("%s: %s" % (json.dumps(n), c) for (n, _), c in zip(table.columns, cells)) + "}"


def columns_of(s):
    """The sink's columns, with names of their own. None when a name has a blank, so that the type cannot be told from it."""
    if any(not re.match(r"\S+ [A-Z]+\b", c) for c in s["columns"]):
        return None
    return ", ".join("`c%d` %s" % (i, re.sub(r" \*\w+\*", "", c.partition(" ")[2])) for i, c in enumerate(s["columns"]))


def make(files, rng, options):
    """A job, or None when the draw makes no sense. options: shrink (bool), files (allow growing files)."""
    f = rng.choices([x for x, _ in files], [w for _, w in files])[0]
    picks = rng.sample(f.queries(), min(len(f.queries()), rng.choice([1, 1, 2, 3])))
    picks.sort()
    job = Job()
    job.name = "%s#%s" % (f.name, ",".join(str(p + 1) for p in picks))
    job.conf = f.conf()
    job.calm = rng.random() < options.get("calm", 0.3)
    setup = [s for s in f.statements[:picks[-1]] if s["kind"] == "ok" and SETUP.match(s["sql"])]
    for s in setup:
        script = SCRIPT.search(s["sql"]) and re.match(r"(?is)\s*CREATE\b", s["sql"])
        job.setup.append(Table(s["sql"]) if script else s["sql"])
    scripts = [t for t in job.setup if isinstance(t, Table) and t.growable()]
    text = " ".join(f.statements[p]["sql"] for p in picks)
    used = [t for t in scripts if t.name and re.search(r"\b%s\b" % re.escape(t.name.split(".")[-1]), text + views(setup))]
    if not used or any(t.before_epoch() for t in used):
        return None
    job.tables = used
    # Of two versions of one time, the first is joined when watermarks come between them; behind a restart there are none at first.
    job.steps = draw(used, rng, options.get("changes", 250), job.calm, ties=not VERSIONED.search(text))
    # Files that grow are read side by side and never end: rows would be late, the last windows stay open.
    files = options.get("files") and any(t.insert_only() for t in used) and all(t.time() is None for t in used)
    job.source = "files" if files and rng.random() < 0.35 else "script"
    add_sinks(job, f, picks, rng)
    job.statement_set = len(job.inserts) > 1 and rng.random() < 0.8
    return job if job.sinks else None


def views(setup):
    return " ".join(s["sql"] for s in setup if re.match(r"(?is)\s*CREATE\s+(TEMPORARY\s+)?VIEW", s["sql"]))


def add_sinks(job, f, picks, rng):
    given = " ".join(t for t in job.setup if isinstance(t, str))
    for n, p in enumerate(picks):
        s = f.statements[p]
        flags = {"by_order": bool(BY_ORDER.search(s["sql"])), "floating": bool(FLOATING.search(s["sql"] + " ".join(s.get("columns", [])))),
                 "windowed": bool(WINDOWED.search(s["sql"] + given))}
        if s["kind"] == "rows":
            columns = columns_of(s)
            if columns is None:
                continue
            sink = Sink("crash_out%d" % n, "out%d" % n, "record", **flags)
            log = rng.choice(["64 kb", "64 kb", "1 b"])  # its log lies in the checkpoint, or in a file of its own
            sink.ddl = ("CREATE TABLE %s (%s) WITH ('connector' = 'record', 'path' = '%%(run)s/%s', 'log.memory-size' = '%s')"
                        % (sink.table, columns, sink.folder, log))
            sink.columns = columns
            job.inserts.append("INSERT INTO %s %s" % (sink.table, s["sql"].rstrip(" ;\n")))
        else:
            sink = existing(job, s["sql"], flags)
            if sink is None:
                continue
            job.inserts.append(s["sql"].rstrip(" ;\n"))
        job.sinks.append(sink)
    merge_sinks(job)


def existing(job, sql, flags):
    """The corpus' own record table behind an INSERT, made a file sink."""
    name = re.match(r"(?is)\s*INSERT\s+INTO\s+`?(\w+)`?", sql).group(1)
    for i, t in enumerate(job.setup):
        if not isinstance(t, str) or not re.match(r"(?is)\s*CREATE\s+TABLE\s+`?%s`?\s*\(" % re.escape(name), t) or "'record'" not in t:
            continue
        table = Table(t)
        sink = Sink(name, "sink_" + name, "record", key=table.key or None, upsert="'upsert'" in t, **flags)
        sink.ddl = re.sub(r"'connector'\s*=\s*'record'", "'connector' = 'record', 'path' = '%%(run)s/%s'" % sink.folder, t)
        del job.setup[i]
        return sink
    again = next((s for s in job.sinks if s.table == name and not s.upsert), None)  # upserts need an order
    if again:
        again.writers += 1
    return again


def merge_sinks(job):
    seen = []
    for s in job.sinks:
        if s not in seen:
            seen.append(s)
    job.sinks = seen


def as_files(job, which, rng):
    """Sinks `which` (indexes), whose output has turned out to be insert-only, become filesystem sinks."""
    for i in which:
        s = job.sinks[i]
        if not hasattr(s, "columns"):
            continue
        s.kind = rng.choice(["json", "csv"])
        options = {"connector": "filesystem", "path": "%(run)s/" + s.folder, "format": s.kind}
        if rng.random() < 0.5:
            options["sink.rolling-policy.file-size"] = rng.choice(["100b", "1kb", "20kb"])
        if rng.random() < 0.3:
            options["sink.rolling-policy.rollover-interval"] = "50 ms"
            options["sink.rolling-policy.check-interval"] = "20 ms"
        if rng.random() < 0.25:
            options["auto-compaction"] = "true"
            if rng.random() < 0.5:
                options["compaction.file-size"] = rng.choice(["1kb", "20kb"])
        s.ddl = "CREATE TABLE %s (%s) WITH (%s)" % (s.table, s.columns, ", ".join("'%s' = '%s'" % kv for kv in options.items()))

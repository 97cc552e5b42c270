#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Mutates whole SQL statements and runs them through `weir test --serve`, looking for what must never happen.

    tools/fuzz_statements.py [--seed N] [--seconds S] [--count N] [--jobs N] [--out DIR] BINARY...

Seeds: every statement of tests/corpus and tests/sql, every example of tests/data/flink and tests/data/sql/parse.tsv. A case is
the tables of a file and some of its statements, each mutated a few times: tokens deleted, doubled, swapped; literals replaced by
extremes; columns, types, functions and keywords exchanged; expressions wrapped, nested, taken from another statement; a statement
wrapped in EXPLAIN, a view, a sub-query, a union. Half of the cases run in batch mode, a third at parallelism 3, some with
mini-batch; several BINARIES take turns (the asan and the tiny build).

Findings: a process that dies (sanitizers, assertions), leaks, statements that take more than --limit seconds of CPU time,
internal errors, broken contracts of operators; with --compare also rows that differ between the modes. Each finding is reduced
to a short script in DIR (default build/fuzz-statements), one for each signature. The same seed and count make the same cases.
Exit code 1 when something was found. Statements run in an empty folder; as root, under an account without rights."""
import argparse, collections, glob, hashlib, json, os, random, re, resource, select, shutil, signal, subprocess, sys, tempfile, threading, time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TOKEN = re.compile(r"""\s+|--[^\n]*|/\*.*?\*/|'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\d+(?:\.\d*)?(?:[eE][-+]?\d+)?|\.\d+|\w+|<>|<=|>=|!=|\|\||=>|.""", re.S)
NOBODY = 65534

STRINGS = ["''", "' '", "'a'", "'NULL'", "'-1'", "'0'", "'1e400'", "'NaN'", "'\u00e4\u4e2d\U0001f600'", "'%_\\'", "'0001-01-01'", "'9999-12-31 23:59:59.999999999'",
           "'2024-02-30'", "'{}'", "'[1,[2,{\"a\":null}]]'", "'$.a[*].b'", "'(a+)+$'", "'[z-'", "'true'", "'24:00:00'", "'UTC'", "'Europe/Berlin'", "'-0:00'",
           "'yyyy-MM-dd HH:mm:ss.SSSSSSSSSX'", "'99999999999999999999999999999999999999'", "'2147483648'", "'" + "x" * 5000 + "'", "x'00ff'", "U&'\\0041'",
           "'all'", "'insert'", "'upsert'", "'json'", "'csv'", "'raw'", "'false'", "'1 ms'", "'-5 s'", "'1000000000 d'", "'9223372036854775807'"]
NUMBERS = ["0", "1", "-1", "2", "3", "127", "128", "-129", "32768", "2147483647", "2147483648", "-2147483648", "9223372036854775807", "-9223372036854775808",
           "9223372036854775808", "1e308", "-1e308", "1e-320", "1E400", "0.0", "-0.0e0", "0.1", "99999999999999999999999999999999999999", "-99999999999999999999999999999999999999",
           "0.00000000000000000000000000000000000001", "9999999999999999999.9999999999999999999", "123456789012345678901234567890123456789", "17", "38", "39", "100000"]
VALUES = ["NULL", "TRUE", "FALSE", "CAST(NULL AS INT)", "CAST(NULL AS STRING)", "DATE '0001-01-01'", "DATE '9999-12-31'", "TIME '23:59:59'", "TIMESTAMP '0001-01-01 00:00:00'",
          "TIMESTAMP '9999-12-31 23:59:59.999999999'", "TIMESTAMP '1970-01-01 00:00:00'", "INTERVAL '0' DAY", "INTERVAL '99' YEAR", "INTERVAL -'99' DAY", "INTERVAL '9999999999' SECOND(10)",
          "ARRAY[1, 2, 3]", "ARRAY[NULL]", "ARRAY['a', NULL]", "MAP['a', 1]", "MAP['a', NULL]", "ROW(1, 'x')", "ROW(NULL)", "CAST(ARRAY[] AS ARRAY<INT>)", "ARRAY[ARRAY[1], NULL]",
          "x''", "CAST('NaN' AS DOUBLE)", "CAST('Infinity' AS DOUBLE)", "CAST(-128 AS TINYINT)", "CAST(-2147483648 AS INT)", "CAST(-9223372036854775808 AS BIGINT)", "PARSE_JSON('{\"a\":[1,null]}')",
          "TO_TIMESTAMP_LTZ(0, 3)", "CURRENT_DATE", "PI()", "RAND()", "(SELECT 1)", "(SELECT MAX(1))", "COUNT(*)", "SUM(1)", "*"]
TYPES = ["BOOLEAN", "TINYINT", "SMALLINT", "INT", "BIGINT", "FLOAT", "DOUBLE", "DECIMAL(38, 38)", "DECIMAL(38, 0)", "DECIMAL(1, 1)", "DECIMAL(18, 2)", "CHAR(1)", "CHAR(2147483647)", "VARCHAR(3)",
         "STRING", "BINARY(2)", "VARBINARY(3)", "BYTES", "DATE", "TIME(0)", "TIME(9)", "TIMESTAMP(0)", "TIMESTAMP(3)", "TIMESTAMP(9)", "TIMESTAMP_LTZ(3)", "TIMESTAMP_LTZ(9)", "TIMESTAMP WITH TIME ZONE",
         "INTERVAL DAY(3) TO SECOND(9)", "INTERVAL YEAR(4) TO MONTH", "ARRAY<INT>", "ARRAY<STRING NOT NULL>", "MAP<STRING, INT>", "MULTISET<INT>", "ROW<x INT, y STRING>", "VARIANT", "NULL", "RAW('a', 'b')", "DECIMAL(39, 0)"]
SWAPS = [["JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN", "CROSS JOIN", "NATURAL JOIN", ","], ["UNION ALL", "UNION", "INTERSECT", "INTERSECT ALL", "EXCEPT", "EXCEPT ALL"],
         ["AND", "OR", "=", "<>", "<", ">=", "+", "-", "*", "/", "%", "||", "IS DISTINCT FROM", "LIKE", "IN", "NOT IN"], ["ASC", "DESC", "NULLS FIRST", "NULLS LAST"],
         ["COUNT", "SUM", "MIN", "MAX", "AVG", "FIRST_VALUE", "LAST_VALUE", "LISTAGG", "ARRAY_AGG", "COLLECT", "STDDEV_POP", "VAR_SAMP", "SINGLE_VALUE", "JSON_ARRAYAGG", "ROW_NUMBER", "RANK", "LAG"],
         ["DAY", "MONTH", "YEAR", "HOUR", "SECOND", "WEEK", "QUARTER", "MILLISECOND", "CENTURY", "EPOCH", "DOW"], ["ROLLUP", "CUBE", "GROUPING SETS"], ["ALL", "DISTINCT", "ANY", "SOME"],
         ["EXISTS", "NOT EXISTS", "IN"], ["TUMBLE", "HOP", "SESSION", "CUMULATE"], ["SELECT", "SELECT DISTINCT"], ["CAST", "TRY_CAST"], ["TABLE", "VIEW", "DATABASE", "FUNCTION", "TEMPORARY TABLE", "MATERIALIZED TABLE"],
         ["CREATE", "DROP", "ALTER", "DESCRIBE", "SHOW CREATE"]]
CLAUSES = [" LIMIT 0", " LIMIT 1", " LIMIT 2147483648", " LIMIT 99999999999999999999", " OFFSET 1", " OFFSET 9223372036854775807", " FETCH FIRST 1 ROWS ONLY", " ORDER BY 1", " ORDER BY 1 DESC, 2",
           " ORDER BY 99", " ORDER BY NULL", " GROUP BY 1", " GROUP BY ()", " GROUP BY CUBE(1, 2)", " GROUP BY GROUPING SETS ((1), (), (1, 2))", " WHERE NULL", " WHERE TRUE", " WHERE 1 = 0", " HAVING TRUE",
           " HAVING COUNT(*) > 1", " WHERE EXISTS (SELECT 1)", " WHERE 1 NOT IN (SELECT NULL)", " UNION ALL SELECT 1", " WINDOW w AS (PARTITION BY 1)", " TABLESAMPLE SYSTEM (10)", ";", ")", "(", "'", "/*", "--", "`"]
WRAPS = ["EXPLAIN %s", "EXPLAIN CHANGELOG_MODE, ESTIMATED_COST, JSON_EXECUTION_PLAN, PLAN_ADVICE %s", "SELECT * FROM (%s)", "SELECT COUNT(*) FROM (%s)", "SELECT DISTINCT * FROM (%s)", "(%s) UNION ALL (%s)", "(%s) EXCEPT (%s)",
         "(%s) INTERSECT ALL (%s)", "WITH w AS (%s) SELECT * FROM w AS a, w AS b", "WITH w AS (%s) SELECT * FROM w WHERE EXISTS (SELECT * FROM w)", "CREATE TEMPORARY VIEW fuzz_view AS %s", "SELECT 1 WHERE 1 IN (%s)",
         "SELECT (%s)", "SELECT ARRAY(%s)", "SELECT * FROM (VALUES 1, 2), LATERAL (%s)", "SELECT * FROM (%s) AS x LEFT JOIN (%s) AS y ON TRUE", "SELECT * FROM (%s) LIMIT 2", "(%s) ORDER BY 1 LIMIT 3",
         "CREATE TABLE fuzz_sink WITH ('connector' = 'blackhole') AS %s", "CREATE TABLE fuzz_rec WITH ('connector' = 'record') AS %s", "SELECT *, ROW_NUMBER() OVER (ORDER BY 1) FROM (%s)"]
EXPR_WRAPS = ["(%s)", "(-%s)", "(NOT %s)", "(%s IS NULL)", "ABS(%s)", "CAST(%s AS STRING)", "CAST(%s AS INT)", "CAST(%s AS DECIMAL(38, 18))", "TRY_CAST(%s AS TIMESTAMP(3))", "CAST(%s AS ARRAY<STRING>)", "COALESCE(%s, NULL)",
              "NULLIF(%s, %s)", "ARRAY[%s, %s]", "MAP[%s, %s]", "ROW(%s, %s)", "(%s || 'a')", "(%s + %s)", "(%s / 0)", "(%s = %s)", "CASE WHEN %s THEN %s END", "CASE %s WHEN NULL THEN 1 ELSE %s END", "(%s IN (%s, NULL))",
              "(%s BETWEEN %s AND %s)", "UPPER(%s)", "COUNT(%s)", "SUM(DISTINCT %s)", "MAX(%s)", "ARRAY_AGG(%s)", "LISTAGG(%s)", "CARDINALITY(%s)", "%s[1]", "%s.x", "JSON_VALUE(%s, '$')", "JSON_STRING(%s)", "TYPEOF(%s)",
              "(SELECT %s)", "(SELECT MAX(%s))", "IF(%s, %s, %s)", "EXTRACT(DAY FROM %s)", "FLOOR(%s TO MONTH)", "GREATEST(%s, %s)", "FIRST_VALUE(%s)", "SUM(%s) OVER (ORDER BY %s)", "HASH_CODE(%s)", "SUBSTRING(%s, -1)", "%s AS z",
              "%s FILTER (WHERE TRUE)", "ELT(2147483647, %s)", "REPEAT(%s, 3)", "ARRAY_CONTAINS(ARRAY[%s], %s)", "ROW(ROW(%s), ARRAY[MAP['k', %s]])"]
TABLES = """CREATE TABLE t (a INT, s STRING, d DECIMAL(10, 2), b BIGINT, f DOUBLE, fl FLOAT, ts TIMESTAMP(3), lz TIMESTAMP_LTZ(3), dt DATE, tm TIME, bo BOOLEAN, arr ARRAY<INT>, m MAP<STRING, INT>,
 r ROW<x INT, y STRING>, bin BYTES, c3 CHAR(3), v9 VARCHAR(9), nn INT NOT NULL) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "a", 1.5, 10000000000, 0.5, 1.5, "2020-01-01 00:00:00", "2020-01-01 00:00:00Z", "2020-01-01", "01:02:03", true, [1, null, 3], {"a": 1, "b": null}, {"x": 1, "y": "z"}, "AAE=", "abc", "v", 1]
["+I", null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, 2]
["+I", -2147483648, "", -99999999.99, -9223372036854775808, -1e308, -3.4e38, "0001-01-01 00:00:00", "0001-01-01 00:00:00Z", "0001-01-01", "00:00:00", false, [], {}, {"x": null, "y": null}, "", "a", "", -2147483648]
["+I", 2147483647, "\u00e4\u4e2d\U0001f600%_", 99999999.99, 9223372036854775807, 1e308, 3.4e38, "9999-12-31 23:59:59.999", "9999-12-31 23:59:59.999Z", "9999-12-31", "23:59:59", true, [2147483647], {"": 0}, {"x": 2147483647, "y": "\u00e4"}, "/////w==", "x", "123456789", 2147483647]');
CREATE TABLE u (k INT, v STRING, n BIGINT, PRIMARY KEY (k) NOT ENFORCED) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "a", 5]
["+I", 2, "b", null]
["-U", 1, "a", 5]
["+U", 1, null, 7]
["-D", 2, "b", null]
["+I", 3, "c", 7]');
CREATE TABLE p (k INT, v STRING, PRIMARY KEY (k) NOT ENFORCED) WITH ('connector' = 'script', 'changelog-mode' = 'upsert', 'rows' = '
["+I", 1, "a"]
["+U", 1, "b"]
["+U", 2, "c"]
["-D", 2, null]');"""
RANDOM = re.compile(r"\b(RAND|RAND_INTEGER|UUID|NOW|CURRENT_\w+|LOCALTIME\w*|UNIX_TIMESTAMP|PROCTIME|LIMIT|FETCH|OFFSET|FIRST_VALUE|LAST_VALUE|LISTAGG|ARRAY_AGG|COLLECT|JSON_\w*AGG|OVER|EXPLAIN|SINGLE_VALUE|TABLESAMPLE|IFNULL_TIME|STRING_AGG)\b", re.I)


def tokens(sql):
    return TOKEN.findall(sql)


def split(sql):
    """Statements of a script."""
    out, cur = [], []
    for t in tokens(sql):
        if t == ";":
            out.append("".join(cur).strip())
            cur = []
        elif not t.startswith("--"):
            cur.append(t)
    out.append("".join(cur).strip())
    return [s for s in out if s]


def is_setup(s):
    return re.match(r"(CREATE|SET|USE)\b", s, re.I) is not None


def slow_or_unsafe(s, root):
    if re.search(r"'(datagen|nexmark|socket|stdin)'", s):
        return True
    return not root and re.search(r"\b(filesystem|INSERT|OVERWRITE|DIRECTORY)\b", s, re.I) is not None and "'path'" in s


class Seeds:
    """files: [(setup statements, statements)]; pieces: balanced expressions to put elsewhere; functions: names."""

    def __init__(self):
        self.files, self.pieces, self.functions = [], [], []
        for path in sorted(glob.glob(os.path.join(ROOT, "tests/corpus/**/*.sql"), recursive=True)):
            self.add(split(open(path, encoding="utf-8").read()))
        sys.path.insert(0, os.path.join(ROOT, "tests"))
        from run import parse_slt
        for path in sorted(glob.glob(os.path.join(ROOT, "tests/sql/**/*.slt"), recursive=True)):
            self.add([c[2] for c in parse_slt(open(path, encoding="utf-8").read())])
        expressions = []
        for name, column in (("flink-functions.tsv", 5), ("flink-casts.tsv", 3), ("expressions.tsv", 0), ("plan-expressions.tsv", 1)):
            for line in open(os.path.join(ROOT, "tests/data/flink", name), encoding="utf-8"):
                cells = line.rstrip("\n").split("\t")
                if not line.startswith("#") and len(cells) > column and cells[column]:
                    expressions.append(cells[column].replace("\\t", "\t").replace("\\n", "\n"))
                if name == "flink-functions.tsv" and not line.startswith("#") and re.fullmatch(r"[A-Z_0-9]+", cells[0]):
                    self.functions.append(cells[0])
        base = split(TABLES)
        self.functions = sorted(set(self.functions))
        self.pieces += expressions
        some = [e if re.match(r"(SELECT|WITH|EXPLAIN|CREATE|INSERT|SHOW)\b", e, re.I) else "SELECT %s%s" % (e, " FROM t" if i % 2 else "") for i, e in enumerate(expressions)]
        parse = []
        for line in open(os.path.join(ROOT, "tests/data/sql/parse.tsv"), encoding="utf-8"):
            cells = line.rstrip("\n").split("\t")
            if cells[0] in "SE" and len(cells) > 1:
                s = cells[1].replace("\\n", "\n").replace("\\\\", "\\")
                parse.append(s if cells[0] == "S" else "SELECT " + s)
        for group in (some, parse):
            for i in range(0, len(group), 20):
                self.files.append((base, group[i:i + 20]))
        self.pieces = sorted(set(self.pieces))

    def add(self, statements):
        setup = [s for s in statements if is_setup(s)]
        rest = [s for s in statements if not is_setup(s)] or statements
        self.files.append((setup, rest))
        for s in rest:
            for piece in re.findall(r"\([^()]{3,200}\)", s):
                self.pieces.append(piece)


class Mutator:
    def __init__(self, seeds, seed):
        self.s, self.r = seeds, random.Random(seed)

    def literal(self, t):
        if t.startswith("'"):
            return self.r.choice(STRINGS) if self.r.random() < 0.7 else self.r.choice(VALUES)
        if t[:1].isdigit() or (t[:1] == "." and len(t) > 1):
            return self.r.choice(NUMBERS) if self.r.random() < 0.7 else self.r.choice(VALUES)
        return self.r.choice(VALUES)

    def group_end(self, toks, i):
        depth = 0
        for j in range(i, len(toks)):
            depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(toks[j], 0)
            if depth == 0:
                return j
        return None

    def mutate(self, sql, names):
        toks = tokens(sql)
        real = [i for i, t in enumerate(toks) if t.strip() and not t.startswith("--")]
        if not real:
            return sql
        i, k = self.r.choice(real), self.r.random()
        t, up = toks[i], toks[i].upper()
        literals = [j for j in real if toks[j][0] in "'.0123456789" and toks[j] != "."]
        words = [j for j in real if re.match(r"[A-Za-z_`]", toks[j])]
        if k < 0.24 and literals:
            j = self.r.choice(literals)
            toks[j] = self.literal(toks[j])
        elif k < 0.37 and (words or literals):
            j = self.r.choice([x for x in words if toks[x].lower() in names] + literals or words)
            w = self.r.choice(EXPR_WRAPS)
            toks[j] = w.replace("%s", toks[j])
        elif k < 0.45 and words and names:
            j = self.r.choice([x for x in words if toks[x].lower() in names] or words)
            toks[j] = self.r.choice(sorted(names))
        elif k < 0.52:
            swaps = [(j, g) for j in real for g in SWAPS if toks[j].upper() in g]
            if swaps:
                j, g = self.r.choice(swaps)
                toks[j] = self.r.choice(g)
            else:
                toks[i] = self.r.choice(self.r.choice(SWAPS))
        elif k < 0.57:
            calls = [j for a, j in enumerate(real[:-1]) if toks[real[a + 1]] == "(" and re.match(r"\w+$", toks[j])]
            if calls:
                toks[self.r.choice(calls)] = self.r.choice(self.s.functions)
            else:
                toks[i] = self.literal(t)
        elif k < 0.62:
            kinds = [j for j in real if toks[j].upper() in ("INT", "STRING", "BIGINT", "DOUBLE", "DECIMAL", "TIMESTAMP", "DATE", "VARCHAR", "CHAR", "BOOLEAN", "TIME", "BYTES", "ARRAY", "ROW", "MAP")]
            if kinds:
                j = self.r.choice(kinds)
                e = self.group_end(toks, j + 1) if j + 1 < len(toks) and toks[j + 1] == "(" else None
                toks[j:(e or j) + 1] = [self.r.choice(TYPES)]
            else:
                toks[i] = self.r.choice(TYPES)
        elif k < 0.70:
            groups = [j for j in real if toks[j] in "(["]
            if groups:
                j = self.r.choice(groups)
                e = self.group_end(toks, j)
                if e is not None:
                    inner = "".join(toks[j + 1:e])
                    what = self.r.random()
                    if what < 0.4:
                        toks[j:e + 1] = [toks[j], self.r.choice(self.s.pieces), toks[e]]
                    elif what < 0.5:
                        toks[j:e + 1] = [toks[j], toks[e]]
                    elif what < 0.7:
                        toks[j:e + 1] = [toks[j], inner, ", ", inner, toks[e]]
                    else:
                        toks[j:e + 1] = [toks[j], inner, ", ", self.r.choice(VALUES), toks[e]]
        elif k < 0.71:
            del toks[i]
        elif k < 0.72:
            j = self.r.choice(real)
            del toks[min(i, j):max(i, j) + 1]
        elif k < 0.73:
            toks.insert(i, t + " ")
        elif k < 0.74:
            j = self.r.choice(real)
            toks[i], toks[j] = toks[j], toks[i]
        elif k < 0.77:
            toks.insert(i, self.r.choice(VALUES + self.s.pieces) + " ")
        elif k < 0.78:
            n = self.r.choice([50, 300, 1100, 6000])
            o, c = self.r.choice([("(", ")"), ("ARRAY[", "]"), ("NOT (", ")"), ("-(", ")"), ("ROW(", ")"), ("CAST(", " AS STRING)"), ("CASE WHEN TRUE THEN ", " END"), ("ABS(", ")"), ("(SELECT ", ")"), ("(SELECT * FROM ", ")")])
            toks[i] = o * n + t + c * n
        elif k < 0.87:
            toks.append(self.r.choice(CLAUSES))
        else:
            return self.r.choice(WRAPS).replace("%s", "".join(toks))
        return "".join(toks)

    def case(self):
        setup, rest = self.r.choice(self.s.files)
        setup, out = list(setup), []
        if setup and self.r.random() < 0.15:
            i = self.r.randrange(len(setup))
            setup[i] = self.mutate(setup[i], set(NAMES(setup[i])))
        names = set()
        for s in setup:
            names.update(NAMES(s))
        for s in self.r.sample(rest, min(len(rest), 10)):
            for _ in range(self.r.choice([1, 1, 1, 2, 2, 3])):
                s = self.mutate(s, names)
                if len(s) > 60000:
                    break
            out.append(s)
        conf = {}
        if self.r.random() < 0.2:
            conf = {"table.exec.mini-batch.enabled": "true", "table.exec.mini-batch.allow-latency": "10 s", "table.exec.mini-batch.size": str(self.r.choice([1, 3, 1000]))}
        return {"statements": setup + out, "mode": self.r.choice(["batch", "streaming"]), "parallelism": self.r.choice([1, 1, 3]), "conf": conf}


def NAMES(ddl):
    """Columns and tables of a CREATE TABLE, by its look."""
    ddl = re.sub(r"'(?:[^']|'')*'", "''", ddl)
    skip = {"CREATE", "TABLE", "WITH", "KEY", "PRIMARY", "NOT", "ENFORCED", "NULL", "AS", "FOR", "WATERMARK", "METADATA", "INT", "STRING", "BIGINT", "DOUBLE", "DECIMAL", "TEMPORARY", "VIEW", "SET", "ARRAY", "MAP", "ROW"}
    return [w.lower() for w in re.findall(r"\b[a-z_]\w*\b", ddl, re.I) if w.upper() not in skip and w.upper() not in [t.split("(")[0].split("<")[0] for t in TYPES]]


def script(statements):
    return "\n;\n".join(statements) + "\n;"


class Server:
    def __init__(self, binary, limit):
        self.binary, self.limit, self.proc, self.asked = binary, limit, None, 0

    def start(self):
        self.folder = tempfile.mkdtemp(prefix="weir-fuzz-")
        self.err = open(os.path.join(self.folder, "stderr"), "w+b")
        env = {"PATH": "/usr/bin:/bin", "HOME": self.folder, "ASAN_OPTIONS": "detect_leaks=1:abort_on_error=0:detect_stack_use_after_return=1:hard_rss_limit_mb=4000:allocator_may_return_null=1:malloc_context_size=12",
               "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1", "WEIR_SEED": "1"}
        work = os.path.join(self.folder, "work")
        os.mkdir(work)
        who = {}
        if os.geteuid() == 0:
            os.chmod(self.folder, 0o755)
            os.chown(work, NOBODY, NOBODY)
            who = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
        self.proc = subprocess.Popen([self.binary, "test", "--serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.err, env=env, cwd=work, **who)
        self.proc.stdout.readline()
        self.asked = 0

    def cpu(self):
        try:
            f = open("/proc/%d/stat" % self.proc.pid).read().rsplit(")", 1)[1].split()
            return (int(f[11]) + int(f[12])) / os.sysconf("SC_CLK_TCK")
        except (OSError, IndexError):
            return 0.0

    def ask(self, case, limit=None):
        """The answer, or {"crash": text}; a time-out is a crash too."""
        limit = limit or self.limit
        if self.proc is None:
            self.start()
        self.asked += 1
        request = {"id": 0, "sql": script(case["statements"]), "mode": case["mode"], "parallelism": case["parallelism"], "conf": case["conf"], "keep_going": True, "limit": 1000}
        buf, began, cpu = b"", time.time(), self.cpu()
        try:
            self.proc.stdin.write((json.dumps(request) + "\n").encode())
            self.proc.stdin.flush()
            fd = self.proc.stdout.fileno()
            while not buf.endswith(b"\n"):
                if not select.select([fd], [], [], 0.5)[0]:
                    used, wall = self.cpu() - cpu, time.time() - began
                    if used > limit or wall > 10 * limit or (wall > 3 * limit and used < 0.2):
                        stacks = ""
                        self.stop()
                        return {"crash": "TIMEOUT after %s of %s" % ("CPU" if used > limit else "waiting", "statement")}
                    continue
                part = os.read(fd, 1 << 20)
                if not part:
                    break
                buf += part
            if buf.endswith(b"\n"):
                return json.loads(buf)
        except (BrokenPipeError, ValueError):
            pass
        text = self.end()
        return {"crash": text or "the process ended without a word"}

    def end(self):
        """Closes the input and waits: what the process said (leaks appear here)."""
        if self.proc is None:
            return ""
        try:
            self.proc.stdin.close()
        except OSError:
            pass
        try:
            self.proc.wait(60)
        except subprocess.TimeoutExpired:
            self.proc.kill()
            self.proc.wait()
        self.err.seek(0)
        text = self.err.read().decode(errors="replace")
        code = self.proc.returncode
        self.stop()
        return text if code or "ERROR:" in text else ""

    def stop(self):
        if self.proc is None:
            return
        self.proc.kill()
        self.proc.wait()
        self.err.close()
        shutil.rmtree(self.folder, ignore_errors=True)
        self.proc = None


def signature(text):
    """What makes two findings the same."""
    m = re.search(r"(\S+:\d+)(?::\d+)?: runtime error: ([^\n]*)", text)
    if m:
        return "ubsan " + os.path.relpath(m.group(1)) if m.group(1).startswith("/") else "ubsan " + m.group(1)
    m = re.search(r"assert[^\n]*", text)
    if m:
        return m.group(0)
    if "rss limit exhausted" in text:
        return "more than 4 GB of memory"
    m = re.search(r"ERROR: (\w+Sanitizer): ([\w-]+(?: [\w-]+)?)", text)
    if m:
        frames = re.findall(r"#\d+ 0x[0-9a-f]+ in (\w+) \S*/src/(\S+?):\d+", text)
        frames = [f for f in frames if not f[1].startswith("mem/")]
        return "%s %s in %s" % (m.group(1), m.group(2), frames[0] if frames else "?")
    return text.strip()[:120] or "died"


def plain(message):
    return re.sub(r"'[^']*'|\"[^\"]*\"|`[^`]*`|-?\d[\d.]*", "#", message)[:100]


def bad_answer(answer):
    """[(signature, index)] of statements whose error must never be seen."""
    out = []
    for i, s in enumerate(answer.get("statements", [])):
        e = s.get("error", "")
        if s.get("sqlstate") in ("XX000", "XX001") or "broke its contract" in e or re.search(r"\binternal\b|unreachable|assert", plain(e)):
            out.append(("error " + plain(e), i))
    return out


class Fuzzer:
    def __init__(self, args):
        self.args, self.lock, self.found = args, threading.Lock(), {}
        self.cases = self.statements = self.ok = 0
        self.texts = collections.Counter()
        self.seeds = Seeds()
        root = os.geteuid() == 0
        self.seeds.files = [(a, [s for s in b if not slow_or_unsafe(s, root)]) for a, b in self.seeds.files if not any(slow_or_unsafe(s, root) for s in a)]
        self.seeds.files = [f for f in self.seeds.files if f[1]]

    def reduce(self, binary, case, sign, test):
        """Fewer statements, then fewer tokens, as long as the same thing happens."""
        until = time.time() + self.args.reduce
        def smaller(c):
            return time.time() < until and test(c) == sign
        st = list(case["statements"])
        for last in range(len(st) - 1, -1, -1):  # most often one statement is it, with the tables
            alone = [s for s in st[:last] if is_setup(s)] + [st[last]]
            if len(alone) < len(st) and smaller(dict(case, statements=alone)):
                st = alone
                break
        size = max(len(st) // 2, 1)
        while size:
            i = 0
            while i < len(st):
                cut = st[:i] + st[i + size:]
                if cut and smaller(dict(case, statements=cut)):
                    st = cut
                else:
                    i += size
            size //= 2
        for n in range(len(st)):
            toks = tokens(st[n])
            size = max(len(toks) // 2, 1)
            while size:
                i = 0
                while i < len(toks):
                    cut = toks[:i] + toks[i + size:]
                    if smaller(dict(case, statements=st[:n] + ["".join(cut)] + st[n + 1:])):
                        toks = cut
                    else:
                        i += size
                size //= 2
            st[n] = "".join(toks)
        for change in ({"parallelism": 1}, {"conf": {}}, {"mode": "streaming"}):
            if smaller(dict(case, statements=st, **change)):
                case = dict(case, **change)
        return dict(case, statements=st)

    def report(self, binary, case, sign, text, test):
        with self.lock:
            n = self.found.setdefault(sign, 0)
            self.found[sign] += 1
        if n:
            return
        small = self.reduce(binary, case, sign, test)
        name = re.sub(r"[^a-zA-Z0-9]+", "-", sign)[:70].strip("-") + "-" + hashlib.sha1(sign.encode()).hexdigest()[:6]
        os.makedirs(self.args.out, exist_ok=True)
        with open(os.path.join(self.args.out, name + ".sql"), "w") as f:
            f.write("-- %s\n-- %s %s parallelism %d %s\n%s\n/*\n%s\n*/\n" % (sign, binary, small["mode"], small["parallelism"], json.dumps(small["conf"]), script(small["statements"]), text[:6000].replace("*/", "* /")))
        print("FOUND %s -> %s.sql" % (sign, name), flush=True)

    def crash_test(self, binary):
        def test(c):
            server = Server(binary, self.args.limit)
            a = server.ask(c)
            text = a.get("crash") or server.end()
            server.stop()
            if text:
                return signature(text)
            return ""
        return test

    def error_test(self, binary):
        def test(c):
            server = Server(binary, self.args.limit)
            a = server.ask(c)
            server.stop()
            return (bad_answer(a) or [("", 0)])[-1][0] if "crash" not in a else ""
        return test

    def compare(self, server, case, answer):
        """Rows of the two modes."""
        from run import final_rows
        other = server.ask(dict(case, mode="batch" if case["mode"] == "streaming" else "streaming", parallelism=1, conf={}))
        if "crash" in other:
            return None, other
        for a, b, sql in zip(answer["statements"], other["statements"], case["statements"]):
            if a["kind"] == b["kind"] == "rows" and not RANDOM.search(" ".join(case["statements"])) and len(a["printed"]) < 1000 and len(b["printed"]) < 1000:
                if final_rows(a["printed"]) != final_rows(b["printed"]):
                    return "modes differ", sql
        return None, None

    def check(self, server, case):
        answer = server.ask(case)
        binary = server.binary
        if "crash" in answer:
            self.report(binary, case, signature(answer["crash"]), answer["crash"], self.crash_test(binary))
            return
        with self.lock:
            self.cases += 1
            self.statements += len(answer["statements"])
            for s in answer["statements"]:
                self.ok += s["kind"] != "error"
                if s["kind"] == "error":
                    self.texts[(s.get("sqlstate"), "line" in s, plain(s["error"]))] += 1
        for sign, i in bad_answer(answer):
            self.report(binary, case, sign, answer["statements"][i]["error"], self.error_test(binary))
        if self.args.compare:
            sign, sql = self.compare(server, case, answer)
            if sign:
                print("MODES DIFFER: %s\n%s\n" % (sql, json.dumps(case)), flush=True)

    def worker(self, me):
        servers = [Server(b, self.args.limit) for b in self.args.binary]
        recent = {s: [] for s in servers}
        n = me
        while time.time() < self.until and (not self.args.count or n < self.args.count):
            m = Mutator(self.seeds, self.args.seed * 1000003 + n)
            case, server = m.case(), servers[n // self.args.jobs % len(servers)]
            n += self.args.jobs
            recent[server].append(case)
            self.check(server, case)
            if server.proc is None:
                recent[server] = []
            elif server.asked >= 100:
                self.leaks(server, recent[server])
                recent[server] = []
        for s in servers:
            self.leaks(s, recent[s])

    def leaks(self, server, cases):
        text = server.end()
        if not text:
            return
        test = self.crash_test(server.binary)
        for c in cases:  # whose was it?
            sign = test(c)
            if sign.startswith("Leak"):
                self.report(server.binary, c, sign, text, test)
                return
        print("a leak that no case makes alone:\n" + text[:3000], flush=True)
        self.found["leak of many"] = 1

    def run(self):
        self.until = time.time() + self.args.seconds
        threads = [threading.Thread(target=self.worker, args=(i,)) for i in range(self.args.jobs)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        if self.args.errors:
            with open(self.args.errors, "w") as f:
                for (state, placed, text), n in self.texts.most_common():
                    f.write("%d\t%s\t%s\t%s\n" % (n, state, "placed" if placed else "no place", text))
        print("%d cases, %d statements, %d of them answered; %d findings" % (self.cases, self.statements, self.ok, len(self.found)))
        for sign, n in sorted(self.found.items()):
            print("  %d x %s" % (n, sign))
        return 1 if self.found else 0


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("binary", nargs="+")
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--seconds", type=float, default=60)
    ap.add_argument("--count", type=int, default=0, help="cases; 0: until the time is over")
    ap.add_argument("--jobs", type=int, default=1)
    ap.add_argument("--limit", type=float, default=5, help="seconds of CPU time a case may take")
    ap.add_argument("--reduce", type=float, default=120, help="seconds to reduce one finding")
    ap.add_argument("--compare", action="store_true", help="also print statements whose rows differ between the modes")
    ap.add_argument("--errors", help="a file for the shapes of all error messages, with counts")
    ap.add_argument("--out", default=os.path.join(ROOT, "build", "fuzz-statements"))
    args = ap.parse_args()
    args.binary = [os.path.abspath(b) for b in args.binary]
    return Fuzzer(args).run()


if __name__ == "__main__":
    sys.exit(main())

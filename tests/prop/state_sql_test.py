#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""State read in SQL, from outside: the savepoint connector, savepoint_metadata, STATE(job, operator). What is expected is worked out
by hand from the rows that the jobs read, or stands in tests/prop/savepoint_test.py (the kept files: 200 keys k with 3 * k and a text).

    tests/prop/state_sql_test.py [BINARY] [WORD]"""
import csv, io, os, re, shutil, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
WEIR = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 and os.path.exists(sys.argv[1]) else
                       os.path.join(os.environ.get("WR_BUILD_RELEASE", os.path.join(ROOT, "build", "release")), "weir"))
WORD = sys.argv[2] if len(sys.argv) > 2 else ""
DATA = os.path.join(ROOT, "tests", "data", "state", "version-1")
CHECKPOINT, CANONICAL, NATIVE = (os.path.join(DATA, n) for n in ("job/chk-1", "canonical", "native"))
TESTS = []


def test(f):
    TESTS.append(f)
    return f


def equal(got, wanted):
    assert got == wanted, f"\nwanted {wanted!r}\ngot    {got!r}"


def has(text, *words):
    for w in words:
        assert w in text, f"{w!r} is not in\n{text}"


def run(sql, home, *args):
    return subprocess.run([WEIR, "run", "-q", "--format", "csv", *args, "-"], input=sql.replace("HOME", home), capture_output=True,
                          text=True, timeout=120, cwd=home)


def tables(text):
    """The results of a run in CSV, one list of dicts a result: each begins with a header, which the callers name by columns."""
    return list(csv.reader(io.StringIO(text)))


def good(sql, home, *args):
    r = run(sql, home, *args)
    assert r.returncode == 0, (sql, r.returncode, r.stdout, r.stderr)
    return tables(r.stdout)


def bad(sql, home, *words, args=()):
    r = run(sql, home, *args)
    assert r.returncode != 0, (sql, r.stdout)
    has(r.stderr, *words)


def table(name, columns, path, op, *options):
    more = "".join(f", {o}" for o in options)
    return f"CREATE TABLE {name} ({columns}) WITH ('connector' = 'savepoint', 'state.path' = '{path}', 'operator.uid' = '{op}'{more});\n"


KEYED = "k BIGINT, number BIGINT, text BYTES, `map` MAP<BIGINT, ROW<number BIGINT, text BYTES>>, PRIMARY KEY (k) NOT ENFORCED"

# ---- the kept files --------------------------------------------------------------------------------------------------


@test
def every_format_is_read(home):
    for path in (CHECKPOINT, CANONICAL, NATIVE):
        for mode in ("batch", "streaming"):
            for p in ("1", "3"):
                got = good(table("t", KEYED, path, "agg:k") + "SELECT k, number, CAST(text AS STRING) AS text, CARDINALITY(`map`) AS n FROM t;",
                           home, "-m", mode, "-p", p)
                equal(got[0][-4:], ["k", "number", "text", "n"])
                rows = sorted((int(r[-4]), int(r[-3]), r[-2], int(r[-1])) for r in got[1:])
                equal(rows, [(k, 3 * k, f"i{k}", 1 if k % 3 == 0 else 0) for k in range(200)])


@test
def columns_are_taken_in_any_order_and_left_out(home):
    got = good(table("t", KEYED, CANONICAL, "agg:k") + "SELECT number FROM t WHERE k = 7;\nSELECT COUNT(*) AS n FROM t;\n", home, "-m", "batch")
    equal(got, [["number"], ["21"], ["n"], ["200"]])
    got = good(table("t", "x BIGINT, y BIGINT, PRIMARY KEY (y) NOT ENFORCED", CANONICAL, "GroupAggregate", "'fields.x.state-name' = 'number'",
                     "'fields.x.value-class' = 'java.lang.Long'", "'fields.x.state-type' = 'value'") + "SELECT x, y FROM t WHERE y = 5;",
               home, "-m", "batch")
    equal(got, [["x", "y"], ["15", "5"]])


@test
def comparisons_are_pushed_into_the_scan(home):
    t = table("t", KEYED, CANONICAL, "agg:k")
    plan = "\n".join(",".join(r) for r in good(t + "EXPLAIN SELECT number FROM t WHERE k = 9;", home, "-m", "batch") if r)
    has(plan, "filter=[=(k, 9")
    for where, keys in (("k = 9", [9]), ("k = 900", []), ("k = 9 AND number > 26", [9]), ("k = 9 AND number > 27", []), ("k <> 9 AND k < 11", [0, 1, 2, 3, 4, 5, 6, 7, 8, 10]),
                        ("number BETWEEN 591 AND 594", [197, 198]), ("9 = k AND CARDINALITY(`map`) = 1", [9])):
        got = good(t + f"SELECT k, number FROM t WHERE {where};", home, "-m", "batch")
        equal((where, sorted(int(r[0]) for r in got[1:])), (where, keys))
    equal(len(good(t + "SELECT k FROM t WHERE number > 3 LIMIT 150;", home, "-m", "batch")), 151)
    input_rows(home)
    got = good(START + "INSERT INTO hole SELECT CHAR_LENGTH(s), n FROM (SELECT k, s, COUNT(*) AS n FROM rows_in GROUP BY k, s);\n" + WAIT +
               "SELECT `rows` AS here FROM STATE(1, 'GroupAggregate') WHERE k = 1 AND s = 'b';\n"
               "SELECT k AS x, s AS y FROM STATE(1, 'GroupAggregate') WHERE s = 'x';\n" + END, home)
    equal(got[got.index(["op", "here"]) + 1:got.index(["op", "x", "y"])], [["+I", "2"]])
    equal(after(got, ["x", "y"]), [["2", "x"]])


@test
def what_is_wrong_is_said(home):
    key = "PRIMARY KEY (k) NOT ENFORCED"
    select = "SELECT * FROM t;"
    bad(table("t", "k BIGINT, numer BIGINT, " + key, CANONICAL, "agg:k") + select, home, "has no state 'numer'", "did you mean: number",
        "'text' (BYTES)", "fields.numer.state-name")
    bad(table("t", "k BIGINT, number INT, " + key, CANONICAL, "agg:k") + select, home, "column 'number' is INT", "holds BIGINT")
    bad(table("t", "k INT, number BIGINT, " + key, CANONICAL, "agg:k") + select, home, "column 'k' is INT", "holds BIGINT")
    bad(table("t", "k BIGINT, number BIGINT", CANONICAL, "agg:k") + select, home, "0 key columns", "has 1 (k BIGINT)")
    bad(table("t", "k BIGINT, " + key, CANONICAL, "agg") + select, home, "no operator 'agg'", "'agg:k' (GroupAggregate)")
    bad(table("t", "k BIGINT, " + key, CANONICAL, "sink") + select, home, "operator 'sink' has no keyed state")
    bad(table("t", "k BIGINT, " + key, CANONICAL, "agg:k", "'operator.uid.hash' = 'x'") + select, home, "not both")
    bad(table("t", "k BIGINT, " + key, NATIVE, "agg:k", "'state.backend.type' = 'rocksdb'") + select, home, "written by hashmap")
    bad(table("t", "k BIGINT, " + key, CANONICAL, "agg:k", "'state.table' = 'map'") + select, home, "no table 'map'", "'keys'")
    bad(table("t", "k BIGINT, number BIGINT, " + key, CANONICAL, "agg:k", "'fields.number.state-type' = 'list'") + select, home,
        "'number' is a value, not a list")
    bad(table("t", "k BIGINT, number BIGINT, " + key, CANONICAL, "agg:k", "'fields.number.value-class' = 'java.lang.String'") + select, home,
        "java.lang.String", "is BIGINT")
    bad(table("t", "k BIGINT, number BIGINT, " + key, CANONICAL, "agg:k", "'fields.number.value-type-factory' = 'a.B'") + select, home,
        "cannot be loaded")
    bad(table("t", "k BIGINT, " + key, "/nowhere", "agg:k") + select, home, "Cannot find checkpoint or savepoint")
    for option in ("state.pat", "fields.numbr.state-name", "fields.number.state-nam"):
        bad(table("t", "k BIGINT, number BIGINT, " + key, CANONICAL, "agg:k", f"'{option}' = 'number'") + select, home,
            "Unsupported options found for 'savepoint'.", option, "fields.number.state-name")


@test
def a_damaged_file_is_named(home):
    copy = os.path.join(home, "copy")
    shutil.copytree(CANONICAL, copy)
    name = next(n for n in os.listdir(copy) if n != "_metadata")
    with open(os.path.join(copy, name), "r+b") as f:
        f.seek(2000)
        byte = f.read(1)
        f.seek(2000)
        f.write(bytes([byte[0] ^ 1]))
    bad(table("t", KEYED, copy, "agg:k") + "SELECT * FROM t;", home, name, "reading the state of operator 'agg:k'")


@test
def metadata_lists_operators(home):
    for path in (CHECKPOINT, CANONICAL):
        got = good(f"LOAD MODULE state;\nSELECT * FROM savepoint_metadata('{path}');", home, "-m", "batch")
        equal(got[0], ["checkpoint-id", "operator-name", "operator-uid", "operator-uid-hash", "operator-parallelism",
                       "operator-max-parallelism", "operator-subtask-state-count", "operator-coordinator-state-size-in-bytes",
                       "operator-total-size-in-bytes"])
        equal([r[:3] + r[4:8] for r in got[1:]], [["1", "GroupAggregate", "agg:k", "2", "128", "2", "0"], ["1", "Sink", "sink", "1", "128", "0", "0"]])
        assert int(got[1][8]) > 1000 and got[2][8] == "0", got
        assert all(re.fullmatch("[0-9a-f]{32}", r[3]) for r in got[1:]), got
    hash = got[1][3]
    rows = good("CREATE TABLE t (k BIGINT, number BIGINT, PRIMARY KEY (k) NOT ENFORCED) WITH ('connector' = 'savepoint', "
                f"'state.path' = '{CANONICAL}', 'operator.uid.hash' = '{hash}');\nSELECT SUM(number) AS s FROM t;", home, "-m", "batch")
    equal(rows, [["s"], [str(3 * 199 * 200 // 2)]])


@test
def metadata_is_a_function_of_the_module_state(home):
    bad(f"SELECT * FROM savepoint_metadata('{CANONICAL}');", home, "No match found for function signature savepoint_metadata(<CHARACTER>)")
    load = "LOAD MODULE state;\n"
    bad(load + f"USE MODULES core;\nSELECT * FROM savepoint_metadata('{CANONICAL}');", home, "No match found for function signature")
    bad(load + "SELECT * FROM savepoint_metadata();", home, "Invalid function call", "savepoint_metadata('path')")
    bad(load + "SELECT * FROM savepoint_metadata(1);", home, "savepoint_metadata(INT NOT NULL)")
    bad(load + "SELECT * FROM savepoint_metadata('/nowhere');", home, "Cannot find checkpoint or savepoint")
    bad(load + load, home, "A module with name 'state' already exists")
    got = good(load + "SHOW MODULES;\nUSE MODULES state;\nSHOW FULL MODULES;\nUNLOAD MODULE core;\nSHOW MODULES;", home)
    equal(got, [["module name"], ["core"], ["state"], ["module name", "used"], ["state", "TRUE"], ["core", "FALSE"], ["module name"], ["state"]])
    equal(good(load + "SHOW FUNCTIONS LIKE 'savepoint%';", home), [["function name"], ["savepoint_metadata"]])


# ---- jobs of a session -----------------------------------------------------------------------------------------------
ROWS = [(1, "b", 10), (2, "x", 5), (1, "a", 30), (3, "", 7), (1, "b", 2), (2, "y", 5)]
START = """SET 'execution.checkpointing.interval' = '50 ms';
SET 'execution.checkpointing.dir' = 'HOME/checkpoints';
CREATE TABLE pause (n INT) WITH ('connector' = 'datagen', 'rows-per-second' = '4', 'number-of-rows' = '8');
CREATE TABLE rows_in (k INT, s STRING, v BIGINT) WITH ('connector' = 'filesystem', 'path' = 'HOME/in', 'format' = 'csv',
    'source.monitor-interval' = '1 s');
CREATE TABLE hole (k INT, n BIGINT) WITH ('connector' = 'blackhole');
SET 'table.dml-sync' = 'false';
"""
WAIT = "SELECT COUNT(*) FROM (SELECT n FROM pause LIMIT 8);\n"
END = "STOP JOB '1';\n"


def input_rows(home):
    os.mkdir(os.path.join(home, "in"))
    with open(os.path.join(home, "in", "rows.csv"), "w") as f:
        f.write("".join(f"{k},{s},{v}\n" for k, s, v in ROWS))


def after(got, header):
    """The rows behind the last header that ends like that."""
    at = max(i for i, r in enumerate(got) if r[-len(header):] == header)
    return [r[-len(header):] for r in got[at + 1:]]


@test
def state_of_a_running_aggregation(home):
    input_rows(home)
    insert = ("INSERT INTO hole SELECT k, n FROM (SELECT k, COUNT(*) AS n, SUM(v) AS s, MIN(s) AS a, MAX(v) AS b, AVG(v) AS c, "
              "COUNT(DISTINCT v) AS d, SUM(v) FILTER (WHERE v < 10) AS f FROM rows_in GROUP BY k) WHERE s + b + c + d + f > 0 OR a <> '';\n")
    ask = ("SELECT k, `COUNT(*)` AS n, `SUM(v)` AS s, `MIN(s)` AS a, `MAX(v)` AS b, `AVG(v)` AS c, `COUNT(DISTINCT v)` AS d, "
           "`SUM(v) FILTER ((v < 10) IS TRUE)` AS f, CARDINALITY(`distinct v`) AS m FROM STATE(1, 'GroupAggregate');\n")
    for backend in ("hashmap", "rocksdb"):
        got = good(START + f"SET 'state.backend.type' = '{backend}';\n" + insert + WAIT + ask + END, home, "-p", "2")
        want = []
        for k in (1, 2, 3):
            v, s = [r[2] for r in ROWS if r[0] == k], [r[1] for r in ROWS if r[0] == k]
            low = [x for x in v if x < 10]
            want.append([k, len(v), sum(v), min(s), max(v), sum(v) // len(v), len(set(v)), sum(low), len(set(v))])
        equal(sorted(after(got, ["k", "n", "s", "a", "b", "c", "d", "f", "m"])), [[str(x) for x in r] for r in want])
        shutil.rmtree(os.path.join(home, "checkpoints"))


@test
def maps_and_lists_below_the_key(home):
    """A rank's rows in the order of their values; what a join remembers of each side."""
    input_rows(home)
    got = good(START + "CREATE TABLE texts (s STRING) WITH ('connector' = 'blackhole');\n"
               "INSERT INTO texts SELECT s FROM rows_in ORDER BY v DESC, s LIMIT 4;\n" + WAIT +
               "SELECT arrivals, CAST(top AS STRING) AS top FROM STATE(1, 'SortLimit');\n" + END, home)
    best = sorted(ROWS, key=lambda r: (-r[2], r[1]))[:4]
    equal(after(got, ["arrivals", "top"]), [[str(len(ROWS)), "[" + ", ".join(f"({s}, {v})" for _, s, v in best) + "]"]])
    shutil.rmtree(os.path.join(home, "checkpoints"))
    got = good(START + "INSERT INTO hole SELECT a.k, b.v FROM rows_in a JOIN (SELECT k, MAX(v) AS v FROM rows_in GROUP BY k) b ON a.k = b.k;\n" +
               WAIT + "SELECT k, t.`left`[2].copies AS l, CAST(`right by join key` AS STRING) LIKE '%(2, 5)%' AS r FROM STATE(1, 'Join') t WHERE k = 2;\n" + END,
               home, "-p", "2")
    equal(after(got, ["k", "l", "r"]), [["2", "2", "TRUE"]])  # (2) came twice; the greatest v of 2 is 5
    shutil.rmtree(os.path.join(home, "checkpoints"))
    got = good(START + "INSERT INTO hole SELECT a.k, b.v FROM rows_in a JOIN rows_in b ON a.k = b.k WHERE a.v > b.v;\n" + WAIT +
               "SELECT k, `left size` AS l, `right size` AS r, CARDINALITY(`left`) AS m, CARDINALITY(`right`) AS n FROM STATE(1, 'Join') t;\n" + END,
               home, "-p", "2")
    want = [[str(k)] + 4 * [str(len({r[2] for r in ROWS if r[0] == k}))] for k in (1, 2, 3)]
    equal(sorted(after(got, ["k", "l", "r", "m", "n"])), want)  # the same row twice is one record


@test
def state_of_a_job_by_name_or_number_and_its_errors(home):
    input_rows(home)
    start = START + "SET 'pipeline.name' = 'the job';\nINSERT INTO hole SELECT k, COUNT(*) FROM rows_in GROUP BY k;\n"
    got = good(start + WAIT + "SELECT k, `rows` FROM STATE('the job', 'GroupAggregate', 'groups') WHERE k = 1;\n"
               "SELECT a.k, b.`COUNT(*)` AS n FROM STATE('1', 'GroupAggregate') a JOIN STATE(1, 'GroupAggregate') b ON a.k = b.k WHERE a.k = 2;\n" + END, home)
    equal(after(got, ["k", "n"]), [["2", "2"]])
    at = got.index(["op", "k", "rows"])
    equal(got[at + 1], ["+I", "1", "3"])
    never = start.replace("'50 ms'", "'1 h'")
    for sql, words in (
        (start + WAIT + "SELECT * FROM STATE('the jib', 'GroupAggregate');", ["there is no job 'the jib'", "did you mean: the job", "(1, the job)"]),
        (start + WAIT + "SELECT * FROM STATE(1, 'GroupAgregate');", ["no operator 'GroupAgregate'", "did you mean: GroupAggregate", "with keyed state there are 'GroupAggregate-", "the last completed checkpoint of job"]),
        (start + WAIT + "SELECT * FROM STATE(1, 'GroupAggregate', 'x');", ["no table 'x'", "it has 'groups'"]),
        (start + WAIT + "SELECT * FROM STATE(1);", ["Invalid function call:\nSTATE(INT NOT NULL)", "STATE('job', 'operator')"]),
        (start + WAIT + "SELECT * FROM pause, LATERAL TABLE(STATE(1, CAST(n AS STRING)));", ["Column 'n' not found in any table"]),
        (start + WAIT + "SELECT * FROM STATE(1, UUID());", ["the arguments of STATE must be constants"]),
        (never + "SELECT * FROM STATE(1, 'GroupAggregate');", ["(RUNNING) has no completed checkpoint yet", "SHOW CHECKPOINTS FOR JOB"]),
        (start.replace("SET 'execution.checkpointing.interval'", "--") + "SELECT * FROM STATE(1, 'GroupAggregate');",
         ["has no completed checkpoint yet", "it takes none"]),
        ("SELECT * FROM STATE(1, 'GroupAggregate');", ["there is no job '1'", "no INSERT of this session"]),
    ):
        bad(sql, home, *words)


@test
def state_is_held_while_it_is_read(home):
    """Checkpoints of 10 ms, of which one is kept: whoever reads one loses it unless it is held."""
    ask = "".join(f"SELECT SUM(`COUNT(*)`) - {len(ROWS)} AS n{i} FROM STATE(1, 'GroupAggregate');\n" for i in range(30))
    input_rows(home)
    got = good(START.replace("'50 ms'", "'10 ms'") + "INSERT INTO hole SELECT k, COUNT(*) FROM rows_in GROUP BY k;\n" + WAIT +
               "SET 'execution.runtime-mode' = 'batch';\n" + ask + "SHOW CHECKPOINTS FOR JOB 1;\n" + END, home)
    for i in range(30):
        equal(got[got.index([f"n{i}"]) + 1], ["0"])
    assert sum("Checkpoint" in r for r in got) > 30, got
    equal(os.listdir(os.path.join(home, "checkpoints")), [])


# ---- a changed query -------------------------------------------------------------------------------------------------
SEEN = "CREATE TABLE seen (k INT, n BIGINT, x BIGINT) WITH ('connector' = 'print');\n"
COUNT_SUM = "INSERT INTO seen SELECT k, COUNT(*), SUM(v) FROM rows_in GROUP BY k"


def sections(got, header):
    return [r[-len(header):] for r in got if len(r) >= len(header)]


def savepoint_of(home, insert):
    got = good(START + SEEN + insert + ";\n" + WAIT + "STOP JOB '1' WITH SAVEPOINT;", home, "-D", "execution.checkpointing.savepoint-dir=" + home)
    return got[-1][-1]


def fates(home, path, statement):
    """[(kind of operator, state, details)] of EXPLAIN UPGRADE"""
    got = good(START + SEEN + f"EXPLAIN UPGRADE '{path}' FOR {statement};", home)
    equal(got[0], ["operator", "state", "details"])
    return [(r[0].split("(")[0], r[1], r[2]) for r in got[1:]]


def start_from(home, path, insert, *args):
    """What a job that starts from the savepoint prints, with one row more in its input; or its error."""
    with open(os.path.join(home, "in", "more.csv"), "w") as f:
        f.write("1,z,100\n")
    r = run(START + SEEN + insert + ";\nRESET 'execution.state-recovery.path';\n" + WAIT + END, home, "-s", path, *args)
    os.remove(os.path.join(home, "in", "more.csv"))
    return r.returncode, [line for line in r.stdout.splitlines() if re.match(r"[-+][IUD]\[", line)], r.stderr


SCAN, AGG, SINK = "TableSourceScan", "GroupAggregate", "Sink"
UNCLAIMED = "needs execution.state-recovery.ignore-unclaimed-state"


@test
def explain_upgrade_says_what_starting_does(home):
    input_rows(home)
    path = savepoint_of(home, COUNT_SUM)
    dropped = (AGG, "dropped", UNCLAIMED)
    all_kept = [(SCAN, "kept", ""), (AGG, "kept", ""), (SINK, "kept", "")]
    before, max_of = (3, 42), 100  # key 1 so far: rows, sum; the row that comes has v = 100
    for query, wanted, printed in (
        (COUNT_SUM, all_kept, ["-U[1, 3, 42]", "+U[1, 4, 142]"]),
        (COUNT_SUM.replace("rows_in", "rows_in WHERE v > 0"), all_kept, ["-U[1, 3, 42]", "+U[1, 4, 142]"]),
        ("STATEMENT SET BEGIN " + COUNT_SUM + "; END", all_kept, None),
        (COUNT_SUM.replace("SUM(v)", "SUM(v) + MAX(v)"), [(SCAN, "kept", ""), (AGG, "migrated", "new MAX(v)"), (SINK, "kept", "")],
         ["-U[1, 3, null]", f"+U[1, {before[0] + 1}, {before[1] + 100 + max_of}]"]),
        (COUNT_SUM.replace("SUM(v)", "COUNT(*)"), [(SCAN, "kept", ""), (AGG, "migrated", "dropped SUM(v); " + UNCLAIMED), (SINK, "kept", "")],
         ["-U[1, 3, 3]", "+U[1, 4, 4]"]),
        ("INSERT INTO seen SELECT CHAR_LENGTH(s), COUNT(*), SUM(v) FROM rows_in GROUP BY s",
         [(SCAN, "kept", ""), (AGG, "new", ""), (SINK, "kept", ""), dropped], ["+I[1, 1, 100]"]),
        ("INSERT INTO seen SELECT k, v, v FROM rows_in", [(SCAN, "kept", ""), (SINK, "kept", ""), dropped], ["+I[1, 100, 100]"]),
    ):
        equal((query, fates(home, path, query)), (query, wanted))
        if printed is None:
            continue
        needs = any(UNCLAIMED in details for _, _, details in wanted)
        if needs:
            code, rows, error = start_from(home, path, query)
            assert code != 0 and not rows, (query, code, rows)
            has(error, "ignore-unclaimed-state")
        code, rows, error = start_from(home, path, query, *(["-n"] if needs else []))
        assert (code, rows) == (0, printed), (query, code, rows, error)


@test
def explain_upgrade_refuses(home):
    input_rows(home)
    bad(START + SEEN + f"EXPLAIN UPGRADE '/nowhere' FOR {COUNT_SUM};", home, "Cannot find checkpoint or savepoint", "stdin:9:17")
    values = "INSERT INTO seen VALUES (1, 2, 3)"
    bad(START + SEEN + f"SET 'execution.runtime-mode' = 'batch';\nEXPLAIN UPGRADE '{CANONICAL}' FOR {values};", home, "a batch job keeps no state")


@test
def keys_that_became_narrower_are_named(home):
    input_rows(home)
    path = savepoint_of(home, COUNT_SUM)
    narrow = START.replace("k INT", "k SMALLINT")
    assert narrow != START
    bad(narrow + SEEN + COUNT_SUM + ";", home, "state 'groups' has keys of other types in the snapshot",
        "Keys may become wider, nothing else (k INT -> SMALLINT).", "EXPLAIN UPGRADE", args=["-s", path, "-n"])


# ---- writing ---------------------------------------------------------------------------------------------------------


def to(home, name):
    return f"'sink.path' = '{home}/{name}'"


@test
def groups_are_dropped_and_the_others_go_on(home):
    input_rows(home)
    path = savepoint_of(home, COUNT_SUM)
    only_keys = "k INT, PRIMARY KEY (k) NOT ENFORCED"
    good(table("before", only_keys, path, "GroupAggregate") + table("later", only_keys, path, "GroupAggregate", to(home, "new")) +
         "INSERT INTO later SELECT k FROM before WHERE k <> 2;\n", home, "-m", "batch")
    shown = "k INT, `rows` BIGINT, `COUNT(*)` BIGINT, `SUM(v)` INT, PRIMARY KEY (k) NOT ENFORCED"
    shown = shown.replace("`SUM(v)` INT", "`SUM(v)` BIGINT")
    got = good(table("t", shown, home + "/new", "GroupAggregate") + "SELECT * FROM t;\n", home, "-m", "batch", "-p", "2")
    equal(sorted(got[1:]), [["1", "3", "3", "42"], ["3", "1", "1", "7"]])
    with open(os.path.join(home, "in", "more.csv"), "w") as f:
        f.write("1,z,100\n2,z,100\n3,z,100\n")
    r = run(START + SEEN + COUNT_SUM + ";\nRESET 'execution.state-recovery.path';\n" + WAIT + END, home, "-s", home + "/new", "-p", "2")
    equal(r.returncode, 0)
    equal(sorted(line for line in r.stdout.splitlines() if re.match(r"(\d> )?[-+][IUD]\[", line) for line in [re.sub(r"^\d> ", "", line)]),
          ["+I[2, 1, 100]", "+U[1, 4, 142]", "+U[3, 2, 107]", "-U[1, 3, 42]", "-U[3, 1, 7]"])


@test
def rows_are_changed_added_and_dropped(home):
    """The last row of every key of an upsert table, which a changelog is made whole with."""
    lines = ['["+I", 1, "a", 10]', '["+I", 2, "b", 20]', '["+U", 1, "c", 30]', '["+I", 3, "d", 5]', '["-D", 3, "d", 5]', '{"sleep": 60000}']
    job = ("SET 'execution.checkpointing.interval' = '50 ms';\nSET 'table.dml-sync' = 'false';\n"
           "CREATE TABLE u (k INT, v STRING, n BIGINT, PRIMARY KEY (k) NOT ENFORCED) WITH ('connector' = 'script', 'bounded' = 'false', "
           "'changelog-mode' = 'upsert', 'path' = 'HOME/lines');\n"
           "CREATE TABLE seen (k INT, v STRING, n BIGINT) WITH ('connector' = 'print');\n"
           "CREATE TABLE pause (n INT) WITH ('connector' = 'datagen', 'rows-per-second' = '4', 'number-of-rows' = '4');\n"
           "INSERT INTO seen SELECT * FROM u;\nRESET 'execution.state-recovery.path';\nSELECT COUNT(*) FROM pause;\n")
    with open(os.path.join(home, "lines"), "w") as f:
        f.write("\n".join(lines) + "\n")
    path = good(job + "STOP JOB '1' WITH SAVEPOINT;", home, "-D", "execution.checkpointing.savepoint-dir=" + home)[-1][-1]
    columns = "k INT, `row` ROW<k INT, v STRING, n BIGINT>, PRIMARY KEY (k) NOT ENFORCED"
    old = table("before", columns, path, "ChangelogNormalize")
    got = good(old + "SELECT k, t.`row`.v AS v, t.`row`.n AS n FROM before t;", home, "-m", "batch")
    equal(sorted(got[1:]), [["1", "c", "30"], ["2", "b", "20"]])
    good(old + table("later", columns.replace(", PRIMARY", ", live BIGINT, PRIMARY"), path, "ChangelogNormalize", to(home, "new")) +
         "INSERT INTO later SELECT k, ROW(k, 'changed', t.`row`.n + 1), CAST(1 AS BIGINT) FROM before t WHERE k = 1\n"
         "UNION ALL SELECT 7, ROW(7, 'added', CAST(70 AS BIGINT)), CAST(1 AS BIGINT);", home, "-m", "batch")
    with open(os.path.join(home, "lines"), "w") as f:
        f.write("\n".join(lines[:-1] + ['{"sleep": 1}', '["+U", 1, "e", 1]', '["+I", 2, "f", 2]', '["-D", 7, "x", 0]']) + "\n")
    r = run(job + "STOP JOB '1';", home, "-s", home + "/new")
    equal((r.returncode, [line for line in r.stdout.splitlines() if re.match(r"[-+][IUD]\[", line)]),
          (0, ["-U[1, changed, 31]", "+U[1, e, 1]", "+I[2, f, 2]", "-D[7, added, 70]"]))


@test
def the_rest_of_a_savepoint_stays_as_it_is(home):
    only_keys = "k BIGINT, PRIMARY KEY (k) NOT ENFORCED"
    good(table("t", only_keys, CHECKPOINT, "agg:k", to(home, "new")) + "INSERT INTO t SELECT k FROM t WHERE k < 0;", home, "-m", "batch")
    r = subprocess.run([WEIR, "savepoint", "inspect", home + "/new", "--verify"], capture_output=True, text=True, timeout=60)
    equal(r.returncode, 0)
    has(r.stdout, "canonical savepoint 1", "table keys: value, 0 entries", "table map: map in keys, 0 entries", "list splits: 2 items",
        "list finished: 1 item,", "operator sink")


@test
def what_cannot_be_written_is_said(home):
    key, insert = "PRIMARY KEY (k) NOT ENFORCED", "INSERT INTO t SELECT * FROM t;"
    new = to(home, "new")
    bad(table("t", "k BIGINT, " + key, CANONICAL, "agg:k") + insert, home, "'sink.path'", "is not changed")
    bad(table("t", "k BIGINT, text BYTES, " + key, CANONICAL, "agg:k", new) + insert, home, "column 'text' shows bytes", "leave the column out")
    bad(table("t", "k BIGINT, `map` MAP<BIGINT, ROW<number BIGINT, text BYTES>>, " + key, CANONICAL, "agg:k", new) + insert, home,
        "column 'map' shows a map or list")
    bad(table("t", "k BIGINT, number BIGINT, " + key, CANONICAL, "agg:k", new) + "INSERT INTO t SELECT k, CAST(NULL AS BIGINT) FROM t;", home,
        "state 'number' cannot be NULL")
    bad("SET 'execution.checkpointing.interval' = '1 s';\n" + table("t", "k BIGINT, " + key, CANONICAL, "agg:k", new) + insert, home,
        "a job that takes checkpoints cannot write a savepoint", "RESET")
    assert not os.path.exists(os.path.join(home, "new"))
    bad(table("t", "k BIGINT, " + key, CANONICAL, "agg:k", f"'sink.path' = '{CANONICAL}'") + insert, home, "is there already")


def main():
    failed = 0
    chosen = [t for t in TESTS if WORD in t.__name__]
    for t in chosen:
        home = tempfile.mkdtemp(prefix="weir-state-sql-")
        try:
            t(home)
        except Exception as e:
            failed += 1
            print(f"FAILED {t.__name__}: {e}\n  again: tests/prop/state_sql_test.py {WEIR} {t.__name__}", file=sys.stderr)
        finally:
            shutil.rmtree(home, ignore_errors=True)
    print(f"{len(chosen) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

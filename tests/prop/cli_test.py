#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The `weir` command from outside: exit codes, formats, scripts, errors, help. Tables in tableau mode are compared with what
Flink 2.3's own class TableauStyle printed (tests/data/cli/flink-tableau.jsonl).

    tests/prop/cli_test.py [BINARY] [WORD]"""
import json, os, re, shutil, signal, subprocess, sys, tempfile, time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
WEIR = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 and os.path.exists(sys.argv[1]) else
                       os.path.join(os.environ.get("WR_BUILD_RELEASE", os.path.join(ROOT, "build", "release")), "weir"))
WORD = sys.argv[2] if len(sys.argv) > 2 else ""
ENDLESS = "CREATE TABLE endless (a INT) WITH ('connector' = 'datagen', 'rows-per-second' = '50');"
HOLE = "CREATE TABLE hole (a INT) WITH ('connector' = 'blackhole');"
SHOUT = "CREATE TABLE shout (a INT) WITH ('connector' = 'print');"
TESTS = []


def test(f):
    TESTS.append(f)
    return f


def weir(*args, stdin="", cwd=None):
    return subprocess.run([WEIR, *args], input=stdin, capture_output=True, text=True, timeout=60, cwd=cwd)


def equal(got, wanted):
    assert got == wanted, f"\nwanted {wanted!r}\ngot    {got!r}"


def has(text, *words):
    for w in words:
        assert w in text, f"{w!r} is not in\n{text}"


def folder(**files):
    home = tempfile.mkdtemp()
    for name, text in files.items():
        with open(os.path.join(home, name.replace("_", ".")), "w") as f:
            f.write(text)
    return home


# ---- exit codes ------------------------------------------------------------------------------------------------------


@test
def exit_codes():
    equal(weir("-c", "SELECT 1").returncode, 0)
    equal(weir("-c", "SELECT nonsense").returncode, 1)
    equal(weir("-c", "SELEC 1").returncode, 1)
    equal(weir("--nonsense").returncode, 2)
    equal(weir("nonsense").returncode, 2)
    equal(weir("--format", "nonsense", "-c", "SELECT 1").returncode, 2)
    equal(weir("-c").returncode, 2)
    equal(weir("--mode", "sideways", "-c", "SELECT 1").returncode, 2)
    equal(weir("--parallelism", "0", "-c", "SELECT 1").returncode, 2)
    equal(weir("--memory", "lots", "-c", "SELECT 1").returncode, 2)
    equal(weir("--set", "nonsense=1", "-c", "SELECT 1").returncode, 2)
    equal(weir("run", "/nowhere/x.sql").returncode, 3)
    equal(weir("-c", "SELECT * FROM '/nowhere/x.csv'").returncode in (1, 3), True)


@test
def sigint_and_sigterm_cancel_a_query_and_stop_a_job():
    for number in (signal.SIGINT, signal.SIGTERM):
        for sql in (f"{ENDLESS} SELECT a FROM endless", f"{ENDLESS} {HOLE} INSERT INTO hole SELECT a FROM endless"):
            p = subprocess.Popen([WEIR, "-c", sql], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            lines = 8 if "hole" not in sql else 3  # wait until it runs
            for _ in range(lines - 1):
                p.stdout.readline()
            time.sleep(0.1)
            p.send_signal(number)
            out, err = p.communicate(timeout=30)
            stopped = "hole" in sql
            equal(p.returncode, 0 if stopped and number == signal.SIGTERM else 130)
            equal(err.startswith("NOTICE: stopping: "), stopped)
            if "hole" not in sql:
                has(out, "Query terminated, received a total of ")


@test
def sigint_while_nothing_comes():
    p = subprocess.Popen([WEIR, "-c", "CREATE TABLE s (a STRING) WITH ('connector' = 'stdin', 'format' = 'raw'); SELECT a FROM s"],
                         stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    for _ in range(4):
        p.stdout.readline()
    time.sleep(0.2)
    p.send_signal(signal.SIGINT)
    p.wait(timeout=30)
    equal(p.returncode, 130)


@test
def sigint_while_a_script_is_read():
    p = subprocess.Popen([WEIR], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(0.5)
    p.send_signal(signal.SIGINT)
    p.wait(timeout=30)
    equal((p.returncode, p.stderr.read()), (130, ""))


# ---- scripts ---------------------------------------------------------------------------------------------------------


@test
def bounded_inserts_end_before_the_next_statement():
    r = weir("--format", "changelog", "-c", f"{SHOUT} INSERT INTO shout VALUES (1), (2); SELECT 3; INSERT INTO shout VALUES (4)")
    equal(r.stdout, "+I[1]\n+I[2]\n+I[3]\n+I[4]\n")


@test
def unbounded_inserts_go_on_beside():
    p = subprocess.Popen([WEIR, "-c", f"{ENDLESS} {HOLE} INSERT INTO hole SELECT a FROM endless; SELECT 77 AS n; SHOW JOBS"],
                         stdout=subprocess.PIPE, text=True)
    seen = ""
    while "1 row in set" not in seen:
        seen += p.stdout.readline()
    has(seen, "Job ID: ", "|          77 |", "RUNNING")
    equal(p.poll(), None)
    p.send_signal(signal.SIGINT)
    p.communicate(timeout=30)
    equal(p.returncode, 130)


@test
def the_first_error_ends_a_script_unless_told():
    sql = "SELECT 1; SELECT nonsense; SELECT 2;"
    equal(weir("--format", "csv", "--mode", "batch", "-c", sql).stdout, "EXPR$0\n1\n")
    r = weir("--format", "csv", "--mode", "batch", "--keep-going", "-c", sql)
    equal((r.stdout, r.returncode), ("EXPR$0\n1\nEXPR$0\n2\n", 1))


@test
def init_takes_only_what_sets_the_stage():
    home = folder(init_sql="SET 'execution.runtime-mode' = 'batch'; CREATE VIEW v AS SELECT 7 AS n;", bad_sql="SELECT 1;")
    r = weir("--init", "init.sql", "--format", "csv", "-c", "SELECT n FROM v", cwd=home)
    equal((r.stdout, r.stderr, r.returncode), ("n\n7\n", "", 0))
    r = weir("--init", "bad.sql", "-c", "SELECT 1", cwd=home)
    equal(r.returncode, 1)
    has(r.stderr, "Unsupported operation in sql init file", "bad.sql:1:1")


@test
def scripts_files_commands_and_standard_input():
    home = folder(a_sql="SELECT 1 AS a;", b_sql="-- nothing\nSELECT 2 AS b\n")
    equal(weir("run", "--format", "json", "a.sql", "b.sql", cwd=home).stdout, '{"op":"+I","row":["1"]}\n{"op":"+I","row":["2"]}\n')
    equal(weir("--format", "json", stdin="SELECT 3;\nSELECT ';' AS s;").stdout, '{"op":"+I","row":["3"]}\n{"op":"+I","row":[";"]}\n')
    equal(weir("run", "-", "--format", "json", stdin="SELECT 4").stdout, '{"op":"+I","row":["4"]}\n')
    with open(os.path.join(home, "bom.sql"), "wb") as f:
        f.write(b"\xef\xbb\xbfSELECT 7;\r\nSELECT 8;\r\n")
    equal(weir("run", "--format", "json", "bom.sql", cwd=home).stdout, '{"op":"+I","row":["7"]}\n{"op":"+I","row":["8"]}\n')
    equal(weir("--format", "json", "a.sql", cwd=home).stdout, '{"op":"+I","row":["1"]}\n')
    equal(weir("--format", "json", "-", stdin="SELECT 4").stdout, '{"op":"+I","row":["4"]}\n')
    equal(weir("--format", "json", "-c", "SELECT 5", "-c", "SELECT 6").stdout, '{"op":"+I","row":["5"]}\n{"op":"+I","row":["6"]}\n')


@test
def words_of_flinks_client():
    equal(weir("--format", "json", "-c", "SELECT 1; QUIT; SELECT 2").stdout, '{"op":"+I","row":["1"]}\n')
    r = weir("--format", "json", "-c", "CLEAR; SELECT 1; EXIT;")
    equal((r.stdout, r.returncode), ('{"op":"+I","row":["1"]}\n', 0))
    has(weir("-c", "HELP").stdout, "Usage: weir")


@test
def options_of_the_command_line():
    r = weir("--set", "execution.runtime-mode=batch", "--set", "parallelism.default=3", "--format", "csv", "-c", "SET 'parallelism.default'")
    has(r.stdout + weir("-p", "3", "-m", "batch", "-c", "SET").stdout, "parallelism.default")
    equal(weir("--mode=batch", "--format=csv", "-cSELECT 1 AS a").stdout, "a\n1\n")
    r = weir("--mode", "sideways", "-c", "SELECT 1")
    assert r.returncode != 0 and "execution.runtime-mode" in r.stderr, r.stderr
    r = weir("--set", "execution.runtim-mode=batch", "-c", "SELECT 1")
    has(r.stderr, "execution.runtime-mode")


@test
def tables_outlive_the_process_in_a_data_folder():
    home = tempfile.mkdtemp()
    equal(weir("--data", home, "-c", "CREATE TABLE kept (a INT) WITH ('connector' = 'datagen')").returncode, 0)
    equal(weir("--data", home, "--mode", "batch", "--format", "csv", "-c", "SHOW TABLES").stdout, "table name\nkept\n")


@test
def no_colour_and_no_progress_off_a_terminal():
    r = weir("-c", f"{HOLE} CREATE TABLE g (a INT) WITH ('connector' = 'datagen', 'number-of-rows' = '60', 'rows-per-second' = '50'); "
                   "INSERT INTO hole SELECT a FROM g; SELECT nonsense")
    assert "\x1b" not in r.stdout + r.stderr and "rows in" not in r.stderr, r.stderr


# ---- formats ---------------------------------------------------------------------------------------------------------

ROWS = """SELECT * FROM (VALUES (1, CAST(2.50 AS DECIMAL(5, 2)), 'x,"y', TRUE, TIMESTAMP '2024-01-01 10:00:00'),
  (2, CAST(NULL AS DECIMAL(5, 2)), '', FALSE, CAST(NULL AS TIMESTAMP(0)))) AS t(a, `b b`, s, t, ts)"""


@test
def format_changelog():
    equal(weir("--format", "changelog", "-c", ROWS).stdout, '+I[1, 2.50, x,"y, true, 2024-01-01T10:00]\n+I[2, null, , false, null]\n')


@test
def format_json():
    equal(weir("--format", "json", "-c", ROWS).stdout, '{"op":"+I","row":["1","2.50","x,\\"y","TRUE","2024-01-01 10:00:00"]}\n'
                                                     '{"op":"+I","row":["2",null,"","FALSE",null]}\n')


@test
def format_jsonl():
    equal(weir("--format", "jsonl", "--mode", "batch", "-c", ROWS).stdout,
          '{"a":1,"b b":2.50,"s":"x,\\"y","t":true,"ts":"2024-01-01 10:00:00"}\n{"a":2,"b b":null,"s":"","t":false,"ts":null}\n')
    equal(weir("--format", "jsonl", "-c", "SELECT 1 AS a").stdout, '{"op":"+I","a":1}\n')
    r = weir("--format", "jsonl", "--mode", "batch", "-c", "SELECT ARRAY[1, CAST(NULL AS INT)] AS a, MAP[7, 'x\"y'] AS m, "
             "CAST(ROW(1, ARRAY[TRUE]) AS ROW<i INT, `b b` ARRAY<BOOLEAN>>) AS r, X'00ff' AS b, CAST(NULL AS ARRAY<INT>) AS n, "
             "CAST('NaN' AS DOUBLE) AS d, ARRAY[DATE '2024-01-02'] AS t")
    equal(json.loads(r.stdout), {"a": [1, None], "m": {"7": 'x"y'}, "r": {"i": 1, "b b": [True]}, "b": "x'00ff'", "n": None, 
                                 "d": "NaN", "t": ["2024-01-02"]})


@test
def json_strings_are_json():
    r = weir("--format", "json", "-c", "SELECT U&'a\\0001\\0009\\000A\\005C\\0022/é😀' AS s")
    equal(json.loads(r.stdout)["row"], ["a\x01\t\n\\\"/é😀"])


@test
def format_csv():
    equal(weir("--format", "csv", "--mode", "batch", "-c", ROWS).stdout,
          'a,b b,s,t,ts\n1,2.50,"x,""y",TRUE,2024-01-01 10:00:00\n2,,"",FALSE,\n')
    equal(weir("--format", "csv", "-c", "SELECT 1 AS a").stdout, "op,a\n+I,1\n")


@test
def format_markdown():
    equal(weir("--format", "markdown", "--mode", "batch", "-c", "SELECT 1 AS a, 'x|y' AS b, CAST(NULL AS INT) AS c").stdout,
          "| a | b | c |\n| ---: | --- | ---: |\n| 1 | x\\|y | NULL |\n")


@test
def format_vertical():
    equal(weir("--format", "vertical", "--mode", "batch", "-c", "SELECT 1 AS a, 'x' AS `long name`").stdout,
          "--- row 1 ---\n        a: 1\nlong name: x\n")
    has(weir("--format", "vertical", "-c", "SELECT 1 AS a").stdout, "--- row 1 +I ---\na: 1\n")


@test
def format_table_settles_a_changelog():
    sql = "SELECT x, COUNT(*) AS n FROM (VALUES (1), (2), (1), (3), (1)) AS t(x) GROUP BY x"
    r = weir("--format", "table", "-c", sql)
    equal(sorted(r.stdout.splitlines()), sorted("+---+---+,| x | n |,+---+---+,| 1 | 3 |,| 2 | 1 |,| 3 | 1 |,+---+---+,3 rows in set".split(",")))


@test
def many_changes_settle():
    sql = ("CREATE TABLE g (i BIGINT) WITH ('connector' = 'datagen', 'fields.i.kind' = 'sequence', 'fields.i.start' = '0', "
           "'fields.i.end' = '39999', 'rows-per-second' = '10000000'); SELECT i / 10000 AS part, COUNT(*) AS n FROM g GROUP BY i / 10000")
    r = weir("--format", "table", "-c", sql)
    rows = sorted(x for x in r.stdout.splitlines() if re.match(r"\|\s+\d", x))
    equal([re.findall(r"\d+", x) for x in rows], [[str(i), "10000"] for i in range(4)])


@test
def empty_sets_and_counts():
    empty = "SELECT x FROM (VALUES (1)) AS t(x) WHERE x > 1"
    equal(weir("--mode", "batch", "-c", empty).stdout, "Empty set\n")
    equal(weir("-c", empty).stdout.splitlines()[-1], "Received a total of 0 rows")
    has(weir("--mode", "batch", "-c", "SELECT 1").stdout, "1 row in set")
    equal(weir("-c", "SHOW VIEWS").stdout, "Empty set\n")


@test
def what_statements_tell_is_not_cut():
    r = weir("-c", "CREATE TABLE t (r ROW<first_name STRING, second_name STRING, third_name STRING>) WITH ('connector' = 'datagen'); DESCRIBE t")
    has(r.stdout, "| ROW<`first_name` STRING, `second_name` STRING, `third_name` STRING> |")


@test
def a_finished_result_is_not_terminated_by_a_later_mistake():
    r = weir("-c", "SELECT 1; SELEC 2")
    equal(r.stdout.splitlines()[-1], "Received a total of 1 row")


@test
def a_reader_that_has_seen_enough_is_no_error():
    r = subprocess.run(["bash", "-c", f"{WEIR} --format csv -c \"CREATE TABLE g (a INT) WITH ('connector' = 'datagen', 'number-of-rows' = "
                        "'5000000', 'fields.a.min' = '7', 'fields.a.max' = '7'); SELECT a FROM g\" | head -2"],
                       capture_output=True, text=True, timeout=60)
    equal((r.stdout, r.stderr), ("op,a\n+I,7\n", ""))


@test
def a_limit_of_memory_is_told():
    g = ("CREATE TABLE g (a BIGINT, s STRING) WITH ('connector' = 'datagen', 'fields.a.kind' = 'sequence', 'fields.a.start' = '1', "
         "'fields.a.end' = '200000', 'number-of-rows' = '200000', 'rows-per-second' = '100000000'); ")
    r = weir("--memory", "10mb", "--mode", "batch", "-c", g + "SELECT COUNT(*) FROM (SELECT a, MAX(s) FROM g GROUP BY a)")
    equal(r.returncode, 1)
    has(r.stderr, "ERROR 53200", "needs more than the limit of 10.0 MB", "--memory")


@test
def dml_sync_overrides_what_is_waited_for():
    g = f"CREATE TABLE g (a INT) WITH ('connector' = 'datagen', 'number-of-rows' = '2', 'rows-per-second' = '4', 'fields.a.min' = '7', 'fields.a.max' = '7'); {SHOUT} "
    run = "INSERT INTO shout SELECT a FROM g; SELECT 1"
    equal(weir("-f", "changelog", "-c", g + run).stdout, "+I[7]\n+I[7]\n+I[1]\n")
    r = weir("-f", "changelog", "-c", "SET 'table.dml-sync' = 'false'; " + g + "INSERT INTO shout SELECT a FROM g; SHOW JOBS")
    has(r.stdout.splitlines()[-1], "+I[7]")
    has(r.stdout, "RUNNING")


@test
def a_missing_file_has_a_neighbour():
    home = folder(orders_csv="a,b\n1,2\n")
    has(weir("-c", "SELECT a FROM 'orders.cvs'", cwd=home).stderr, "File orders.cvs does not exist", "did you mean: orders.csv")
    has(weir("-c", f"SELECT a FROM '{home}/order.csv'").stderr, f"did you mean: {home}/orders.csv")


@test
def a_wrong_hint_is_shown_at_its_key():
    r = weir("-c", "CREATE TABLE t (a INT) WITH ('connector' = 'datagen'); SELECT a FROM t /*+ OPTIONS('number-of-row' = '5') */")
    has(r.stderr, "at 1:84", "did you mean: number-of-rows")


@test
def explain_and_show_create_print_their_text_alone():
    r = weir("-c", "CREATE TABLE t (a INT) WITH ('connector' = 'datagen'); SHOW CREATE TABLE t; EXPLAIN SELECT 1")
    has(r.stdout, "\nCREATE TABLE `default_catalog`.`default_database`.`t` (\n  `a` INT\n", "== Optimized Execution Plan ==")
    assert "| CREATE" not in r.stdout


@test
def tableau_as_flink_prints_it():
    for line in open(os.path.join(ROOT, "tests", "data", "cli", "flink-tableau.jsonl")):
        case = json.loads(line)

        def cell(value, kind):
            return f"CAST(NULL AS {kind})" if value is None else f"CAST('{value}' AS {kind})"
        rows = ", ".join("(" + ", ".join(map(cell, row, case["types"])) + ")" for row in case["rows"])
        names = ", ".join(f"`c{i}` AS `{n}`" for i, n in enumerate(case["names"]))
        inner = ", ".join(f"c{i}" for i in range(len(case["names"])))
        r = weir("--mode", case["mode"], "--set", f"table.display.max-column-width={case['width']}",
                 "-c", f"SELECT {names} FROM (VALUES {rows}) AS t({inner})")
        printed = r.stdout.rstrip("\n").rpartition("\n")[0] + "\n"
        assert printed == case["printed"], f"{case['mode']} {case['names']}\nwanted\n{case['printed']}got\n{printed}{r.stderr}"


# ---- errors ----------------------------------------------------------------------------------------------------------


@test
def an_error_shows_its_place_even_under_wide_text():
    home = folder(x_sql="SELECT 1;\n\nSELECT '日本語', nonsens\nFROM (VALUES (1)) AS t(nonsense);\n")
    r = weir("run", "--quiet", "x.sql", cwd=home)
    lines = r.stderr.splitlines()
    has(lines[0], "ERROR 42703", "nonsens")
    has(lines[1], "x.sql:3:")
    at = lines[2].index("nonsens") + 3  # three wide characters before it take six columns
    equal(lines[3].index("^"), at)
    equal(lines[3].count("^"), len("nonsens"))
    has(r.stderr, "did you mean: nonsense")


@test
def independent_errors_come_together_in_order():
    r = weir("-c", "SELECT aa, b + 1, nosuch(c) FROM (VALUES (1)) AS t(c)")
    places = re.findall(r"at 1:(\d+)", r.stderr)
    assert len(places) >= 2 and places == sorted(places, key=int), r.stderr


@test
def errors_as_json():
    r = weir("--json", "-c", "SELECT x FROM (VALUES (1)) AS t(y)")
    e = json.loads(r.stderr.splitlines()[0])["error"]
    equal((e["code"], e["class"], e["line"], e["column"]), ("42703", "USER", 1, 8))
    has(e["message"], "'x'")
    r = weir("--json", "-c", "CREATE TABLE t (a INT) WITH ('connector' = 'datagn'); SELECT a FROM t")
    e = json.loads(r.stderr.splitlines()[-1])["error"]
    equal((e["candidates"], e["context"]), (["datagen"], ["Unable to create a source for reading table 'default_catalog.default_database.t'."]))


@test
def wrong_use_names_the_nearest():
    has(weir("--fromat", "csv").stderr, "did you mean: --format")
    has(weir("rnu").stderr, "did you mean: run")
    has(weir("x.sql").stderr, "there is no file 'x.sql'")
    has(weir("--format", "tabel", "-c", "SELECT 1").stderr, "unknown format 'tabel'", "did you mean: table", "formats: table changelog")
    has(weir("--format", "xml", "-c", "SELECT 1").stderr, "unknown format 'xml'", "formats: table changelog")


@test
def late_rows_are_told_at_the_end():
    rows = "\n".join(f'["+I", "2024-01-01 00:0{m}:00"]' for m in (0, 5, 1, 6, 2, 7))
    table = ("CREATE TABLE t (ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'script', 'scan.watermark.emit.strategy' = 'on-event', "
             f"'rows' = '{rows}'); CREATE TABLE b (n BIGINT) WITH ('connector' = 'blackhole'); ")
    query = "SELECT COUNT(*) FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) GROUP BY window_start, window_end"
    for sql in (query, "INSERT INTO b " + query, "SET 'table.dml-sync' = 'false'; INSERT INTO b " + query):
        has(weir("-c", table + sql).stderr, "has dropped 2 late rows: the watermark had passed them", "`t$late`")
        equal(weir("--quiet", "-c", table + sql).stderr, "")
    equal(weir("-c", table + "SELECT COUNT(*) FROM t").stderr, "")


@test
def an_error_without_a_place_names_its_statement():
    home = folder(x_sql="SELECT 1;\n\nCREATE TABLE t (a INT) WITH ('connector' = 'filesystem', 'path' = 'nope.csv', 'format' = 'csv');\n\nSELECT a\nFROM t;\n")
    r = weir("run", "--quiet", "x.sql", cwd=home)
    has(r.stderr, "File nope.csv does not exist", "in the statement at x.sql:5", "reading table 't'")


@test
def errors_say_what_to_do():
    table = "CREATE TABLE t (k INT, v INT, ts TIMESTAMP(3)) WITH ('connector' = 'datagen'); CREATE TABLE s (k INT, n BIGINT) WITH ('connector' = 'filesystem', 'path' = 'x', 'format' = 'csv'); "
    for sql, wanted in [
            ("SELECT * FROM t ORDER BY k", "hint: a stream has no last row to wait for: add LIMIT"),
            ("SELECT * FROM (SELECT *, RANK() OVER (ORDER BY k) AS r FROM t) WHERE r < 3", "hint: ROW_NUMBER() is"),
            ("INSERT INTO s SELECT k, COUNT(*) FROM t GROUP BY k", "hint: write to a table that takes changes"),
            ("SELECT * FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE))", "hint: a time attribute is a column with a watermark"),
            ("CREATE MATERIALIZED TABLE m (PRIMARY KEY (k) NOT ENFORCED) AS SELECT k FROM t", "hint: make it NOT NULL where it comes from"),
            ("CREATE DATABASE d; USE d; SELECT * FROM t", "hint: there is a default_database.t"),
            ("SELECT * FROM default_databse.t", "did you mean: default_database"),
            ("SELECT * FROM `t$lat`", "did you mean: t$late"),
            ("SET 'parallelism.default' = '0'", "ERROR 42616 (invalid option): parallelism must be between 1 and 1024, but was 0\n  at 1:"),
            ("SELECT * FROM t /*+ OPTIONS('per-second' = '1') */", "Unsupported options"),
            ("SELECT * FROM s /*+ OPTIONS('monitor-interval' = '1 s') */", "did you mean: source.monitor-interval"),
            ("SELECT /*+ LOOKUP('table' = 'd', 'asyn' = 'true') */ t.k FROM t JOIN s AS d ON t.k = d.k", "did you mean: async")]:
        has(weir("-c", table + sql).stderr, wanted)


@test
def a_job_is_stopped_and_described_by_its_number():
    g = "CREATE TABLE g (a INT) WITH ('connector' = 'datagen', 'rows-per-second' = '10'); CREATE TABLE b (a INT) WITH ('connector' = 'blackhole'); "
    r = weir("-c", g + "INSERT INTO b SELECT a FROM g; DESCRIBE JOB 1; STOP JOB 1; SHOW JOBS")
    equal(r.returncode, 0)
    has(r.stdout, "RUNNING", "CANCEL")


# ---- help ------------------------------------------------------------------------------------------------------------


def table():
    text = open(os.path.join(ROOT, "src", "cli", "commands.def")).read()
    return re.findall(r'^C\(\w+, "([^"]+)"', text, re.M), re.findall(r'^O\(\w+, "([^"]+)", (\'.\'|0)', text, re.M)


@test
def help_man_and_completion_mention_everything():
    commands, options = table()
    assert len(commands) >= 6 and len(options) >= 12
    texts = {"help": weir("--help").stdout, "man": weir("man").stdout.replace("\\-", "-"), "bash": weir("completion", "bash").stdout,
             "zsh": weir("completion", "zsh").stdout}
    for name, text in texts.items():
        for c in commands:
            assert re.search(rf"(?<![\w-]){re.escape(c)}(?![\w-])", text), f"{c} is not in {name}"
        for o, _ in options:
            assert re.search(rf"(?<![\w-]){re.escape(o)}(?![\w-])", text), f"{o} is not in {name}"
    for o, letter in options:
        if letter != "0":
            has(texts["help"], f"-{letter[1]}, {o}")


@test
def help_of_each_command():
    for c in table()[0]:
        r = weir("help", c)
        equal(r.returncode, 0)
        has(r.stdout, f"Usage: weir {c}", "Examples:")
        equal(weir(c, "--help").stdout, r.stdout)
    equal(weir("help", "nonsense").returncode, 2)


@test
def completion_scripts_are_scripts():
    equal(subprocess.run(["bash", "-n"], input=weir("completion", "bash").stdout, text=True).returncode, 0)
    probe = weir("completion", "bash").stdout + "\nCOMP_WORDS=(weir --format ve); COMP_CWORD=2; _weir; echo ${COMPREPLY[@]}\n"
    equal(subprocess.run(["bash"], input=probe, capture_output=True, text=True).stdout, "vertical\n")
    equal(weir("completion", "fish").returncode, 2)


@test
def the_man_page_is_clean_roff():
    if not any(os.access(os.path.join(d, "groff"), os.X_OK) for d in os.environ["PATH"].split(":")):
        return
    r = subprocess.run(["groff", "-man", "-Tascii", "-ww"], input=weir("man").stdout, capture_output=True, text=True)
    equal(r.stderr, "")


@test
def the_version_names_its_libraries():
    has(weir("--version").stdout, "weir 0.", "libraries:", "pcre2", "zlib")


def main():
    passed = failed = 0
    tempfile.tempdir = tempfile.mkdtemp(prefix="weir-cli-")  # of all that the tests make; it stays when one fails
    for t in TESTS:
        if WORD not in t.__name__:
            continue
        try:
            t()
            passed += 1
        except (AssertionError, OSError, ValueError, IndexError, subprocess.TimeoutExpired) as e:
            failed += 1
            print(f"FAILED {t.__name__}: {e}")
    if failed:
        print(f"their folders are in {tempfile.tempdir}")
    else:
        shutil.rmtree(tempfile.tempdir, ignore_errors=True)
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed != 0)


main()

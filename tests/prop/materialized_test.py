#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Materialized tables over input that goes on: what SELECT shows and when, SUSPEND and RESUME, going on after kill -9.

    tests/prop/materialized_test.py [BINARY] [WORD]"""
import os, re, shutil, signal, subprocess, sys, tempfile, time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
WEIR = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 and os.path.exists(sys.argv[1]) else
                       os.path.join(os.environ.get("WR_BUILD_RELEASE", os.path.join(ROOT, "build", "release")), "weir"))
WORD = sys.argv[2] if len(sys.argv) > 2 else ""
TESTS = []

# A statement that lasts a second: rows at a rate.
TICK = "CREATE TABLE tick (n BIGINT) WITH ('connector' = 'datagen', 'rows-per-second' = '20', 'fields.n.kind' = 'sequence', 'fields.n.start' = '1', 'fields.n.end' = '1000000');\n"
SOURCE = "CREATE TABLE src (k INT, v INT) WITH ('connector' = 'filesystem', 'path' = 'HOME/in', 'format' = 'csv', 'source.monitor-interval' = '20 ms');\n"
SUMS = "CREATE MATERIALIZED TABLE sums FRESHNESS = INTERVAL '1' SECOND AS SELECT k, SUM(v) AS v FROM src GROUP BY k;\n"


def wait(seconds):
    return f"SELECT * FROM (SELECT n FROM tick LIMIT {int(seconds * 20)}) WHERE n < 0;\n"


def test(f):
    TESTS.append(f)
    return f


class Home:
    def __init__(self):
        self.dir = tempfile.mkdtemp(prefix="weir-materialized-")
        os.mkdir(os.path.join(self.dir, "in"))

    def add(self, name, *rows):
        tmp = os.path.join(self.dir, "." + name)
        with open(tmp, "w") as f:
            f.write("".join(f"{k},{v}\n" for k, v in rows))
        os.rename(tmp, os.path.join(self.dir, "in", name))

    def command(self, sql, *args):
        with open(os.path.join(self.dir, "job.sql"), "w") as f:
            f.write(sql.replace("HOME", self.dir))
        return [WEIR, "run", "--format", "csv", "--stop-timeout", "2", *args, "job.sql"]

    def start(self, sql, *args):
        return subprocess.Popen(self.command(sql, *args), cwd=self.dir, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def until(self, sql, *args, seconds=60):
        """Runs up to a row `done`, then ends the process; its output."""
        p = self.start(sql + "SELECT 'done';\n", *args)
        out, end = "", time.time() + seconds
        try:
            while "done" not in out and time.time() < end:
                line = p.stdout.readline()
                if not line:
                    break  # not p.poll(): a process that has ended may have left lines to read
                out += line
        finally:
            p.kill()
            p.communicate()
        assert "done" in out, out
        return out


def rows_after(out, word):
    """The rows k,v of the SELECT behind the literal row `word`"""
    rows, on = [], False
    for line in out.splitlines():
        if line == "+I," + word:
            on, rows = True, []
        elif on and re.fullmatch(r"\+I,\d+,\d+", line):
            rows.append(line[3:])
        elif on and line.startswith("+I,"):
            break
    return sorted(rows)


def mark(word):
    return f"SELECT '{word}';\nSELECT * FROM sums;\n"


@test
def what_is_shown_follows_the_input():
    h = Home()
    h.add("a", (1, 10), (2, 20))
    p = h.start(TICK + SOURCE + SUMS + wait(2) + mark("first") + wait(2.5) + mark("second") + "SELECT 'done';\n")
    out = ""
    while "first" not in out:
        line = p.stdout.readline()
        assert line, out
        out += line
    h.add("b", (1, 1), (3, 30))
    while "done" not in out:
        line = p.stdout.readline()
        assert line, out
        out += line
    p.kill()
    p.communicate()
    assert rows_after(out, "first") == ["1,10", "2,20"], out
    assert rows_after(out, "second") == ["1,11", "2,20", "3,30"], out


@test
def suspended_it_stays_and_resumed_it_goes_on():
    h = Home()
    h.add("a", (1, 10))
    more = "CREATE TABLE more (k INT, v INT) WITH ('connector' = 'filesystem', 'path' = 'HOME/in', 'format' = 'csv');\n"
    sql = (TICK + SOURCE + more + "SET 'execution.checkpointing.savepoint-dir' = 'file://HOME/sp';\n" + SUMS + wait(2) + mark("before") +
           "ALTER MATERIALIZED TABLE sums SUSPEND;\nINSERT INTO more VALUES (1, 5), (2, 7);\n" + wait(1.5) + mark("suspended") +
           "ALTER MATERIALIZED TABLE sums RESUME;\n" + wait(2.5) + mark("resumed"))
    out = h.until(sql)
    assert rows_after(out, "before") == ["1,10"], out
    assert rows_after(out, "suspended") == ["1,10"], out
    assert rows_after(out, "resumed") == ["1,15", "2,7"], out
    assert "starts from" in out, out  # the savepoint


@test
def suspending_asks_for_a_savepoint_folder():
    h = Home()
    h.add("a", (1, 10))
    p = h.start(SOURCE + SUMS + "ALTER MATERIALIZED TABLE sums SUSPEND;\n")
    try:
        out = p.communicate(timeout=60)[0]
    finally:
        p.kill()
    assert "Savepoint directory is not configured" in out, out


@test
def a_killed_process_finds_its_content_again():
    h = Home()
    h.add("a", (1, 10), (2, 20))
    sql = TICK + SOURCE + SUMS + wait(2) + mark("now")
    out = h.until(sql, "--state", "state")
    assert rows_after(out, "now") == ["1,10", "2,20"], out
    h.add("b", (2, 2))
    out = h.until(TICK + SOURCE + SUMS + mark("atonce") + wait(2.5) + mark("later"), "--state", "state", "--parallelism", "3")
    assert "goes on from checkpoint" in out, out
    assert rows_after(out, "atonce") == ["1,10", "2,20"], out
    assert rows_after(out, "later") == ["1,10", "2,22"], out


@test
def a_finished_table_is_filled_again_in_the_next_process():
    h = Home()
    h.add("a", (1, 10), (2, 20), (1, 5))
    bounded = SOURCE.replace(", 'source.monitor-interval' = '20 ms'", "")
    for args in [("--state", "state"), ("--state", "state", "--data", "data")]:
        sql = bounded.replace("TABLE src", "TABLE IF NOT EXISTS src")
        for _ in range(3):
            out = h.until(sql + SUMS + mark("all"), *args)
            assert rows_after(out, "all") == ["1,15", "2,20"], out
            assert "not run again" not in out, out


@test
def several_subtasks_write_parts_of_one_table():
    h = Home()
    for i in range(8):
        h.add(f"f{i}", *[(k, i) for k in range(50)])
    out = h.until(TICK + SOURCE + SUMS + wait(2.5) + mark("all"), "--parallelism", "4")
    assert rows_after(out, "all") == sorted(f"{k},28" for k in range(50)), out


FULL = "CREATE MATERIALIZED TABLE sums FRESHNESS = INTERVAL '1' SECOND REFRESH_MODE = FULL AS SELECT k, SUM(v) AS v FROM src GROUP BY k;\n"
BOUNDED = SOURCE.replace(", 'source.monitor-interval' = '20 ms'", "")
MORE = "CREATE TABLE more (k INT, v INT) WITH ('connector' = 'filesystem', 'path' = 'HOME/in', 'format' = 'csv');\n"


@test
def a_full_refresh_comes_by_the_clock():
    h = Home()
    h.add("a", (1, 10), (2, 20))
    # every second, while queries run and between them; rows that are not there any more go
    out = h.until(TICK + BOUNDED + MORE + FULL + wait(2.5) + mark("first") + "INSERT INTO more VALUES (1, 5), (3, 30);\n" + wait(2.5) + mark("second") +
                  "INSERT OVERWRITE more VALUES (7, 1);\n".join(["SET 'execution.runtime-mode' = 'batch';\n", "SET 'execution.runtime-mode' = 'streaming';\n"]) +
                  wait(2.5) + mark("third"))
    assert rows_after(out, "first") == ["1,10", "2,20"], out
    assert rows_after(out, "second") == ["1,15", "2,20", "3,30"], out
    assert rows_after(out, "third") == ["7,1"], out


@test
def suspended_it_is_not_refreshed():
    h = Home()
    h.add("a", (1, 10))
    out = h.until(TICK + BOUNDED + MORE + FULL + wait(2.5) + "ALTER MATERIALIZED TABLE sums SUSPEND;\nINSERT INTO more VALUES (2, 7);\n" + wait(2.5) +
                  mark("suspended") + "ALTER MATERIALIZED TABLE sums RESUME;\n" + wait(2.5) + mark("resumed"))
    assert rows_after(out, "suspended") == ["1,10"], out
    assert rows_after(out, "resumed") == ["1,10", "2,7"], out


@test
def a_full_refresh_keeps_the_process_until_it_is_stopped():
    h = Home()
    h.add("a", (1, 10))
    p = h.start(BOUNDED + FULL)
    try:
        time.sleep(3)
        assert p.poll() is None, p.communicate()[0]
        p.send_signal(signal.SIGTERM)
        p.communicate(timeout=30)
    finally:
        p.kill()


@test
def a_full_table_goes_on_in_the_next_process():
    h = Home()
    h.add("a", (1, 10))
    out = h.until(BOUNDED + FULL + "ALTER MATERIALIZED TABLE sums REFRESH;\n" + mark("now"), "--state", "state")
    assert rows_after(out, "now") == ["1,10"], out
    h.add("b", (2, 2))
    out = h.until(BOUNDED.replace("TABLE src", "TABLE IF NOT EXISTS src") + FULL + mark("atonce"), "--state", "state")
    assert rows_after(out, "atonce") == ["1,10", "2,2"], out


@test
def a_partition_is_made_of_the_time_of_refresh():
    h = Home()
    days = time.strftime("%Y-%m-%d", time.gmtime(time.time()))
    with open(os.path.join(h.dir, "in", "a"), "w") as f:
        f.write(f"{days},1\n1999-01-01,2\n")
    sql = (TICK + "SET 'table.local-time-zone' = 'UTC';\nCREATE TABLE src (d STRING, v INT) WITH ('connector' = 'filesystem', 'path' = 'HOME/in', 'format' = 'csv');\n"
           "CREATE MATERIALIZED TABLE sums PARTITIONED BY (d) WITH ('partition.fields.d.date-formatter' = 'yyyy-MM-dd') FRESHNESS = INTERVAL '1' SECOND "
           "REFRESH_MODE = FULL AS SELECT d, v FROM src;\n")
    out = h.until(sql + wait(2.5) + "SELECT 'now';\nSELECT 1, v FROM sums;\n")
    assert rows_after(out, "now") == ["1,1"], out


@test
def dropping_ends_the_job():
    h = Home()
    h.add("a", (1, 10))
    p = h.start(SOURCE + SUMS + "DROP MATERIALIZED TABLE sums;\nSHOW JOBS;\n")
    try:
        out = p.communicate(timeout=60)[0]  # a job that goes on would keep the process
    finally:
        p.kill()
    assert p.returncode == 0 and "RUNNING" not in out, out


def main():
    passed = failed = 0
    tempfile.tempdir = tempfile.mkdtemp(prefix="weir-materialized-")
    for f in TESTS:
        if WORD not in f.__name__:
            continue
        try:
            f()
            passed += 1
        except Exception as e:  # noqa: BLE001
            failed += 1
            print(f"FAILED {f.__name__}: {e}")
    shutil.rmtree(tempfile.tempdir, ignore_errors=True)
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0)


main()

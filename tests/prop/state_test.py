#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`weir run --state` and what belongs to it, from outside: going on after kill -9, stopping on signals, savepoints, locks, records.

    tests/prop/state_test.py [BINARY] [WORD]"""
import glob, os, re, shutil, signal, subprocess, sys, tempfile, time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
WEIR = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 and os.path.exists(sys.argv[1]) else
                       os.path.join(os.environ.get("WR_BUILD_RELEASE", os.path.join(ROOT, "build", "release")), "weir"))
WORD = sys.argv[2] if len(sys.argv) > 2 else ""
TESTS, RUNNING = [], []
FAST = "SET 'execution.checkpointing.interval' = '50 ms';\n"


def test(f):
    TESTS.append(f)
    return f


def equal(got, wanted):
    assert got == wanted, f"\nwanted {wanted!r}\ngot    {got!r}"


def has(text, *words):
    for w in words:
        assert w in text, f"{w!r} is not in\n{text}"


def spawn(command, **more):
    p = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, **more)
    RUNNING.append(p)
    return p


class Home:
    """A folder with a script; its processes."""

    def __init__(self, sql):
        self.dir = tempfile.mkdtemp(prefix="weir-state-")
        self.write(sql)

    def write(self, sql):
        with open(os.path.join(self.dir, "job.sql"), "w") as f:
            f.write(sql.replace("HOME", self.dir))

    def start(self, *args):
        return spawn([WEIR, "run", "--state", "state", *args, "job.sql"], cwd=self.dir, stderr=subprocess.STDOUT)

    def run(self, *args, seconds=60):
        p = self.start(*args)
        out, _ = p.communicate(timeout=seconds)
        return p.returncode, out

    def rows(self, table):
        got = []
        for path in glob.glob(os.path.join(self.dir, table, "*")):
            if not os.path.basename(path).startswith((".", "_")):
                got += open(path).read().split()
        return sorted(int(x) for x in got)

    def lines(self, table):
        """The rows of the finished files, in the order of files and lines"""
        paths = [p for p in glob.glob(os.path.join(self.dir, table, "*")) if not os.path.basename(p).startswith((".", "_"))]
        return [int(x) for p in sorted(paths, key=os.path.getmtime) for x in open(p).read().split()]

    def event(self, n, second):
        with open(os.path.join(self.dir, "in", f"{n}.csv"), "w") as f:
            f.write(f"{n},2020-01-01 00:00:{second:02}\n")

    def files(self, pattern):
        return sorted(glob.glob(os.path.join(self.dir, pattern), recursive=True))

    def wait_for(self, pattern, seconds=30):
        until = time.time() + seconds
        while not self.files(pattern):
            assert time.time() < until, f"no {pattern} after {seconds} s; there are {self.files('**/*')}"
            time.sleep(0.01)


def numbers(first, last, rate):
    return (f"CREATE TABLE numbers (n BIGINT) WITH ('connector' = 'datagen', 'rows-per-second' = '{rate}', 'fields.n.kind' = 'sequence', "
            f"'fields.n.start' = '{first}', 'fields.n.end' = '{last}', 'number-of-rows' = '{last - first + 1}');\n")


def files(name):
    return f"CREATE TABLE {name} (n BIGINT) WITH ('connector' = 'filesystem', 'path' = 'HOME/{name}', 'format' = 'csv');\n"


ENDLESS = "CREATE TABLE endless (n INT) WITH ('connector' = 'datagen', 'rows-per-second' = '200');\n"
HOLE = "CREATE TABLE hole (n INT) WITH ('connector' = 'blackhole');\n"


# ---- going on --------------------------------------------------------------------------------------------------------


@test
def a_killed_script_goes_on():
    h = Home(FAST + numbers(1, 400, 200) + files("copy") + "INSERT INTO copy SELECT n FROM numbers;")
    kills, told = 0, ""
    while True:
        p = h.start()
        try:
            out, _ = p.communicate(timeout=0.7)
            told += out
            break
        except subprocess.TimeoutExpired:
            p.kill()
            told += p.communicate()[0]
            kills += 1
            assert kills < 40, told
    equal(p.returncode, 0)
    assert kills > 1, "it was too fast to be killed"
    has(told, "goes on from checkpoint ")
    equal(h.rows("copy"), list(range(1, 401)))
    equal([f for f in os.listdir(os.path.join(h.dir, "copy")) if f.startswith((".", "_"))], [])


@test
def what_a_killed_process_left_of_a_record_is_removed():
    h = Home(files("copy") + "INSERT INTO copy VALUES (1);")
    os.makedirs(os.path.join(h.dir, "state", "jobs"))
    with open(os.path.join(h.dir, "state", "jobs", ".0123456789abcdef0123456789abcdef"), "w") as f:
        f.write("weir job 1\nname=half a rec")
    equal((h.run()[0], h.rows("copy")), (0, [1]))
    equal([f for f in os.listdir(os.path.join(h.dir, "state", "jobs")) if f.startswith(".")], [])


@test
def a_job_that_ended_before_its_script_failed_is_not_run_again():
    h = Home("SET 'table.dml-sync' = 'false';\n" + numbers(1, 20, 20) + files("copy") + "INSERT INTO copy VALUES (1), (2);\n"
             "SELECT COUNT(*) FROM numbers;\nSELECT * FROM missing;\n")  # the numbers take a second
    for turn in range(2):
        code, out = h.run()
        has(out, "Object 'missing' not found")
        equal((code != 0, "has finished before and is not run again" in out), (True, turn > 0))
        equal(h.rows("copy"), [1, 2])


@test
def a_job_whose_checkpoints_are_gone_says_that_it_begins_anew():
    h = Home(FAST + ENDLESS + HOLE + "INSERT INTO hole SELECT n FROM endless;")
    told = []
    for gone in (False, True, False):
        if gone:
            for chk in h.files("state/checkpoints/*/chk-*"):
                shutil.rmtree(chk)
        p = h.start()
        h.wait_for("state/checkpoints/*/chk-*/_metadata")
        time.sleep(0.3)
        p.kill()
        told.append(p.communicate()[0])
    equal(["begins anew" in t for t in told], [False, True, False])
    equal(["goes on from checkpoint" in t for t in told], [False, False, True])


@test
def rows_in_flight_come_back_at_another_parallelism():
    last = 800000  # faster than the join takes them, so that some are always on their way
    select = "SELECT a.n FROM numbers a JOIN numbers b ON a.n = b.n"
    ddl = numbers(1, last, 100 * last) + files("copy") + "CREATE TABLE text (s STRING) WITH ('connector' = 'blackhole');\n"
    h = Home(FAST + "SET 'execution.checkpointing.unaligned.enabled' = 'true';\n" + ddl + f"INSERT INTO copy {select};")
    upgrade, turn = "", 0
    while True:
        p = h.start("--parallelism", str((2, 4, 1, 3)[turn % 4]))
        try:
            out, _ = p.communicate(timeout=0.3 + 0.05 * turn)
            break
        except subprocess.TimeoutExpired:
            p.kill()
            p.communicate()
            turn += 1
            assert turn < 60
        newest = sorted((f for f in h.files("state/checkpoints/*/chk-*/_metadata")), key=os.path.getmtime)[-1:]
        shown = subprocess.run([WEIR, "savepoint", "inspect", *newest], stdout=subprocess.PIPE, text=True, check=False).stdout if newest else ""
        if "in flight:" in shown and not upgrade:
            for wanted in (f"INSERT INTO copy {select}", "INSERT INTO text SELECT CAST(n AS STRING) FROM numbers"):
                sql = f"SET 'parallelism.default' = '2';{ddl}EXPLAIN UPGRADE '{newest[0]}' FOR {wanted};".replace("HOME", h.dir)
                upgrade += subprocess.run([WEIR, "run", "-c", sql], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False).stdout
    equal((p.returncode, out if p.returncode else ""), (0, ""))
    assert turn > 1 and upgrade, f"{turn} kills, none with rows in flight"
    assert re.search(r"rows in flight \| +kept", upgrade) and re.search(r"rows in flight \| +dropped", upgrade), upgrade
    equal(h.rows("copy"), list(range(1, last + 1)))


@test
def rows_in_flight_find_a_keyed_sink_of_its_own_parallelism():
    """Before the sink stands an exchange by key, or where both have two subtasks (AUTO) nothing at all."""
    last = 800000  # as above
    for shuffle in ("FORCE", "AUTO"):
        h = Home(FAST + f"SET 'execution.checkpointing.unaligned.enabled' = 'true';\nSET 'table.exec.sink.keyed-shuffle' = '{shuffle}';\n" +
                 numbers(1, last, 100 * last) + "CREATE TABLE copy (n BIGINT, PRIMARY KEY (n) NOT ENFORCED) WITH ('connector' = 'filesystem', "
                 "'path' = 'HOME/copy', 'format' = 'csv', 'sink.parallelism' = '2');\n"
                 "INSERT INTO copy SELECT a.n FROM numbers a JOIN numbers b ON a.n = b.n;")
        turn, before_sink = 0, 0
        while True:
            p = h.start("--parallelism", str((4, 2, 3, 1, 2)[turn % 5]))
            try:
                out, _ = p.communicate(timeout=0.3 + 0.2 * turn)
                break
            except subprocess.TimeoutExpired:
                p.kill()
                p.communicate()
                turn += 1
                assert turn < 60
            newest = sorted((f for f in h.files("state/checkpoints/*/chk-*/_metadata")), key=os.path.getmtime)[-1:]
            shown = subprocess.run([WEIR, "savepoint", "inspect", *newest], stdout=subprocess.PIPE, text=True, check=False).stdout if newest else ""
            before_sink += "in flight:" in shown[shown.rfind("operator Sink-"):]
        equal((p.returncode, out if p.returncode else ""), (0, ""))
        assert turn > 1 and before_sink, f"{turn} kills, {before_sink} with rows before the sink"
        equal(h.rows("copy"), list(range(1, last + 1)))


@test
def a_finished_insert_is_not_run_again():
    h = Home(FAST + numbers(1, 50, 1000) + files("copy") + "INSERT INTO copy SELECT n FROM numbers;")
    for turn in range(3):
        code, out = h.run()
        equal((code, "has finished before and is not run again" in out), (0, turn > 0))
        equal(h.rows("copy"), list(range(1, 51)))


@test
def a_finished_insert_of_batch_mode_neither():
    h = Home("SET 'execution.runtime-mode' = 'batch';\n" + numbers(1, 50, 1000) + files("copy") + "INSERT INTO copy SELECT n FROM numbers;")
    for turn in range(2):
        code, out = h.run()
        equal((code, "is not run again" in out), (0, turn > 0))
        equal(h.rows("copy"), list(range(1, 51)))


@test
def jobs_of_one_name_are_told_apart_and_statements_may_come_between():
    first, second = "INSERT INTO copy SELECT n FROM numbers;\n", "INSERT INTO copy SELECT n + 100 FROM numbers;\n"
    h = Home(FAST + numbers(1, 5, 1000) + files("copy") + files("other") + first + second)
    equal(h.run()[0], 0)
    equal(len(h.files("state/jobs/*")), 2)
    h.write(FAST + numbers(1, 5, 1000) + files("copy") + files("other") + first + "INSERT INTO other SELECT n FROM numbers;" + second)
    equal(h.run()[0], 0)
    equal(h.rows("copy"), [1, 2, 3, 4, 5, 101, 102, 103, 104, 105])
    equal(h.rows("other"), [1, 2, 3, 4, 5])


@test
def a_table_made_by_a_query_is_filled_on():
    sql = FAST + numbers(1, 300, 200) + "CREATE TABLE made WITH ('connector' = 'filesystem', 'path' = 'HOME/made', 'format' = 'csv') AS SELECT n FROM numbers;"
    h = Home(sql.replace("CREATE TABLE numbers", "CREATE TABLE IF NOT EXISTS numbers"))
    p = h.start("--data", "data")
    h.wait_for("state/checkpoints/*/chk-*/_metadata")
    p.kill()
    p.communicate()
    code, out = h.run("--data", "data")
    equal(code, 0)
    has(out, "goes on from checkpoint ")
    equal(h.rows("made"), list(range(1, 301)))


# ---- the folder ------------------------------------------------------------------------------------------------------


@test
def a_second_process_is_told_who_has_the_folder():
    h = Home(FAST + ENDLESS + HOLE + "INSERT INTO hole SELECT n FROM endless;")
    p = h.start()
    h.wait_for("state/jobs/*")
    code, out = h.run()
    equal(code, 1)
    has(out, f"state is in use by process {p.pid}")
    p.kill()
    p.communicate()


@test
def a_damaged_record_is_named():
    h = Home(FAST + numbers(1, 5, 1000) + HOLE + "INSERT INTO hole SELECT CAST(n AS INT) FROM numbers;")
    equal(h.run()[0], 0)
    record = h.files("state/jobs/*")[0]
    text = open(record).read()
    has(text, "weir job 1\n", "status=FINISHED\n")
    with open(record, "w") as f:
        f.write(text.replace("FINISHED", "RUNNING"))
    code, out = h.run()
    equal(code, 1)
    has(out, "the record of a job is damaged", record, "remove that file")


@test
def the_shell_has_no_state_folder():
    r = subprocess.run(["script", "-qec", f"{WEIR} --state x", "/dev/null"], capture_output=True, text=True, timeout=30, stdin=subprocess.DEVNULL)
    has(r.stdout, "--state is for scripts")


# ---- stopping --------------------------------------------------------------------------------------------------------


@test
def sigterm_stops_in_good_order():
    for number in (signal.SIGTERM, signal.SIGINT):
        h = Home(FAST + numbers(1, 1000000, 200) + files("copy") + files("two") + "SET 'table.dml-sync' = 'false';"
                 "INSERT INTO copy SELECT n FROM numbers;INSERT INTO two SELECT n FROM numbers;")
        p = h.start()
        h.wait_for("state/checkpoints/*/chk-*/_metadata")
        time.sleep(0.3)
        p.send_signal(number)
        out, _ = p.communicate(timeout=30)
        equal(p.returncode, 0 if number == signal.SIGTERM else 130)
        has(out, "stopping: ")
        seen = [h.rows(t) for t in ("copy", "two")]
        for rows in seen:
            equal(rows, list(range(1, len(rows) + 1)))
            assert rows, "nothing was committed"
        p = h.start()
        time.sleep(1.5)
        p.send_signal(number)
        out, _ = p.communicate(timeout=30)
        equal(p.returncode, 0 if number == signal.SIGTERM else 130)
        equal(out.count("goes on from checkpoint "), 2)
        for table, before in zip(("copy", "two"), seen):
            rows = h.rows(table)
            equal(rows, list(range(1, len(rows) + 1)))
            assert len(rows) > len(before), "it did not go on"


@test
def sigterm_stops_without_checkpoints_too():
    with tempfile.TemporaryDirectory() as home:
        sql = ENDLESS + f"CREATE TABLE out2 (n INT) WITH ('connector' = 'filesystem', 'path' = '{home}/out', 'format' = 'csv');"
        p = spawn([WEIR, "-c", sql + "INSERT INTO out2 SELECT n FROM endless;"], stderr=subprocess.PIPE)
        time.sleep(1)
        p.send_signal(signal.SIGTERM)
        _, err = p.communicate(timeout=30)
        equal(p.returncode, 0)
        has(err, "stopping: ")
        names = os.listdir(home + "/out")
        assert names and not [n for n in names if n.startswith(".")], names


@test
def a_second_signal_gives_up():
    """2,000 rows of one key meet 200,000: they take seconds to be joined, and no checkpoint gets past them meanwhile."""
    h = Home(FAST + "".join(f"CREATE TABLE {t} (n INT, x INT) WITH ('connector' = 'filesystem', 'path' = 'HOME/{t}', 'format' = 'csv', "
                            "'source.monitor-interval' = '50 ms');\n" for t in ("few", "many")) + HOLE +
             "INSERT INTO hole SELECT few.x + many.x FROM few JOIN many ON few.n = many.n;")
    for t in ("few", "many", "later"):
        os.mkdir(os.path.join(h.dir, t))
    with open(os.path.join(h.dir, "many", "rows.csv"), "w") as f:
        f.write("".join(f"1,{i}\n" for i in range(200000)))
    with open(os.path.join(h.dir, "later", "rows.csv"), "w") as f:
        f.write("".join(f"1,{i}\n" for i in range(2000)))
    p = h.start("--stop-timeout", "600 s")
    size, until = 0, time.time() + 60
    while size < 1000000:  # the 200,000 rows are in a checkpoint, which stands whatever follows
        assert time.time() < until, h.files("state/checkpoints/**")
        time.sleep(0.02)
        size = sum(os.path.getsize(f) for f in h.files("state/checkpoints/*/*/*") if os.path.exists(f))
    h.wait_for("state/checkpoints/*/chk-*/_metadata")
    os.rename(os.path.join(h.dir, "later", "rows.csv"), os.path.join(h.dir, "few", "rows.csv"))
    time.sleep(0.5)
    p.send_signal(signal.SIGTERM)
    line = ""
    while "stopping: " not in line:
        line = p.stdout.readline()
        assert line, "it ended before it said that it stops"
    time.sleep(0.2)
    assert p.poll() is None, "it stopped before the second signal"
    p.send_signal(signal.SIGTERM)
    out, _ = p.communicate(timeout=30)
    equal(p.returncode, 143)
    os.remove(os.path.join(h.dir, "few", "rows.csv"))
    p = h.start()
    time.sleep(0.5)
    p.send_signal(signal.SIGTERM)
    out, _ = p.communicate(timeout=60)
    equal(p.returncode, 0)
    has(out, "goes on from checkpoint ")


# ---- savepoints ------------------------------------------------------------------------------------------------------



def drained(stop, more=""):
    """A job that sorts by event time: nothing comes out before time has run to its end. Three rows are there."""
    h = Home(FAST + "SET 'restart-strategy.type' = 'fixed-delay';\nSET 'restart-strategy.fixed-delay.delay' = '10 ms';\n"
             "SET 'restart-strategy.fixed-delay.attempts' = '100';\n"
             "CREATE TABLE pause (n INT) WITH ('connector' = 'datagen', 'rows-per-second' = '4', 'number-of-rows' = '4');\n"
             "CREATE TABLE events (n INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' DAY) WITH ('connector' = 'filesystem', "
             "'path' = 'HOME/in', 'format' = 'csv', 'source.monitor-interval' = '100 ms');\n" + files("sorted") +
             "SET 'table.dml-sync' = 'false';\nINSERT INTO sorted SELECT n FROM events ORDER BY ts;\n"
             "RESET 'execution.state-recovery.path';\nSELECT COUNT(*) FROM pause;\n" + stop)
    os.mkdir(os.path.join(h.dir, "in"))
    h.event(1, 3)
    h.event(2, 1)
    h.event(3, 2)
    return h


@test
def draining_lets_everything_out():
    h = drained("STOP JOB '1' WITH SAVEPOINT WITH DRAIN;\nSHOW JOBS;\nSHOW CHECKPOINTS FOR JOB 1;\n")
    code, out = h.run()
    equal(code, 0)
    has(out, "savepoint path", "FINISHED", "Savepoint")
    equal(h.lines("sorted"), [2, 3, 1])
    path = re.search(r"\S*/state/savepoints/savepoint-\S+", out).group(0)
    h.event(4, 10)  # what was read is not read again
    command = [WEIR, "run", "--state", "state2", "-s", path, "job.sql"]
    r = subprocess.run(command, cwd=h.dir, capture_output=True, text=True, timeout=60)
    equal(r.returncode, 0)
    equal(h.rows("sorted"), [1, 2, 3, 4])


@test
def a_savepoint_without_drain_keeps_what_waits():
    h = drained("STOP JOB '1' WITH SAVEPOINT;\n")
    code, out = h.run()
    equal((code, h.lines("sorted")), (0, []))
    path = re.search(r"\S*/state/savepoints/savepoint-\S+", out).group(0)
    h.write(open(os.path.join(h.dir, "job.sql")).read().replace("WITH SAVEPOINT;", "WITH SAVEPOINT WITH DRAIN;"))
    r = subprocess.run([WEIR, "run", "--state", "state2", "-s", path, "job.sql"], cwd=h.dir, capture_output=True, text=True, timeout=60)
    equal(r.returncode, 0)
    equal(h.lines("sorted"), [2, 3, 1])


@test
def a_job_that_could_not_be_drained_goes_on():
    again = ("SELECT COUNT(*) FROM pause;\nSHOW JOBS;\nSET 'execution.checkpointing.savepoint-dir' = 'HOME/good';\n"
             "STOP JOB '1' WITH SAVEPOINT WITH DRAIN;\nSHOW JOBS;\n")
    for where, fault, message in (("RESET", None, "Savepoint path is not configured"), ("HOME/file/bad", None, "file"),
                                  ("HOME/bad", "rename:1:/bad/", "Failed to take a savepoint of job")):
        h = drained((f"SET 'execution.checkpointing.savepoint-dir' = '{where}';\n" if where != "RESET" else "") +
                    "STOP JOB '1' WITH SAVEPOINT WITH DRAIN;\n" + again)
        open(os.path.join(h.dir, "file"), "w").close()
        env = dict(os.environ, **({"WEIR_FAULT": fault} if fault else {}))
        options = ["-D", f"execution.checkpointing.dir={h.dir}/checkpoints"]
        r = subprocess.run([WEIR, "run", "-k", *options, "job.sql"], cwd=h.dir, capture_output=True, text=True, timeout=60, env=env)
        has(r.stderr, "ERROR", message)
        has(r.stdout, "RUNNING", "FINISHED", f"{h.dir}/good/savepoint-")
        assert r.stdout.index("RUNNING") < r.stdout.index("FINISHED"), r.stdout
        equal((where, h.lines("sorted")), (where, [2, 3, 1]))


@test
def stop_with_savepoint_and_start_from_it():
    start = FAST + numbers(1, 400, 200) + files("copy") + "SET 'table.dml-sync' = 'false';"
    h = Home(start + "INSERT INTO copy SELECT n FROM numbers;\nSELECT n FROM numbers LIMIT 100;\nCREATE SAVEPOINT FOR JOB 1 IN 'HOME/kept';\n"
             "STOP JOB '1' WITH SAVEPOINT;\nSHOW CHECKPOINTS FOR JOB 1;\nSHOW JOBS;")
    code, out = h.run()
    equal(code, 0)
    has(out, "savepoint path", f"{h.dir}/kept/savepoint-", "Savepoint", "COMPLETED", "FINISHED")
    path = re.search(r"\S*/state/savepoints/savepoint-\S+", out).group(0)
    before = h.rows("copy")
    equal(before, list(range(1, len(before) + 1)))
    assert 0 < len(before) < 400, before
    h.write(start + "INSERT INTO copy SELECT n FROM numbers;")
    command = [WEIR, "run", "--state", "state2", "-s", path, "job.sql"]
    p = spawn(command, cwd=h.dir, stderr=subprocess.STDOUT)
    h.wait_for("state2/checkpoints/*/chk-*/_metadata")
    p.kill()
    out, _ = p.communicate()
    has(out, f"starts from {path}")
    r = subprocess.run(command, cwd=h.dir, capture_output=True, text=True, timeout=60)
    equal(r.returncode, 0)
    has(r.stderr, "goes on from checkpoint ")
    equal(h.rows("copy"), list(range(1, 401)))


@test
def a_savepoint_that_is_not_there():
    h = Home(FAST + numbers(1, 5, 100) + files("copy") + "INSERT INTO copy SELECT n FROM numbers;")
    code, out = h.run("-s", "/nope/x")
    assert code in (1, 3), code
    has(out, "Cannot find checkpoint or savepoint file/directory '/nope/x' on file system 'file'.")


# ---- what is said ----------------------------------------------------------------------------------------------------


@test
def guarantees_are_told():
    h = Home(FAST + numbers(1, 5, 100) + files("copy") + "INSERT INTO copy SELECT n FROM numbers;")
    has(h.run()[1], "NOTICE: output to `copy`: exactly-once")
    h = Home(FAST + numbers(1, 5, 100) + "CREATE TABLE p (n BIGINT) WITH ('connector' = 'print');INSERT INTO p SELECT n FROM numbers;")
    has(h.run()[1], "NOTICE: output to `p`: at-least-once")


@test
def options_that_exclude_each_other():
    h = Home(FAST + "SET 'execution.checkpointing.unaligned.enabled' = 'true';SET 'execution.checkpointing.max-concurrent-checkpoints' = '2';"
             + ENDLESS + HOLE + "INSERT INTO hole SELECT n FROM endless;")
    code, out = h.run()
    equal(code, 1)
    has(out, "maxConcurrentCheckpoints can't be > 1 if UnalignedCheckpoints enabled")


# ---- what goes wrong is told -----------------------------------------------------------------------------------------


@test
def a_job_that_is_run_again_says_why():
    for checkpoints in ("", FAST):
        h = Home(checkpoints + "SET 'restart-strategy.type' = 'fixed-delay';\nSET 'restart-strategy.fixed-delay.delay' = '100 ms';\n" +
                 numbers(1, 50, 1000) + HOLE + "INSERT INTO hole SELECT CAST(10 / (n - 40) AS INT) FROM numbers;")
        p = spawn([WEIR, "run", "job.sql"], cwd=h.dir, stderr=subprocess.STDOUT)
        out, _ = p.communicate(timeout=60)
        equal(p.returncode, 1)
        has(out, "NOTICE: job insert-into_default_catalog.default_database.hole: failed and is run again in 0.1 s: ", " by zero (Calc[",
            "Recovery is suppressed by FixedDelayRestartBackoffTimeStrategy(maxNumberRestartAttempts=1, backoffTimeMS=100)")
        equal(out.count("failed and is run again"), 1)


@test
def a_checkpoint_that_failed_is_told():
    h = Home(FAST + "SET 'execution.checkpointing.tolerable-failed-checkpoints' = '7';\n" + numbers(1, 400, 400) + HOLE +
             "INSERT INTO hole SELECT CAST(n AS INT) FROM numbers;")
    p = spawn([WEIR, "run", "--state", "state", "job.sql"], cwd=h.dir, stderr=subprocess.STDOUT,
              env={**os.environ, "WEIR_FAULT": "rename:2:_metadata"})
    out, _ = p.communicate(timeout=60)
    equal(p.returncode, 0)
    has(out, "hole: a checkpoint failed (1 in a row, 7 are tolerated): ")


@test
def a_checkpoint_folder_that_cannot_be_is_told_at_once():
    """Flink: 'Failed to create checkpoint storage at checkpoint coordinator side', before the job runs"""
    for folder, wanted, code in (("HOME/job.sql/x", "Not a directory", 3), ("s3://bucket/x", "there is no file system for 's3://bucket/x'", 1)):
        h = Home(FAST + f"SET 'execution.checkpointing.dir' = '{folder}';\n" + ENDLESS + HOLE + "INSERT INTO hole SELECT n FROM endless;")
        p = spawn([WEIR, "run", "job.sql"], cwd=h.dir, stderr=subprocess.STDOUT)
        out, _ = p.communicate(timeout=30)
        equal(p.returncode, code)
        has(out, wanted)
        equal([w for w in ("again", "record", "Job ID") if w in out], [])


@test
def a_job_that_never_ran_leaves_no_folder():
    h = Home(FAST + "SET 'execution.checkpointing.dir' = 'HOME/all';\n" + HOLE +
             "CREATE TABLE nowhere (n INT) WITH ('connector' = 'filesystem', 'path' = 'HOME/nowhere', 'format' = 'csv');\n"
             "INSERT INTO hole SELECT n FROM nowhere;")
    p = spawn([WEIR, "run", "job.sql"], cwd=h.dir, stderr=subprocess.STDOUT)
    out, _ = p.communicate(timeout=30)
    assert p.returncode != 0, out
    equal(h.files("all/*"), [])


@test
def the_longest_durations_are_for_ever():
    """More than the 292 years that fit into ns"""
    long = "".join(f"SET 'execution.checkpointing.{k}' = '200000 d';\n" for k in ("interval", "timeout", "min-pause", "aligned-checkpoint-timeout"))
    for sql in (long, FAST + "SET 'execution.checkpointing.unaligned.enabled' = 'true';\n" + long[long.index("SET", 5):]):
        h = Home(sql + numbers(1, 100, 400) + files("copy") + "INSERT INTO copy SELECT n FROM numbers;")
        code, out = h.run()
        equal(code, 0)
        equal(h.rows("copy"), list(range(1, 101)))
        equal([w for w in ("a checkpoint failed", "is run again") if w in out], [])


@test
def limits_of_options_are_told():
    for option, value, wanted in (
            ("restart-strategy.failure-rate.max-failures-per-interval", "2000000000", "at most 1000000 failures are counted"),
            ("pipeline.max-parallelism", "-7", "The maximum parallelism must be greater than 0."),
            ("pipeline.max-parallelism", "99999", "Maximum parallelism must be between 1 and 32768. Found: 99999")):
        h = Home(f"SET 'restart-strategy.type' = 'failure-rate';\nSET '{option}' = '{value}';\n" + ENDLESS + HOLE + "INSERT INTO hole SELECT n FROM endless;")
        p = spawn([WEIR, "run", "job.sql"], cwd=h.dir, stderr=subprocess.STDOUT)
        out, _ = p.communicate(timeout=30)
        equal(p.returncode, 1)
        has(out, wanted)


@test
def a_state_folder_may_be_a_uri_of_this_machine():
    h = Home(FAST + numbers(1, 10, 1000) + files("copy") + "INSERT INTO copy SELECT n FROM numbers;")
    for name in (f"file://{h.dir}/state", "./state", "state/"):
        p = spawn([WEIR, "run", "--state", name, "job.sql"], cwd=h.dir, stderr=subprocess.STDOUT)
        out, _ = p.communicate(timeout=30)
        equal(p.returncode, 0)
    has(out, f"(its record is {h.dir}/state/jobs/")
    equal(h.rows("copy"), list(range(1, 11)))
    p = spawn([WEIR, "run", "--state", "s3://bucket/state", "job.sql"], cwd=h.dir, stderr=subprocess.STDOUT)
    out, _ = p.communicate(timeout=30)
    equal(p.returncode, 2)
    has(out, "must be on a local disk, not 's3://bucket/state'")


@test
def a_stop_does_not_wait_for_the_next_attempt():
    h = Home(FAST + "SET 'restart-strategy.type' = 'fixed-delay';\nSET 'restart-strategy.fixed-delay.delay' = '1 h';\n"
             "SET 'restart-strategy.fixed-delay.attempts' = '9';\n" + ENDLESS + HOLE +
             "INSERT INTO hole SELECT CAST(1 / (n - n) AS INT) FROM endless;")
    p = h.start()
    told = ""
    while "is run again in 3600.0 s" not in told:
        line = p.stdout.readline()
        assert line, told
        told += line
    p.send_signal(signal.SIGTERM)
    out, _ = p.communicate(timeout=20)
    equal(p.returncode, 143)
    has(out, "failed when it was to stop and is given up")


@test
def a_savepoint_that_cannot_be_is_told_before_the_drain():
    """Also to a job without checkpoints, which could not go back"""
    h = Home(ENDLESS + HOLE + "INSERT INTO hole SELECT n FROM endless;\n"
             "SET 'execution.checkpointing.savepoint-dir' = 'HOME/job.sql/x';\nSTOP JOB '1' WITH SAVEPOINT WITH DRAIN;\n"
             "STOP JOB '1' WITH SAVEPOINT;\nSET 'execution.checkpointing.savepoint-dir' = 's3://x';\n"
             "STOP JOB '1' WITH SAVEPOINT WITH DRAIN;\nSHOW JOBS;\n"
             "SET 'execution.checkpointing.savepoint-dir' = 'HOME/good';\nSTOP JOB '1' WITH SAVEPOINT WITH DRAIN;\nSTOP JOB '1' WITH SAVEPOINT;")
    p = spawn([WEIR, "run", "-k", "job.sql"], cwd=h.dir, stderr=subprocess.STDOUT)
    out, _ = p.communicate(timeout=60)
    equal(out.count("job.sql': Not a directory"), 2)
    has(out, "there is no file system for 's3://x'", "RUNNING", "the job is not running: it is FINISHED")
    equal(len(h.files("good/savepoint-*")), 1)


@test
def a_job_that_is_well_again_stops_in_good_order():
    h = Home(FAST + "SET 'restart-strategy.type' = 'fixed-delay';\nSET 'restart-strategy.fixed-delay.delay' = '1 h';\n"
             "CREATE TABLE lines (n INT) WITH ('connector' = 'filesystem', 'path' = 'HOME/in', 'format' = 'csv', "
             "'source.monitor-interval' = '100 ms');\n" + HOLE + "INSERT INTO hole SELECT n FROM lines;")
    os.mkdir(os.path.join(h.dir, "in"))
    with open(os.path.join(h.dir, "in", "a.csv"), "w") as f:
        f.write("x\n")
    p = h.start()
    told = ""
    while "is run again in 3600.0 s" not in told:
        line = p.stdout.readline()
        assert line, told
        told += line
    with open(os.path.join(h.dir, "in", "a.csv"), "w") as f:
        f.write("1\n")
    p.send_signal(signal.SIGTERM)
    out, _ = p.communicate(timeout=20)
    equal(p.returncode, 0)


@test
def a_process_that_cannot_end_is_killed():
    """Its output goes to a pipe that nobody reads."""
    sql = "CREATE TABLE p (n INT) WITH ('connector' = 'print');\n" + ENDLESS.replace("'200'", "'1000000'") + "INSERT INTO p SELECT n FROM endless;"
    for signals, at_most in (([signal.SIGTERM, signal.SIGTERM], 20), ([signal.SIGTERM] * 3, 5), ([signal.SIGTERM], 20)):
        h = Home(sql)
        r, w = os.pipe()
        p = subprocess.Popen([WEIR, "run", "-q", "--stop-timeout", "1 s", "job.sql"], cwd=h.dir, stdout=w, stderr=subprocess.PIPE, text=True)
        RUNNING.append(p)
        time.sleep(1.5)
        begin = time.time()
        for number in signals:
            p.send_signal(number)
            time.sleep(0.2)
        _, err = p.communicate(timeout=60)
        equal((p.returncode, time.time() - begin < at_most), (143, True))
        if len(signals) < 3:
            has(err, "it did not end when it was asked to: killed")
        os.close(r)
        os.close(w)


@test
def what_a_filesystem_sink_cannot_do_is_said_before_it_runs():
    """Flink 2.3 refuses the same; its sentences where it has any"""
    for option, value, wanted in (
            ("sink.partition-commit.policy.kind", "nope", "Unsupported policy: nope"),
            ("sink.partition-commit.policy.kind", "", "Unsupported policy: "),
            ("sink.partition-commit.policy.kind", "success-file, success-file", "Unsupported policy:  success-file"),
            ("sink.partition-commit.policy.kind", "metastore", "Can not configure a 'metastore' partition commit policy for a file system table."),
            ("partition.time-extractor.kind", "foo", "Unsupported extractor kind: foo"),
            ("sink.partition-commit.success-file.name", "", "Can not create a Path from an empty string"),
            ("sink.partition-commit.success-file.name", "../evil", "must name a file below the partition"),
            ("sink.partition-commit.watermark-time-zone", "Mars", "Invalid time zone for 'sink.partition-commit.watermark-time-zone'. The value should be"),
            ("sink.rolling-policy.file-size", "0 b", "must be greater than 0"),
            ("sink.rolling-policy.rollover-interval", "0 s", "must be greater than 0"),
            ("sink.rolling-policy.inactivity-interval", "0 s", "must be greater than 0")):
        h = Home(FAST + numbers(1, 3, 1000) + "CREATE TABLE parts (n BIGINT, p STRING) PARTITIONED BY (p) WITH ('connector' = 'filesystem', "
                 f"'path' = 'HOME/parts', 'format' = 'csv', '{option}' = '{value}');\nINSERT INTO parts SELECT n, 'x' FROM numbers;")
        code, out = h.run()
        equal((option, value, code), (option, value, 1))
        has(out, wanted)
        equal((option, value, h.files("parts/*")), (option, value, []))


@test
def a_success_file_may_lie_in_a_folder():
    h = Home(FAST + numbers(1, 3, 1000) + "CREATE TABLE parts (n BIGINT, p STRING) PARTITIONED BY (p) WITH ('connector' = 'filesystem', 'path' = "
             "'HOME/parts', 'format' = 'csv', 'sink.partition-commit.policy.kind' = 'SUCCESS-FILE', "
             "'sink.partition-commit.success-file.name' = 'a/b');\nINSERT INTO parts SELECT n, 'x' FROM numbers;")
    code, out = h.run()
    assert code == 0, out
    equal([os.path.relpath(f, h.dir) for f in h.files("parts/p=x/a/*")], ["parts/p=x/a/b"])


@test
def a_path_that_was_changed_meanwhile_is_told():
    """The files of the checkpoint are read all the same, as in Flink; new ones are not."""
    h = Home(FAST + "CREATE TABLE src (n INT) WITH ('connector' = 'filesystem', 'path' = 'HOME/a', 'format' = 'csv');\n" + files("copy") +
             "INSERT INTO copy SELECT n FROM src;")
    for folder, first in (("a", 1), ("b", 10000001)):
        os.mkdir(os.path.join(h.dir, folder))
        with open(os.path.join(h.dir, folder, "rows.csv"), "w") as f:
            f.write("".join(f"{i}\n" for i in range(first, first + 4000000)))
    p = h.start()
    h.wait_for("state/checkpoints/*/chk-*/_metadata")
    p.kill()
    p.communicate()
    with open(os.path.join(h.dir, "job.sql")) as f:
        sql = f.read()
    h.write(sql.replace(h.dir + "/a'", h.dir + "/b'"))
    code, out = h.run()
    equal(code, 0)
    has(out, f"input from `src` goes on with what the checkpoint names, {h.dir}/a/rows.csv, which is not below '{h.dir}/b'; nothing of "
        "the latter is read by this job")
    equal(h.rows("copy"), list(range(1, 4000001)))


@test
def a_restore_is_measured():
    more = "SELECT * FROM numbers LIMIT 60;\nSHOW METRICS FOR JOB 1;\nSHOW CHECKPOINTS FOR JOB 1;\nSTOP JOB '1';\n"
    h = Home(FAST + numbers(1, 100000, 50) + HOLE + "SET 'table.dml-sync' = 'false';\nINSERT INTO hole SELECT CAST(n AS INT) FROM numbers;\n" + more)
    _, out = h.run("--format", "csv")
    assert "RestoredStateSizeBytes" not in out and "lastCheckpointFullSize" in out, out
    bytes = int(re.search(r"lastCheckpointFullSize,(\d+)", out).group(1))
    assert 0 < bytes < 1000, out  # the position of the source
    before = time.time() * 1000
    _, out = h.run("--format", "csv")
    got = {k: int(v) for k, v in re.findall(r"^(lastCheckpointRestoreTimestamp|restoredCheckpointId|RestoredStateSizeBytes|InitializeStateDurationMs),(\d+)",
                                            out, re.M)}
    equal(len(got), 4)
    assert before <= got["lastCheckpointRestoreTimestamp"] <= time.time() * 1000, got
    assert got["restoredCheckpointId"] > 0 and 0 < got["RestoredStateSizeBytes"] < 1000 and got["InitializeStateDurationMs"] < 60000, got


@test
def watermarks_of_splits_are_shown():
    wait = "CREATE TABLE pause (k INT) WITH ('connector' = 'script', 'rows' = '[\"+I\", 1]\n{\"sleep\": 700}');\nSELECT * FROM pause;\n"
    rows = ('["+I", 1, "2020-01-01 00:00:10"]\n{"split": 1}\n["+I", 2, "2020-01-01 00:00:01"]\n["+I", 3, "2020-01-01 00:00:00"]\n'
            '{"split": 2}\n["+I", 4, "2020-01-01 00:00:20"]\n{"end": 2}\n{"sleep": 60000}')
    h = Home("CREATE TABLE src (k INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'script', 'bounded' = 'false', 'splits' = '4', "
             f"'scan.watermark.emit.strategy' = 'on-event', 'scan.watermark.idle-timeout' = '60 s', 'rows' = '{rows}');\n"
             "CREATE TABLE sums (t TIMESTAMP(3), n BIGINT) WITH ('connector' = 'blackhole');\nSET 'table.dml-sync' = 'false';\n"
             "INSERT INTO sums SELECT window_end, COUNT(*) FROM TABLE(TUMBLE(TABLE src, DESCRIPTOR(ts), INTERVAL '1' SECOND)) "
             "GROUP BY window_start, window_end;\n" + wait + "SHOW WATERMARKS FOR JOB 1;\nSHOW METRICS FOR JOB 1;\nSTOP JOB '1';\nSHOW WATERMARKS;\n")
    _, out = h.run("--format", "csv")
    got = re.findall(r"default_catalog.default_database.src,(\d+),(\d+),([^,]*),(\w+),(\w+),(\w+),(\w+)$", out, re.M)
    equal([(g[0], g[1], g[2][11:19]) + g[3:] for g in got],  # the last split has had no row: the job waits for it
          [("0", "0", "00:00:10", "FALSE", "FALSE", "FALSE", "FALSE"), ("0", "1", "00:00:01", "FALSE", "FALSE", "FALSE", "FALSE"),
           ("0", "2", "00:00:20", "FALSE", "FALSE", "TRUE", "FALSE"), ("0", "3", "", "FALSE", "FALSE", "FALSE", "TRUE")])
    has(out, "numLateRecordsDropped,0")


@test
def the_newest_checkpoint_of_a_folder_is_named():
    h = Home(FAST + numbers(1, 100000, 100) + HOLE + "INSERT INTO hole SELECT CAST(n AS INT) FROM numbers;\n")
    p = h.start()
    h.wait_for("state/checkpoints/*/chk-*/_metadata")
    p.send_signal(signal.SIGTERM)
    p.communicate(timeout=30)
    newest = max(h.files("state/checkpoints/*/chk-*"), key=lambda f: int(f.rsplit("-", 1)[1]))
    code, out = h.run("-s", os.path.dirname(newest))
    equal(code, 3)
    has(out, "Cannot find meta data file '_metadata' in directory", "its newest checkpoint is " + newest)


@test
def a_pause_keeps_checkpoints_apart_that_may_go_on_together():
    """Flink's interval is no shorter than its pause: the first checkpoint is not earlier either."""
    at_once = FAST + "SET 'execution.checkpointing.max-concurrent-checkpoints' = '3';\n"
    for pause, wanted in (("10 min", "0"), ("0 s", None)):
        h = Home(at_once + f"SET 'execution.checkpointing.min-pause' = '{pause}';\n" + numbers(1, 100000, 50) + HOLE +
                 "SET 'table.dml-sync' = 'false';\nINSERT INTO hole SELECT CAST(n AS INT) FROM numbers;\nSELECT * FROM numbers LIMIT 50;\nSHOW METRICS FOR JOB 1;\nSTOP JOB '1';\n")
        _, out = h.run("--format", "csv")
        n = re.search(r"totalNumberOfCheckpoints,(\d+)", out).group(1)
        assert n == wanted or not wanted and int(n) > 1, (pause, n)


def main():
    passed = failed = 0
    tempfile.tempdir = tempfile.mkdtemp(prefix="weir-state-")  # of all that the tests make; it stays when one fails
    for f in TESTS:
        if WORD not in f.__name__:
            continue
        try:
            f()
            passed += 1
        except Exception as e:  # noqa: BLE001
            failed += 1
            print(f"FAILED {f.__name__}: {e}")
        while RUNNING:
            p = RUNNING.pop()
            if p.poll() is None:
                p.kill()
                p.communicate()
    if failed:
        print(f"their folders are in {tempfile.tempdir}")
    else:
        shutil.rmtree(tempfile.tempdir, ignore_errors=True)
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0)


main()

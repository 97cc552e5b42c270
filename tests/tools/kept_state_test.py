#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Jobs go on from checkpoints that earlier versions of weir have written, and lose nothing.

    tests/tools/kept_state_test.py [--binary FILE] [--make VERSION]

tests/data/state/jobs-<version>/<case>/ has a checkpoint or savepoint of the job below, taken in the middle of its input: by
each backend, canonical and native, and with rows in flight. Each is restored, at parallelism 1 and 3 and by both backends
where its format allows that; the content in the end must be what arithmetic says of the whole input. `--make` writes the
folder of a version; once released it stays as it is."""
import argparse, collections, glob, os, re, shutil, signal, subprocess, sys, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, "tests"))
sys.path.insert(0, os.path.join(ROOT, "tests", "crash"))
import output  # noqa: E402

KEYS = 7
ROWS = 40  # in each half
CASES = {  # name: (backend that wrote it, backends that read it)
    "checkpoint-hashmap": ("hashmap", ["hashmap", "rocksdb"]),
    "checkpoint-rocksdb": ("rocksdb", ["hashmap", "rocksdb"]),
    "canonical-hashmap": ("hashmap", ["hashmap", "rocksdb"]),
    "canonical-rocksdb": ("rocksdb", ["hashmap", "rocksdb"]),
    "unaligned": ("hashmap", ["hashmap", "rocksdb"]),
}

JOB = """
CREATE TABLE t (k INT, v BIGINT, s STRING) WITH ('connector' = 'script', 'path' = '%(dir)s/t.jsonl');
CREATE TABLE names (k INT, name STRING, PRIMARY KEY (k) NOT ENFORCED) WITH ('connector' = 'script', 'path' = '%(dir)s/names.jsonl', 'changelog-mode' = 'upsert');
CREATE TABLE sums (k INT, n BIGINT, total BIGINT, kinds BIGINT, low BIGINT, PRIMARY KEY (k) NOT ENFORCED)
  WITH ('connector' = 'record', 'path' = '%(dir)s/sums');
CREATE TABLE joined (v BIGINT, s STRING, name STRING) WITH ('connector' = 'record', 'path' = '%(dir)s/joined');
CREATE TABLE best (k INT, v BIGINT, s STRING) WITH ('connector' = 'record', 'path' = '%(dir)s/best');
SET 'pipeline.name' = 'kept';
EXECUTE STATEMENT SET BEGIN
  INSERT INTO sums SELECT k, COUNT(*), SUM(v), COUNT(DISTINCT s), MIN(v) FROM t GROUP BY k;
  INSERT INTO joined SELECT t.v, t.s, names.name FROM t JOIN names ON t.k = names.k;
  INSERT INTO best SELECT k, v, s FROM t ORDER BY v DESC LIMIT 5;
END;
"""

FLOWING = """
CREATE TABLE d (i BIGINT) WITH ('connector' = 'datagen', 'number-of-rows' = '%(rows)d',
  'fields.i.kind' = 'sequence', 'fields.i.start' = '1', 'fields.i.end' = '%(rows)d', 'rows-per-second' = '60000');
CREATE TABLE counts (k BIGINT, n BIGINT, total BIGINT, PRIMARY KEY (k) NOT ENFORCED)
  WITH ('connector' = 'record', 'path' = '%(dir)s/counts', 'log.memory-size' = '64 mb');
SET 'pipeline.name' = 'kept';
INSERT INTO counts SELECT MOD(i, 11), COUNT(*), SUM(i) FROM d GROUP BY MOD(i, 11);
"""
FLOWING_ROWS = 60000


# ---- the input and what it comes to ----------------------------------------------------------------------------------

def rows(half):
    """(kind, k, v, s): inserts, and deletes of some of what was inserted in the same half or before."""
    out = []
    for i in range(ROWS):
        n = half * ROWS + i
        out.append(("+I", n % KEYS, (n * 37) % 101, "s%d" % (n % 5)))
        if n % 4 == 3:
            m = n - (2 if half == 0 or i % 8 == 3 else ROWS)
            out.append(("-D", m % KEYS, (m * 37) % 101, "s%d" % (m % 5)))
    return out


def name_changes(half):
    return [("+U", k, "name %d of %d" % (half, k)) for k in range(KEYS) if half == 0 or k % 2]


def write_input(folder, sleep_ms):
    with open(os.path.join(folder, "t.jsonl"), "w") as f:
        for half in (0, 1):
            for r in rows(half):
                f.write('["%s", %d, %d, "%s"]\n' % r)
            if half == 0:
                f.write('{"sleep": %d}\n' % sleep_ms)
    with open(os.path.join(folder, "names.jsonl"), "w") as f:
        for half in (0, 1):
            for r in name_changes(half):
                f.write('["%s", %d, "%s"]\n' % r)
            if half == 0:
                f.write('{"sleep": %d}\n' % sleep_ms)


def wanted():
    bag, names = collections.Counter(), {}
    for half in (0, 1):
        for kind, k, v, s in rows(half):
            bag[k, v, s] += 1 if kind == "+I" else -1
        for _, k, name in name_changes(half):
            names[k] = name
    assert min(bag.values()) >= 0
    all_rows = sorted(bag.elements())
    sums = []
    for k in sorted({r[0] for r in all_rows}):
        mine = [r for r in all_rows if r[0] == k]
        sums.append("[%d, %d, %d, %d, %d]" % (k, len(mine), sum(r[1] for r in mine), len({r[2] for r in mine}), min(r[1] for r in mine)))
    joined = sorted("[%d, %s, %s]" % (v, s, names[k]) for k, v, s in all_rows)
    values = sorted((v for _, v, _ in all_rows), reverse=True)[:5]
    return {"sums": sorted(sums), "joined": joined, "best": sorted("%d" % v for v in values)}


def wanted_flowing():
    out = []
    for k in range(11):
        mine = [i for i in range(1, FLOWING_ROWS + 1) if i % 11 == k]
        out.append("[%d, %d, %d]" % (k, len(mine), sum(mine)))
    return {"counts": sorted(out)}


# ---- running ---------------------------------------------------------------------------------------------------------

class Sink:
    def __init__(self, name, key):
        self.folder, self.kind, self.key, self.upsert = name, "record", key, False


SINKS = {"sums": Sink("sums", [0]), "joined": Sink("joined", None), "best": Sink("best", None), "counts": Sink("counts", [0])}


def job_of(case, folder):
    text = FLOWING if case == "unaligned" else JOB
    return text % {"dir": folder, "rows": FLOWING_ROWS}


def content(case, folder):
    """What the lines of the job that was killed and of the one that goes on come to together."""
    out = {}
    for name in (["counts"] if case == "unaligned" else ["sums", "joined", "best"]):
        lines = output.read(folder, SINKS[name])
        found = output.final_rows(lines, None)
        out[name] = sorted(r.split(", ")[1] for r in found) if name == "best" else found
    return out


def restore(binary, case, backend, parallelism):
    """'' or what is wrong."""
    kept = os.path.join(CASE_DIR, case)
    with tempfile.TemporaryDirectory(prefix="weir-kept-") as folder:
        shutil.copytree(os.path.join(kept, "state"), os.path.join(folder, "state"))
        if case != "unaligned":
            write_input(folder, 1)
        sql = os.path.join(folder, "job.sql")
        with open(sql, "w") as f:
            f.write(job_of(case, folder))
        start = glob.glob(os.path.join(folder, "state", "**", "_metadata"), recursive=True)
        if len(start) != 1:
            return "%d checkpoints in %s" % (len(start), kept)
        args = [binary, "run", "--quiet", "-s", os.path.dirname(start[0]), "--parallelism", str(parallelism),
                "--set", "state.backend.type=" + backend, "--set", "execution.checkpointing.interval=20 ms", sql]
        shutil.copytree(os.path.join(kept, "output"), folder, dirs_exist_ok=True)
        done = subprocess.run(args, cwd=folder, capture_output=True, text=True, timeout=120, check=False)
        if done.returncode != 0:
            return "exit code %d: %s" % (done.returncode, (done.stdout + done.stderr).strip()[-1500:])
        want = wanted_flowing() if case == "unaligned" else wanted()
        got = content(case, folder)
        return "".join("%s: %s" % (n, output.difference(want[n], got[n])) for n in want if want[n] != got[n])


# ---- making ----------------------------------------------------------------------------------------------------------

def newest(folder):
    found = glob.glob(os.path.join(folder, "state", "checkpoints", "*", "chk-*", "_metadata"))
    return max(found, key=lambda p: int(re.search(r"chk-(\d+)", p).group(1)), default=None)


def has_inflight(binary, path):
    text = subprocess.run([binary, "savepoint", "inspect", os.path.dirname(path)], capture_output=True, text=True, check=False).stdout
    return re.search(r"(?i)in.flight[^\n]*[1-9]", text) is not None


def enough(binary, case, folder, began):
    path = newest(folder)
    if case == "unaligned":
        return path and has_inflight(binary, path)
    return path and time.time() - began > 3


def make_checkpoint(binary, case, backend, folder):
    if case != "unaligned":
        write_input(folder, 60000)
    sql = os.path.join(folder, "job.sql")
    with open(sql, "w") as f:
        f.write(job_of(case, folder))
    conf = {"state.backend.type": backend, "execution.checkpointing.interval": "100 ms",
            "execution.checkpointing.unaligned.enabled": str(case == "unaligned").lower()}
    args = [binary, "run", "--state", os.path.join(folder, "state"), "--parallelism", "2"]
    for kv in conf.items():
        args += ["--set", "%s=%s" % kv]
    proc = subprocess.Popen(args + [sql], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    began = time.time()
    while proc.poll() is None and time.time() - began < 30 and not enough(binary, case, folder, began):
        time.sleep(0.005)
    over = proc.poll() is not None
    proc.send_signal(signal.SIGKILL)
    proc.wait()
    path = newest(folder)
    if over or path is None or (case == "unaligned" and not has_inflight(binary, path)):
        return None
    return os.path.dirname(path)


def make_case(binary, case, backend, target):
    """Tries until the moment was right; True when it is there."""
    with tempfile.TemporaryDirectory(prefix="weir-keep-") as folder:
        chk = make_checkpoint(binary, case, backend, folder)
        if chk is None:
            return False
        out = os.path.join(target, case, "state")
        os.makedirs(out)
        if case.startswith("canonical"):
            subprocess.run([binary, "savepoint", "rewrite", chk, os.path.join(out, "savepoint")], check=True)
        else:
            shutil.copytree(chk, os.path.join(out, "job", os.path.basename(chk)))
            shutil.copytree(os.path.join(os.path.dirname(chk), "shared"), os.path.join(out, "job", "shared"), dirs_exist_ok=True)
        number = int(re.search(r"chk-(\d+)", chk).group(1))
        for name in SINKS:  # what the checkpoint had committed
            for path in glob.glob(os.path.join(folder, name, "*")):
                if int(output.place(path)[1] or 0) <= number:
                    os.makedirs(os.path.join(target, case, "output", name), exist_ok=True)
                    shutil.copy(path, os.path.join(target, case, "output", name))
    return True


def make(binary, version):
    target = os.path.join(ROOT, "tests", "data", "state", "jobs-" + version)
    for case, (backend, _) in CASES.items():
        if os.path.exists(os.path.join(target, case)):
            print("%s is there already" % case)
            continue
        done = any(make_case(binary, case, backend, target) for _ in range(40))
        print("%s: %s" % (case, "made" if done else "NOT made"))


# ---- the tests -------------------------------------------------------------------------------------------------------

CASE_DIR = ""


def main():
    global CASE_DIR
    p = argparse.ArgumentParser()
    p.add_argument("--binary", default=os.path.join(ROOT, "build", "asan", "weir"))
    p.add_argument("--make")
    args = p.parse_args()
    if args.make:
        return make(args.binary, args.make)
    passed = failed = 0
    for CASE_DIR in sorted(glob.glob(os.path.join(ROOT, "tests", "data", "state", "jobs-*"))):
        for case in sorted(os.listdir(CASE_DIR)):
            for backend in CASES[case][1]:
                for parallelism in (1, 3):
                    wrong = restore(args.binary, case, backend, parallelism)
                    passed, failed = passed + (not wrong), failed + bool(wrong)
                    if wrong:
                        print("FAILED %s %s by %s at parallelism %d: %s" % (os.path.basename(CASE_DIR), case, backend, parallelism, wrong))
    if passed + failed < 20:
        print("FAILED: kept checkpoints are missing")
        failed += 1
    print("%d passed, %d failed" % (passed, failed))
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The crash campaign: random jobs are killed again and again, and must still give what they give undisturbed.

    ./dev test-crash [--kills N] [--seed S] [--minutes M] [--jobs N] [--binary FILE] [--backends LIST] [--faults] [--short]
                     [--case SEED.N] [--keep] [--verbose]

A case is a job made from the corpus (jobs.py). It runs once undisturbed. Then it runs with `--state`, is killed with SIGKILL
at a random moment or by itself at a named point of a checkpoint (WEIR_CRASH_AT), sometimes told to stop (SIGTERM), or stopped with
a savepoint that it is started from then (`-s`, as it is or rewritten in the native format), and started again, at another
parallelism from 1 to 4 and on the other state backend, until it is left alone and ends. With
--faults calls of the file system fail as well (WEIR_FAULT: a write, sync, rename; a full disk; a torn write), or what was not
synced is lost with a kill. Wanted:

  * the output is that of the undisturbed run: line by line where the job ran at parallelism 1 throughout, else its content;
  * no run fails by itself, none hangs; one that a fault has hit says so, or goes on;
  * no hidden file is left beside the output, no unpublished checkpoint and no unnamed file in the state folder;
  * started once more after its end, the job does nothing.

Everything random comes from the case's seed, which is printed with a failure: --case runs that case alone (what the clock
decides is not repeated exactly; run it some times). The last line is "N passed, N failed"; N counts cases."""
import argparse, concurrent.futures, json, os, random, re, shutil, signal, subprocess, sys, tempfile, threading, time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import jobs, output  # noqa: E402
from tables import Table  # noqa: E402

ROOT = jobs.ROOT
POINTS = ["snapshot-sync", "snapshot-write", "before-publish", "after-publish", "before-commit", "in-commit", "after-commit", "restore"]
BACKENDS = ["hashmap", "rocksdb"]
FAULTS = ["any", "read", "create", "write", "sync", "rename", "remove", "close", "torn", "full", "lost", "lost"]
FAULT_TEXT = re.compile("injected fault")


def telling(log, limit=30):
    """The lines of a log that say what happened: the last command, and of a sanitizer's report the head of each stack."""
    lines = open(log, errors="replace").read().splitlines()
    last = max((i for i, l in enumerate(lines) if l.startswith("$ ")), default=0)
    lines = [l for l in lines[last:] if not re.match(r"\s*(0x[0-9a-f]+:|=>0x|#[6-9]\d* |#[1-9]\d+ )", l)]
    stop = next((i for i, l in enumerate(lines) if l.startswith("Shadow bytes")), len(lines))
    lines = lines[:stop]
    return lines if len(lines) <= limit else lines[:1] + ["..."] + lines[1 - limit:]


class Failure(Exception):
    pass


class Refused(Exception):
    """The job cannot run at all, undisturbed: nothing to learn from it."""


class Totals:
    def __init__(self):
        self.lock = threading.Lock()
        self.passed = self.failed = self.refused = self.kills = self.stops = self.restored = self.points = self.faults = self.savepoints = 0
        self.by_point, self.files = {}, set()

    def add(self, **counts):
        with self.lock:
            for k, v in counts.items():
                setattr(self, k, getattr(self, k) + v)


class Weir:
    """One process, ended for sure."""

    def __init__(self, binary, args, folder, env=None):
        self.log = open(os.path.join(folder, "log"), "ab")
        self.log.write(("\n$ %s weir %s\n" % (" ".join("%s=%s" % kv for kv in (env or {}).items()), " ".join(args))).encode())
        self.log.flush()
        self.start = self.log.tell()
        self.proc = subprocess.Popen([binary] + args, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log, cwd=folder,
                                     env=dict(os.environ, **(env or {})), start_new_session=True)

    def wait(self, seconds):
        """The exit code (negative: signal), None when it still runs."""
        try:
            return self.proc.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def end(self):
        if self.proc.poll() is None:
            self.proc.kill()
            self.proc.wait()
        self.log.close()

    def text(self):
        with open(self.log.name, "rb") as f:
            f.seek(self.start)
            return f.read().decode(errors="replace")


class Growth:
    """Writes the files of growing sources while the job runs, line by line, in bursts; now and then a new file begins."""

    def __init__(self, job, folder, rng, pause):
        self.todo, self.files, self.rng, self.pause = [], {}, rng, pause
        tables = {t.name: t for t in job.tables if t.insert_only()}
        for name, lines in job.steps:
            if name in tables:
                self.todo.append((os.path.join(folder, "in", name), [jobs.json_object(tables[name], l) for l in lines]))
        self.thread, self.stop = None, threading.Event()

    def write(self, pause):
        for n, (folder, lines) in enumerate(self.todo):
            if self.stop.is_set():
                return
            path = self.files.get(folder)
            if path is None or self.rng.random() < 0.1:
                path = self.files[folder] = os.path.join(folder, "part-%04d.json" % n)
            with open(path, "a", encoding="utf-8") as f:
                f.write("".join(l + "\n" for l in lines))
            if pause:
                time.sleep(pause)

    def begin(self):
        self.thread = threading.Thread(target=self.write, args=(self.pause,))
        self.thread.start()

    def done(self):
        return not self.thread.is_alive()

    def end(self):
        self.stop.set()
        if self.thread:
            self.thread.join()


class Case:
    def __init__(self, campaign, seed, faults):
        self.c, self.seed, self.faults = campaign, seed, faults
        self.rng = random.Random("weir-crash-%s" % seed)
        self.folder = os.path.join(campaign.folder, "case-" + str(seed).replace("/", "_"))
        self.kills = 0
        self.job = None
        self.parallelisms = set()
        self.faulty = False  # does the present run have faults?
        self.start_from = None  # a savepoint

    # ---- the undisturbed run ----------------------------------------------------------------------------------------

    def reference(self, name):
        run = os.path.join(self.folder, name)
        sql = os.path.join(run, "job.sql")
        os.makedirs(run)
        text = self.job.script(run, 0, True)
        if self.job.source == "files":
            Growth(self.job, run, random.Random(0), 0).write(0)
        open(sql, "w", encoding="utf-8").write(text)
        conf = [a for k, v in self.job.conf.items() for a in ("--set", "%s=%s" % (k, v))]
        w = Weir(self.c.binary, ["run", "--quiet", "--parallelism", "1"] + conf + [sql], run)
        try:
            code = w.wait(self.c.patience)
            if code is None:
                raise Failure("the undisturbed run hangs: %s" % sql)
            if code != 0:
                raise Refused(w.text())
        finally:
            w.end()
        return [output.read(run, s) for s in self.job.sinks]

    def prepare(self):
        for _ in range(50):
            self.job = jobs.make(self.c.corpus, self.rng, self.c.options)
            if self.job is None:
                continue
            shutil.rmtree(self.folder, ignore_errors=True)
            try:
                want = self.reference("undisturbed")
            except Refused as e:
                if self.c.verbose:
                    print("refused %s %s: %s" % (self.seed, self.job.name, str(e).strip()[:300]), flush=True)
                self.c.totals.add(refused=1)
                continue
            if sum(len(w) for w in want) == 0:
                continue
            return self.with_files(want)
        raise Failure("no job could be made")

    def with_files(self, want):
        """Insert-only output goes to filesystem sinks, where the planner takes them."""
        which = [i for i, w in enumerate(want) if not self.c.args.record and w and all(l.startswith("+I") for l in w) and self.rng.random() < 0.7]
        if not which:
            return want
        kept = [(s, s.kind, s.ddl) for s in self.job.sinks]
        jobs.as_files(self.job, which, self.rng)
        try:
            return self.reference("undisturbed-files")
        except Refused:
            for s, kind, ddl in kept:
                s.kind, s.ddl = kind, ddl
            return want

    # ---- disturbed --------------------------------------------------------------------------------------------------

    def options(self):
        """What stays the same over the restarts of a case, and what is drawn anew for each."""
        rng = self.rng
        fixed = {"execution.checkpointing.interval": "%d ms" % rng.choice([10, 20, 20, 30, 50]), "restart-strategy.type": "none"}
        fixed.update(self.job.conf)
        if rng.random() < 0.3:
            fixed["execution.checkpointing.num-retained"] = str(rng.choice([2, 3]))
        if rng.random() < 0.3:
            fixed["execution.checkpointing.incremental"] = rng.choice(["true", "false"])
        if rng.random() < 0.3:
            fixed["execution.checkpointing.unaligned.enabled"] = "true"
            if rng.random() < 0.5:
                fixed["execution.checkpointing.aligned-checkpoint-timeout"] = "%d ms" % rng.choice([0, 5, 20])
        if rng.random() < 0.2:
            fixed["execution.checkpointing.min-pause"] = "5 ms"
        if self.faults and rng.random() < 0.5:
            fixed.update({"restart-strategy.type": "fixed-delay", "restart-strategy.fixed-delay.attempts": "3",
                          "restart-strategy.fixed-delay.delay": "10 ms"})
            fixed["execution.checkpointing.tolerable-failed-checkpoints"] = rng.choice(["0", "3"])
        return fixed

    def arguments(self, fixed, run, sql):
        conf = dict(fixed, **{"state.backend.type": self.rng.choice(self.c.backends)})
        if conf["state.backend.type"] == "rocksdb" and self.rng.random() < 0.5:
            conf["weir.state.rocksdb.cache-size"] = self.rng.choice(["1 b", "20 kb"])  # so that entries come and go
        p = 1 if self.stay else self.rng.randint(1, 4)
        self.parallelisms.add(p)
        return ["run", "--state", os.path.join(run, "state"), "--parallelism", str(p)] + \
            (["-s", self.start_from] if self.start_from else []) + [a for k, v in conf.items() for a in ("--set", "%s=%s" % (k, v))] + [sql]

    def disturb(self, w, point):
        """Kills or stops the process, or lets it kill itself (at `point`, if it gets there). True: it has more to do; False: it
        had ended."""
        rng = self.rng
        delay = self.c.startup * rng.uniform(0.2, 1.5) + rng.choice([0.03, 0.1, 0.25, 0.5]) * rng.random()
        code = w.wait(delay)
        if code is None and rng.random() < 0.1:
            self.stop(w, point)
            return True
        if code is None:
            w.proc.kill()
            code = w.wait(10)
        if code == -signal.SIGKILL:
            self.killed()
            return True
        return self.ended(w, code)

    def killed(self, point=None):
        self.kills += 1
        t = self.c.totals
        with t.lock:
            t.kills += 1
            if point:
                t.points += 1
                t.by_point[point] = t.by_point.get(point, 0) + 1

    def stop(self, w, point=None):
        """SIGTERM. True: it stopped in good order; False: it had not begun yet, or killed itself at `point` on the way."""
        w.proc.send_signal(signal.SIGTERM)
        code = w.wait(self.c.patience)
        if code is None:
            raise Failure("SIGTERM did not end it")
        self.c.totals.add(stops=1)
        if point and code == -signal.SIGKILL:
            self.killed(point)
            return False
        if code == 0 or self.faulty and code > 0 and FAULT_TEXT.search(w.text()):
            return code == 0
        if code not in (-signal.SIGTERM, 128 + signal.SIGINT) or "stopping:" in w.text():
            raise Failure("exit code %d after SIGTERM" % code)
        return False

    def ended(self, w, code, point=None):
        """True: there is more to do."""
        if code == 0:
            return False
        if self.faulty and code > 0 and FAULT_TEXT.search(w.text()):
            self.c.totals.add(faults=1)
            return True
        if point and code == -signal.SIGKILL:
            self.killed(point)
            return True
        raise Failure("exit code %s by itself" % code)

    def move(self, fixed, run, sql):
        """One start that ends with a savepoint, from which the next one begins. True when the job has come to its end before."""
        stopping = os.path.join(run, "stop.sql")
        with open(sql, encoding="utf-8") as f, open(stopping, "w", encoding="utf-8") as to:
            to.write(self.job.stopping(f.read(), self.rng.randint(1, 60)))
        self.faulty = False
        w = Weir(self.c.binary, self.arguments(fixed, run, stopping), run)
        try:
            code = w.wait(self.c.patience)
            text = w.text()
        finally:
            w.end()
        if code is None:
            raise Failure("STOP JOB WITH SAVEPOINT does not end")
        path = re.search(r"/\S+/savepoint-[0-9a-f]+-[0-9a-f]+", text[text.rfind("savepoint path"):]) if "savepoint path" in text else None
        if code == 0 and path:
            self.start_from = path.group(0)
            self.c.totals.add(savepoints=1)
            if self.rng.random() < 0.5:
                self.rewrite(run)
            return False
        if "it is FINISHED" in text or "has ended already (FINISHED)" in text or "has finished before" in text:
            return True
        if "the job has ended" in text:
            return False
        raise Failure("exit code %s of a stop with savepoint" % code)

    def rewrite(self, run):
        native = self.start_from + "-native"
        w = Weir(self.c.binary, ["savepoint", "rewrite", self.start_from, native, "--to", "native"], run)
        try:
            if w.wait(self.c.patience) != 0:
                raise Failure("the savepoint cannot be rewritten")
        finally:
            w.end()
        self.start_from = native

    def attempt(self, fixed, run, sql, last):
        """One start. True when the job has come to its end."""
        if not last and not self.faults and self.job.count() == 1 and self.rng.random() < self.c.args.savepoints:
            return self.move(fixed, run, sql)
        env = {}
        point = None
        if not last and self.rng.random() < 0.5:
            point = self.rng.choice(POINTS)
            env["WEIR_CRASH_AT"] = "%s:%d" % (point, self.rng.choice([1, 1, 2, 3, 5, 8, 13]))
        self.faulty = not last and self.faults and self.rng.random() < 0.7
        if self.faulty:
            what = self.rng.choice(FAULTS)
            part = self.rng.choice(["", os.path.join(run, "state"), os.path.join(run, "out"), run])
            env["WEIR_FAULT"] = "%s:%d:%s" % (what, 0 if what == "lost" else self.rng.choice([1, 2, 3, 5, 8, 13, 21, 34, 55]), part)
        w = Weir(self.c.binary, self.arguments(fixed, run, sql), run, env)
        try:
            if last:
                return self.to_the_end(w, run)
            if point and self.rng.random() < 0.8:
                code = w.wait(1.0)
                if code is not None:
                    return not self.ended(w, code, point)
            if self.faulty and self.rng.random() < 0.7:
                code = w.wait(1.5)
                if code is not None:
                    return not self.ended(w, code, point)
            return not self.disturb(w, point)
        finally:
            w.end()
            if re.search(r"goes on from checkpoint \d+|starts from /", w.text()):
                self.c.totals.add(restored=1)

    def finish(self, fixed, run, sql):
        """Left alone, until the job ends. Over growing files none does: it is stopped, which shows all that it has read, and started
        again as long as something is missing."""
        until = time.time() + self.c.patience
        self.attempt(fixed, run, sql, True)
        while self.growth and self.problems(run, []) and time.time() < until:
            self.attempt(fixed, run, sql, True)

    def to_the_end(self, w, run):
        if not self.growth:
            code = w.wait(self.c.patience)
            if code is None:
                raise Failure("the last run hangs")
            self.ended(w, code)
            return True
        jobs_begun = lambda: len(re.findall("submitted to the cluster:|Complete execution of|has finished before", w.text()))
        until, patience = None, time.time() + self.c.patience
        while not until or time.time() < until and self.problems(run, []):
            if w.proc.poll() == 0 and (self.limited(run) or not self.problems(run, [])):
                return True  # the second: what it reads never grows, as a table without rows or behind WHERE FALSE
            if w.proc.poll() is not None:
                raise Failure("exit code %s by itself" % w.proc.poll())
            if time.time() > patience:
                raise Failure("the last run does not begin all of its jobs")
            if not until and self.growth.done() and jobs_begun() >= self.job.count():
                until = time.time() + 1.0
            time.sleep(0.02)
        if not self.stop(w):
            raise Failure("SIGTERM at the end did not stop it in good order")
        return True

    def limited(self, run):
        """A LIMIT that has its rows ends a job over growing files, too."""
        with open(os.path.join(run, "job.sql"), encoding="utf-8") as f:
            return re.search(r"(?i)\b(LIMIT|FETCH)\b", f.read())

    def problems(self, run, found):
        exact = self.job.exact() and self.parallelisms == {1}
        for s, want in zip(self.job.sinks, self.want):
            same = exact and not s.windowed
            if (s.by_order and not same) or (s.floating and not exact):
                continue
            text = output.compare(s, want, output.read(run, s), same and s.kind == "record", s.writers == 1)
            if text:
                found.append("%s: %s" % (s.table, text))
        return found

    def leftovers(self, run):
        found = []
        for s in self.job.sinks:
            found += output.orphans(run, s)
        state = os.path.join(run, "state")
        for root, folders, names in os.walk(state):
            if re.match(r"chk-\d+$", os.path.basename(root)) and "_metadata" not in names:
                found.append(root + " (no _metadata)")
            found += [os.path.join(root, n) for n in names if "tmp" in n or n.startswith(".") and not n.startswith(".lock")]
        if not self.faults:  # who could not read a checkpoint has removed nothing that it may need; a finished job is not opened again
            found += output.unnamed(os.path.join(state, "checkpoints"))
        return ["left behind: " + f for f in found]

    def disturbed(self):
        run = os.path.join(self.folder, "run")
        sql = os.path.join(run, "job.sql")
        rng = self.rng
        self.stay = rng.random() < 0.4 and self.job.source == "script"
        if any(s.by_order or s.floating for s in self.job.sinks) and self.job.source == "script":
            self.stay = True
        fixed = self.options()
        os.makedirs(run)
        open(sql, "w", encoding="utf-8").write(self.job.script(run, rng.choice([5, 10, 20]), False))
        self.growth = Growth(self.job, run, rng, rng.choice([0.01, 0.02])) if self.job.source == "files" else None
        try:
            if self.growth:
                self.growth.begin()
            kills = rng.choice([1, 2, 3, 5, 8, 12])
            ended = False
            for _ in range(kills):
                ended = self.attempt(fixed, run, sql, False)
                if ended:
                    break
            if not ended:
                self.finish(fixed, run, sql)
            found = self.problems(run, []) + self.leftovers(run)
            if not found and not self.growth and rng.random() < 0.3:
                self.attempt(fixed, run, sql, True)
                found = ["once more after the end: " + p for p in self.problems(run, []) + self.leftovers(run)]
            if found:
                raise Failure("\n    ".join(found))
        finally:
            if self.growth:
                self.growth.end()

    def run(self):
        """None, or what went wrong."""
        try:
            self.want = self.prepare()
            self.disturbed()
            if not self.c.keep:
                shutil.rmtree(self.folder, ignore_errors=True)
            return None
        except Failure as e:
            log = os.path.join(self.folder, "run", "log")
            return "%s\n    job %s, %s, parallelism %s, %d kills; folder %s\n    %s" % (
                e, self.job.name if self.job else "?", self.job.source if self.job else "?", sorted(self.parallelisms), self.kills, self.folder,
                "\n    ".join(telling(log) if os.path.exists(log) else []))


class Campaign:
    def __init__(self, args):
        self.binary = os.path.abspath(args.binary)
        self.args, self.verbose, self.keep = args, args.verbose, args.keep
        self.totals = Totals()
        self.options = {"files": True, "changes": args.changes}
        self.backends = args.backends.split(",")
        self.folder = tempfile.mkdtemp(prefix="weir-crash-", dir=args.tmp)
        self.corpus = jobs.corpus()
        self.patience = 60.0
        self.startup = self.measure_start()

    def measure_start(self):
        t = time.time()
        subprocess.run([self.binary, "run", "-c", "SELECT 1"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60, check=False)
        return min(time.time() - t, 1.0)

    def one(self, n):
        seed = "%s.%d" % (self.args.seed, n)
        if self.args.short:
            seed = "%s.%d" % (self.args.seed if n % 2 else "weir", n // 2)
        case = Case(self, self.args.case or seed, self.args.faults or self.args.short and n % 6 > 3)
        return case, case.run()

    def more(self, n, until):
        a = self.args
        if a.case:
            return n == 0
        if self.totals.failed >= a.max_failures or time.time() > until:
            return False
        return a.kills is None or self.totals.kills < a.kills

    def report(self, case, error):
        t = self.totals
        t.add(**{"failed" if error else "passed": 1})
        if error:
            print("FAILED case %s: %s\n    again: ./dev test-crash --case %s%s%s" % (
                case.seed, error, case.seed, " --faults" if case.faults else "",
                " --backends " + self.args.backends if len(self.backends) == 1 else ""), flush=True)
        elif self.verbose:
            print("ok %s %s %s kills=%d p=%s" % (case.seed, case.job.name, case.job.source, case.kills, sorted(case.parallelisms)), flush=True)

    def run(self):
        until = time.time() + (self.args.minutes * 60 if self.args.minutes else 1e9)
        n, began = 0, time.time()
        with concurrent.futures.ThreadPoolExecutor(self.args.jobs) as pool:
            running = set()
            while True:
                while len(running) < self.args.jobs and self.more(n, until):
                    running.add(pool.submit(self.one, n))
                    n += 1
                if not running:
                    break
                done, running = concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED)
                for d in done:
                    self.report(*d.result())
        t = self.totals
        print("seed %s: %d kills (%d at named points: %s), %d ends by faults, %d stops, %d of them with a savepoint, %d starts from a checkpoint, "
              "%d jobs refused undisturbed, %.0f s" % (
            self.args.seed, t.kills, t.points, ", ".join("%s %d" % kv for kv in sorted(t.by_point.items())) or "none", t.faults,
            t.stops + t.savepoints, t.savepoints, t.restored, t.refused, time.time() - began))
        print("%d passed, %d failed" % (t.passed, t.failed))
        if not t.failed and not self.keep:
            shutil.rmtree(self.folder, ignore_errors=True)
        return 1 if t.failed or not t.passed else 0


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("--kills", type=int, help="stop after so many kills")
    p.add_argument("--minutes", type=float, help="stop after so many minutes (default: 1 when there are no --kills)")
    p.add_argument("--seed", default=os.environ.get("WEIR_SEED") or str(random.SystemRandom().randrange(1 << 31)))
    p.add_argument("--case", help="one case alone: SEED.N")
    p.add_argument("--short", action="store_true", help="a minute: every other case is of the seed 'weir', the same every time; every third has --faults")
    p.add_argument("--jobs", type=int, default=2)
    p.add_argument("--binary", default=os.path.join(ROOT, "build", "release", "weir"))
    p.add_argument("--backends", default=",".join(BACKENDS))
    p.add_argument("--changes", type=int, default=250, help="of a job's inputs, about")
    p.add_argument("--record", action="store_true", help="no filesystem sinks")
    p.add_argument("--faults", action="store_true", help="calls of the file system fail, too")
    p.add_argument("--savepoints", type=float, default=0.15, help="share of the starts that end with a savepoint, from which the next begins")
    p.add_argument("--max-failures", type=int, default=10)
    p.add_argument("--tmp", default=None, help="where runs have their folders")
    p.add_argument("--keep", action="store_true", help="keep the folders of cases that passed")
    p.add_argument("--verbose", action="store_true")
    args = p.parse_args()
    if not args.kills and not args.minutes and not args.case:
        args.minutes = 1.0
    sys.exit(Campaign(args).run())


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`weir savepoint` from outside, over the files of tests/data/state/version-1: 200 keys k, each with 3 * k and a text, every third
one with a map entry (67 of them). One checkpoint, and the same state as a canonical and as a native savepoint.

    tests/prop/savepoint_test.py [BINARY] [WORD]"""
import json, os, shutil, subprocess, sys, tempfile

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


def weir(*args):
    return subprocess.run([WEIR, "savepoint", *args], capture_output=True, text=True, timeout=120)


def good(*args):
    r = weir(*args)
    assert r.returncode == 0, (args, r.returncode, r.stdout, r.stderr)
    return r.stdout


def equal(got, wanted):
    assert got == wanted, f"\nwanted {wanted!r}\ngot    {got!r}"


def has(text, *words):
    for w in words:
        assert w in text, f"{w!r} is not in\n{text}"


@test
def inspect_for_people(home):
    out = good("inspect", CANONICAL, "--verify")
    has(out, "canonical savepoint 1, format version 1", "2023-11-14 22:13:20.123 UTC", "insert-into sink", "operator agg:k",
        "parallelism 2, 128 key groups, 1 finished", "keyed state (canonical-1)", "table keys: value, 200 entries",
        "key: k BIGINT NOT NULL", "number: 8 bytes", "table map: map in keys, 67 entries", "list splits: 2 items, 2 bytes, dealt out",
        "list finished: 1 item, 1 byte, all to everybody", "operator sink", "every file is there")
    has(good("inspect", CHECKPOINT), "checkpoint 1,", "keyed state (log-1)")
    has(good("inspect", os.path.join(NATIVE, "_metadata")), "native savepoint 1,")


@test
def inspect_for_programs(home):
    for path, kind, shared in ((CHECKPOINT, "checkpoint", True), (CANONICAL, "canonical savepoint", False)):
        m = json.loads(good("inspect", path, "--json", "--verify"))
        equal((m["kind"], m["id"], m["formatVersion"], m["verified"]), (kind, 1, 1, True))
        equal(m["timeMs"], 1700000000123)
        equal(m["sql"], "INSERT INTO s SELECT 'ä'")
        agg, sink = m["operators"]
        equal((agg["id"], agg["name"], agg["parallelism"], sink["id"]), ("agg:k", "GroupAggregate", 2, "sink"))
        equal([(t["id"], t["shape"], t["entries"], t.get("parent")) for t in agg["tables"]],
              [("keys", "value", 200, None), ("map", "map", 67, "keys")])
        equal([(p["name"], p["offset"], p["bytes"]) for p in agg["tables"][0]["parts"]], [("number", 0, 8), ("text", 8, 16)])
        files = [f for s in agg["subtasks"] for f in s.get("files", [])]
        equal([f["shared"] for f in files], [shared])
        equal(sum(f["bytes"] for f in files) + 3, m["bytes"])  # and the items of its two lists


@test
def a_damaged_file_is_named(home):
    copy = os.path.join(home, "copy")
    shutil.copytree(CANONICAL, copy)
    name = next(n for n in os.listdir(copy) if n != "_metadata")
    with open(os.path.join(copy, name), "r+b") as f:
        f.seek(200)
        f.write(b"??")
    good("inspect", copy)
    r = weir("inspect", copy, "--verify")
    equal(r.returncode, 1)
    has(r.stderr, name, "checksum")
    with open(os.path.join(copy, "_metadata"), "r+b") as f:
        f.seek(100)
        f.write(b"??")
    has(weir("inspect", copy).stderr, "damaged", "_metadata")


@test
def one_state_in_three_formats_has_no_difference(home):
    for a, b in ((CHECKPOINT, CANONICAL), (CANONICAL, NATIVE), (NATIVE, CHECKPOINT)):
        equal(good("diff", a, b), "no difference\n")
        equal(json.loads(good("diff", a, b, "--json")), [])


@test
def rewriting(home):
    out = os.path.join(home, "out")
    good("rewrite", CHECKPOINT, out, "--rename", "agg:k=sums=all", "--drop", "sink", "--to", "canonical")
    m = json.loads(good("inspect", out, "--json", "--verify"))
    equal([(o["id"], o["name"]) for o in m["operators"]], [("sums=all", "GroupAggregate")])
    equal(m["kind"], "canonical savepoint")
    equal(good("diff", CHECKPOINT, out), "- operator agg:k\n- operator sink\n+ operator sums=all\n")
    equal(json.loads(good("diff", CHECKPOINT, out, "--json"))[2], {"change": "added", "operator": "sums=all"})
    back = os.path.join(home, "back")
    good("rewrite", out, back, "--rename", "sums=all=agg:k", "--to", "native")
    equal(good("diff", NATIVE, back), "- operator sink\n")
    again = weir("rewrite", CHECKPOINT, out)
    assert again.returncode != 0
    has(again.stderr, "is there already")
    good("inspect", out, "--verify")


@test
def mistakes_teach_and_leave_nothing(home):
    out = os.path.join(home, "out")
    for args, code, words in (
        (["rewrite", CHECKPOINT, out, "--drop", "snik"], 1, ["there is no operator 'snik'", "did you mean: sink"]),
        (["rewrite", CHECKPOINT, out, "--rename", "agg:k=sink"], 1, ["two operators would have the id 'sink'"]),
        (["rewrite", CHECKPOINT, out, "--rename", "agg"], 2, ["--rename wants OLD=NEW"]),
        (["rewrite", CHECKPOINT, out, "--to", "other"], 2, ["canonical or native"]),
        (["inspect", home], 3, ["Cannot find meta data file '_metadata' in directory"]),
        (["inspect", os.path.join(home, "none")], 3, ["Cannot find checkpoint or savepoint file/directory"]),
        (["inspect"], 2, ["usage: weir savepoint inspect PATH"]),
        (["look", home], 2, ["savepoint has no 'look'", "usage:"]),
    ):
        r = weir(*args)
        equal((args, r.returncode), (args, code))
        has(r.stderr, *words)
        assert not os.path.exists(out), args


@test
def dispose_removes_it_and_says_what(home):
    copy = os.path.join(home, "savepoint")
    size = lambda folder: sum(os.path.getsize(os.path.join(folder, n)) for n in os.listdir(folder) if n != "_metadata")
    shutil.copytree(CANONICAL, copy)
    bytes = size(copy)
    m = json.loads(good("dispose", copy, "--json"))
    equal((m["path"], m["kind"], m["id"], m["removedFiles"], m["removedBytes"], m["otherFilesKept"]),
          (copy, "canonical savepoint", 1, 1, bytes, 0))
    assert not os.path.exists(copy)
    shutil.copytree(NATIVE, copy)
    open(os.path.join(copy, "notes"), "w").close()
    has(good("dispose", os.path.join(copy, "_metadata")), f"removed native savepoint 1 in {copy}: 1 file, ", "there is 1 other file in it")
    equal(os.listdir(copy), ["notes"])
    shutil.copytree(os.path.dirname(CHECKPOINT), os.path.join(home, "job"))
    has(good("dispose", os.path.join(home, "job", "chk-1")), "removed checkpoint 1")
    equal([f for _, _, files in os.walk(os.path.join(home, "job")) for f in files if f != "lock"], [])
    r = weir("dispose", copy)
    equal(r.returncode, 3)
    has(r.stderr, "Cannot find meta data file '_metadata'")
    r = weir("dispose")
    equal(r.returncode, 2)
    has(r.stderr, "usage:", "weir savepoint dispose PATH")


def main():
    failed = 0
    chosen = [t for t in TESTS if WORD in t.__name__]
    for t in chosen:
        home = tempfile.mkdtemp()
        try:
            t(home)
        except Exception as e:
            failed += 1
            print(f"FAILED {t.__name__}: {e}", file=sys.stderr)
        finally:
            shutil.rmtree(home, ignore_errors=True)
    print(f"{len(chosen) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

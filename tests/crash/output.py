# SPDX-License-Identifier: Apache-2.0
"""What a run has written, and what of it differs from the undisturbed run."""
import os, re, sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
from run import final_rows  # noqa: E402


def files_below(folder):
    out = []
    for root, _, names in os.walk(folder):
        out += [os.path.join(root, n) for n in names]
    return sorted(out)


def hidden(path, folder):
    return any(part.startswith((".", "_")) and part != "_SUCCESS" for part in os.path.relpath(path, folder).split(os.sep))


def place(path):
    """record's files are <operator>-<job>-<checkpoint>-<subtask>: by checkpoint, also where another job went on from it."""
    m = re.match(r"([0-9a-f]{16})-[^-]*-(\d{20})-(\d+)$", os.path.basename(path))
    return (m.group(1), m.group(2), m.group(3), path) if m else ("", "", "", path)


def read(run, sink):
    """The visible lines of a sink, in the order of checkpoints."""
    folder = os.path.join(run, sink.folder)
    lines = []
    for path in sorted(files_below(folder), key=place):
        if not hidden(path, folder) and not path.endswith("_SUCCESS"):
            lines += open(path, encoding="utf-8").read().split("\n")[:-1]
    return lines


def orphans(run, sink):
    folder = os.path.join(run, sink.folder)
    return [p for p in files_below(folder) if hidden(p, folder)]


def unnamed(root):
    """Files of checkpoints that no metadata names: of a checkpoint's folder its own, of the shared ones any of the job's."""
    found = []
    for job in sorted(os.listdir(root)) if os.path.isdir(root) else []:
        everything = b""
        for name in os.listdir(os.path.join(root, job)):
            meta = os.path.join(root, job, name, "_metadata")
            if not os.path.exists(meta):
                continue
            with open(meta, "rb") as f:
                text = f.read()
            everything += text
            found += [p for p in files_below(os.path.dirname(meta)) if os.path.basename(p).encode() not in text and p != meta]
        for shared in ("shared", "taskowned"):
            found += [p for p in files_below(os.path.join(root, job, shared)) if os.path.basename(p).encode() not in everything]
    return [p + " (no checkpoint names it)" for p in found]


def folded(sink, lines):
    if sink.kind != "record":
        return sorted(lines)
    return final_rows(lines, sink.key if sink.upsert else None)


def difference(want, got, limit=8):
    """'' or a text with the first lines that are missing or too many."""
    import collections
    w, g = collections.Counter(want), collections.Counter(got)
    missing, extra = list((w - g).elements()), list((g - w).elements())
    if not missing and not extra:
        return ""
    show = lambda what, lines: "".join("      %s %s\n" % (what, l) for l in lines[:limit]) + \
        ("      %s ... %d more\n" % (what, len(lines) - limit) if len(lines) > limit else "")
    return "%d lines wanted, %d there\n" % (len(want), len(got)) + show("lost     ", missing) + show("too many ", extra)


def compare(sink, want, got, exact, ordered):
    """want, got: lines. exact: the changelog itself must be the same, `ordered`: in the same order too."""
    if exact:
        text = difference(want, got)
        if text:
            return "changelog differs: " + text
        if ordered and want != got:
            at = next(i for i, (a, b) in enumerate(zip(want, got)) if a != b)
            return "changelog has another order from line %d: wanted %s, there is %s" % (at + 1, want[at], got[at])
        return ""
    text = difference(folded(sink, want), folded(sink, got))
    return "final content differs: " + text if text else ""

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the tour of README.md as it is written: every ```sh block, in order, in one shell; a ```text block behind it is what it must
# print.
#   tests/scripts/readme.sh build/release/weir
set -u
weir=$(realpath "${1:-build/release/weir}")
cd "$(dirname "$0")/../.." || exit 1
exec python3 - "$weir" <<'PY'
import os, re, subprocess, sys, tempfile

weir = sys.argv[1]
text = open("README.md", encoding="utf-8").read()
blocks = re.findall(r"^```(sh|text)\n(.*?)^```", text, re.M | re.S)
passed = failed = 0
with tempfile.TemporaryDirectory() as home:
    tools = os.path.join(home, "build", "release")
    os.makedirs(tools)
    os.symlink(weir, os.path.join(tools, "weir"))
    state = os.path.join(home, "state")
    open(state, "w").write(f"cd {home}\n")
    for i, (kind, body) in enumerate(blocks):
        if kind != "sh":
            continue
        body = body.replace("/tmp/weir-tour", os.path.join(home, "tour"))
        script = f"set -eo pipefail\n. {state}\n{body}\n{{ export -p; echo cd $(pwd); }} > {state}\n"
        run = subprocess.run(["bash", "-c", script], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             text=True, timeout=60)
        wanted = blocks[i + 1][1] if i + 1 < len(blocks) and blocks[i + 1][0] == "text" else None
        if run.returncode == 0 and (wanted is None or wanted == run.stdout):
            passed += 1
            continue
        failed += 1
        print(f"FAILED (exit code {run.returncode}):\n{body}--- wanted\n{wanted}--- got\n{run.stdout}")
print(f"{passed} passed, {failed} failed")
sys.exit(failed != 0)
PY

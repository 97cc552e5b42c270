#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Each rule's findings against expected_*.txt, and these against the rules without SQL.
set -u
weir=$(realpath "${1:?usage: check.sh WEIR}")
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$here"/*.sql "$here"/*.py "$here"/*.json "$work" && cd "$work" || exit 1
passed=0
failed=0
same() { # NAME WANTED GOT: lines in any order
    if diff <(sort <<< "$2") <(sort <<< "$3"); then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED: $1"; fi
}
found() { # RULE: objects of JSON as arrays
    cat "out/$1"/part-* | python3 -c 'import json, sys
for line in sys.stdin: print(json.dumps(list(json.loads(line).values())))'
}

same "the generator" "$(cat payments.json)" "$(python3 generate.py)"
for rule in bursts probes travels; do
    same "expected_$rule.txt, by hand" "$(cat "$here/expected_$rule.txt")" "$(python3 by_hand.py "$rule")"
done
for cores in 1 4; do
    rm -rf out
    same "no error at parallelism $cores" "" "$("$weir" run --quiet -p "$cores" rules.sql 2>&1 > out.log)"
    for rule in bursts probes travels; do
        same "$rule, parallelism $cores" "$(cat "$here/expected_$rule.txt")" "$(found "$rule")"
    done
done

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]

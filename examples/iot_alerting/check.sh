#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Means and alerts against expected_*.csv, and these against the same without SQL.
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
same "the generator" "$(cat readings.json)" "$(python3 generate.py)"
for table in means alerts; do
    same "expected_$table.csv, by hand" "$(cat "$here/expected_$table.csv")" "$(python3 by_hand.py "$table")"
done
for run in first second; do
    rm -rf out
    same "no error, $run run" "" "$("$weir" run --quiet alerts.sql 2>&1 > out.log)"
    for table in means alerts; do
        same "$table, $run run" "$(cat "$here/expected_$table.csv")" "$(cat "out/$table"/part-*)"
    done
done
same "there are late readings to leave out" 24 "$(python3 by_hand.py late)"

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]

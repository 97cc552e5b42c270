#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The queries over change logs against expected_*.csv, and these against a dictionary and a loop in Python.
set -u
weir=$(realpath "${1:?usage: check.sh WEIR}")
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$here"/data "$here"/*.sql "$here"/*.py "$work" && cd "$work" || exit 1
passed=0
failed=0
same() { # NAME WANTED GOT: lines in any order
    if diff <(sort <<< "$2") <(sort <<< "$3"); then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED: $1"; fi
}
settle() { # a changelog as CSV with a column `op` to the rows that are left
    awk -F, 'NR == 1 { next }
             { row = substr($0, length($1) + 2); n[row] += ($1 == "+I" || $1 == "+U") ? 1 : -1 }
             END { for (row in n) for (i = 0; i < n[row]; i++) print row }'
}

python3 generate.py fresh
same "the generator" "$(cat data/orders/*.json data/*.json)" "$(cat fresh/orders/*.json fresh/*.json)"
for query in status payments customers; do
    expected=$(cat "$here/expected_$query.csv")
    same "expected_$query.csv, by hand" "$expected" "$(python3 replay.py "$query")"
    for cores in 1 4; do
        rm -rf out
        same "$query, parallelism $cores" "$expected" "$("$weir" run -f csv -p "$cores" -i tables.sql "$query.sql" | settle)"
    done
done
deleted=$(grep -c '"type":"DELETE"' out/customers/part-* | awk -F: '{ n += $NF } END { print (n > 10) }')
same "what was written is a change log" 1 "$deleted"

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the example as a table and as a stream; both must give expected.txt, and so must awk.
set -u
weir=$(realpath "${1:?usage: check.sh WEIR}")
cd "$(dirname "$0")" || exit 1
passed=0
failed=0
same() { # NAME WANTED GOT: lines in any order
    if diff <(sort <<< "$2") <(sort <<< "$3"); then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED: $1"; fi
}
settle() { # a changelog as CSV with a column `op` to the rows that are left
    awk -F, '{ row = substr($0, length($1) + 2); n[row] += ($1 == "+I" || $1 == "+U" || $1 == "op") ? 1 : -1 }
             END { for (row in n) for (i = 0; i < n[row]; i++) print row }'
}

expected=$(cat expected.txt)
same "the table" "$expected" "$("$weir" run --mode batch --format csv analysis.sql)"
same "the stream, settled" "$expected" "$("$weir" run --mode streaming --format csv analysis.sql | settle)"

lines=$(grep -E '^[^ ]+ [^ ]+ [^ ]+ \[.*\] ".*" [0-9]{3} [0-9]+$' access.log)
minutes=$(awk '{ m = substr($4, 14, 5); n[m]++; b[m] += $10; f[m] += $9 >= 500 }
               END { for (m in n) print m "," n[m] "," f[m] "," b[m] }' <<< "$lines")
same "minutes, by awk" "$minutes" "$(grep -E '^[0-9]{2}:' expected.txt)"
pages=$(awk '$9 < 400 { n[$7]++; if (!seen[$7, $1]++) c[$7]++ } END { for (p in n) if (n[p] > 1) print p "," n[p] "," c[p] }' <<< "$lines")
same "pages, by awk" "$pages" "$(grep -E '^/' expected.txt)"

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]

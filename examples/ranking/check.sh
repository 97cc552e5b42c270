#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The ranking as a table and as a stream against expected.csv, and expected.csv against awk and sort.
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

fresh=$(mktemp -d)
python3 generate.py "$fresh" && same "the generator" "$(cat data/*.csv)" "$(cat "$fresh"/*.csv)"
rm -rf "$fresh"

by_hand() {
    echo name,category,earned,orders
    awk -F, 'FNR == 1 { next }
             NR == FNR { name[$1] = $2; category[$1] = $3; price[$1] = $4; next }
             { cents[$2] += $3 * price[$2]; orders[$2]++ }
             END { for (p in cents) print cents[p] "," name[p] "," category[p] "," orders[p] }' data/products.csv data/orders.csv |
        sort -t, -k1,1nr -k2,2 | head -n 5 | awk -F, '{ printf "%s,%s,%.2f,%d\n", $2, $3, $1 / 100, $4 }'
}
expected=$(cat expected.csv)
same "expected.csv, by awk and sort" "$expected" "$(by_hand)"
same "the table" "$expected" "$("$weir" run --mode batch --format csv ranking.sql)"
same "the stream, settled" "$expected" "$("$weir" run --mode streaming --format csv ranking.sql | settle)"

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]

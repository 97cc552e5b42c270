#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `weir test`: the cases of tests/cases pass, also at parallelism 4 where order does not count; failing ones are told as
# tests/data/test_command/failing.txt has it; reports and exit codes.
set -u
weir=$(realpath "${1:?usage: test_command.sh WEIR}")
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0
verdict() { # NAME TRUE?
    if [ "$2" = 1 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED: $1"; fi
}

"$weir" test tests/cases --junit "$work/report.xml" > "$work/out"
code=$?
cat "$work/out"
verdict "the cases of tests/cases pass" "$([ $code = 0 ] && echo 1 || echo 0)"
verdict "the report names every case" \
    "$([ "$(grep -c '<testcase' "$work/report.xml")" = "$(grep -c '^-- test:' tests/cases/*.sql | awk -F: '{ n += $NF } END { print n }')" ] && echo 1 || echo 0)"
verdict "the report is XML" "$(python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$work/report.xml" && echo 1 || echo 0)"

"$weir" test tests/data/test_command > "$work/out"
code=$?
sed -E 's/\([0-9]+ ms\)/(N ms)/' "$work/out" > "$work/got"
verdict "cases that fail are told" "$(diff tests/data/test_command/failing.txt "$work/got" >&2 && echo 1 || echo 0)"
verdict "and make the exit code 1 (was $code)" "$([ $code = 1 ] && echo 1 || echo 0)"

"$weir" test tests/data/sql > "$work/out" 2> "$work/err"
verdict "a folder without cases is told" "$([ $? = 1 ] && grep -q 'there is no case' "$work/err" && echo 1 || echo 0)"
"$weir" test "$work/nothing" > "$work/out" 2> "$work/err"
verdict "a folder that is not there is exit code 2" "$([ $? = 2 ] && echo 1 || echo 0)"
"$weir" test > "$work/out" 2> "$work/err"
verdict "and so is no folder at all" "$([ $? = 2 ] && echo 1 || echo 0)"
printf -- '-- test: a\n-- input: t\n--   [1]\nSELECT 1;\n--   [2]\n' > "$work/stray.sql"
"$weir" test "$work/stray.sql" > "$work/out" 2> "$work/err"
verdict "a row that belongs to nothing is a mistake" "$([ $? = 2 ] && grep -q "a row that belongs to no" "$work/err" && echo 1 || echo 0)"
printf -- '-- test: a\n-- note: an ordinary comment\nSELECT 1;\n-- expected:\n--   [2]\n' > "$work/typo.sql"
"$weir" test "$work/typo.sql" > "$work/out" 2> "$work/err"
verdict "a word that is nearly one of test files is a mistake" \
    "$([ $? = 2 ] && grep -q "typo.sql:4: " "$work/err" && grep -q "did you mean 'expect:'" "$work/err" && echo 1 || echo 0)"
awk '/^```sql/ { inside = 1; n++; next } /^```/ { inside = 0 } inside && n <= 2 { print > (w "/page" n ".sql") }' w="$work" docs/reference/testing.md
"$weir" test "$work/page1.sql" "$work/page2.sql" > "$work/out" 2>&1
verdict "the examples of docs/reference/testing.md pass ($(tail -1 "$work/out"))" "$(grep -q '^3 passed, 0 failed' "$work/out" && echo 1 || echo 0)"

printf -- '-- test: a\nSELECT 1;\n\n-- test: b\nSELECT 2;\n-- expect:\n--   [2]\n' > "$work/silent.sql"
"$weir" test "$work/silent.sql" > "$work/out" 2> "$work/err"
verdict "a case without an expectation is told" \
    "$([ $? = 0 ] && grep -q '^  ok     a ([0-9]* ms), expects nothing$' "$work/out" && grep -q '^  ok     b ([0-9]* ms)$' "$work/out" &&
        grep -q "^1 of them without an 'expect'" "$work/out" && echo 1 || echo 0)"

printf -- '-- test: endless\nCREATE TABLE g (a INT) WITH ('"'connector' = 'datagen'"');\nSELECT SUM(a) FROM g;\n' > "$work/endless.sql"
timeout 60 "$weir" test --limit 300ms "$work/endless.sql" > "$work/out" 2> "$work/err"
verdict "a case without end is ended" "$([ $? = 1 ] && grep -q 'took longer than 300 ms' "$work/out" && echo 1 || echo 0)"

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]

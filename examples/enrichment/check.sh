#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Starts the job, appends to its file in three steps, waits each time for the rows, and stops it with Ctrl-C's signal.
set -u
weir=$(realpath "${1:?usage: check.sh WEIR}")
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
cp "$here"/*.sql "$here"/*.csv "$work" && cd "$work" || exit 1
mkdir growing && : > growing/payments.jsonl
passed=0
failed=0
verdict() { # NAME TRUE?
    if [ "$2" = 1 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED: $1"; fi
}
settle() { # the rows that a changelog adds up to
    grep -E '^[-+][IUD]\[' changes | awk '{ row = substr($0, 3); n[row] += (substr($0, 1, 1) == "+") ? 1 : -1 }
        END { for (row in n) for (i = 0; i < n[row]; i++) print "+I" row }' | sort
}
wait_for() { # ROWS: the first so many of expected.txt
    head -n "$1" "$here/expected.txt" | sort > wanted
    for _ in $(seq 150); do
        settle > got
        cmp -s wanted got && return 0
        sleep 0.1
    done
    diff wanted got
    return 1
}
pay() { printf '{"payment_id": %d, "customer_id": %d, "amount": %s}\n' "$@" >> growing/payments.jsonl; }

"$weir" run --quiet enrichment.sql > changes 2> errors &
job=$!
trap 'kill -9 $job 2>/dev/null; rm -rf "$work"' EXIT

pay 1 1 20.00; pay 2 3 5.50
verdict "payments that are there at the start" "$(wait_for 2 >&2 && echo 1 || echo 0)"
pay 3 1 99.99; pay 4 77 1.00
verdict "payments that come later, one of nobody" "$(wait_for 4 >&2 && echo 1 || echo 0)"
sleep 0.5
pay 5 2 12.25; pay 6 4 7.00
verdict "payments after a quiet time" "$(wait_for 6 >&2 && echo 1 || echo 0)"

kill -INT $job
wait $job
code=$?
verdict "Ctrl-C ends the job with exit code 130 (was $code)" "$([ $code = 130 ] && echo 1 || echo 0)"
verdict "and without an error (was: $(cat errors))" "$([ -s errors ] && echo 0 || echo 1)"

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]

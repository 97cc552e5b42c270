#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The demo must end well on this machine's own log, and where there is none, a short one, or one of other words.
#   tests/scripts/demo.sh build/release/weir
set -u
weir=$(realpath "${1:-build/release/weir}")
cd "$(dirname "$0")/../.." || exit 1
passed=0
failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
printf '2026-01-01 10:00:00 install a:amd64 <none> 1.0\n' > "$work/short"
{
    for i in $(seq 60); do printf '2026-01-%02d 10:00:%02d install p%d:amd64 <none> 1.0\n' $((i % 9 + 1)) "$((i % 60))" $((i % 50)); done
    printf 'a "line of\nother, words; and 2026-01-01 conffile /etc/x keep it all too many fields here\n\n'
    for i in $(seq 9); do printf '2026-02-01 11:00:%02d remove p%d:amd64 1.0 <none>\n' "$i" "$i"; done
} > "$work/odd"
for log in /var/log/dpkg.log "$work/missing" "$work/short" "$work/odd"; do
    if out=$(WEIR_DEMO_LOG=$log bash examples/demo.sh "$weir" 2>&1) && grep -q '^== the same answer: ' <<< "$out"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED with $log:"
        tail -n 30 <<< "$out"
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]

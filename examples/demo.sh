#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A continuous query over this machine's own package log, then the same query over the log as a table.
#   examples/demo.sh build/release/weir
set -euo pipefail
weir=$(realpath "${1:?usage: examples/demo.sh WEIR}")
cd "$(dirname "$0")/demo"
work=$(mktemp -d)
pids=""
finish() {
    for pid in $pids; do kill "$pid" 2>/dev/null || true; done
    rm -rf "$work"
}
trap finish EXIT
say() { printf '\n== %s\n' "$*"; }

# ---- the data: what dpkg wrote into its log, line by line "day time action package old new" ----
log=$work/history
source=${WEIR_DEMO_LOG:-/var/log/dpkg.log}
cat "$source.1" "$source" 2>/dev/null > "$log" || cat "$source" 2>/dev/null > "$log" || true
if [ "$(grep -cE ' (install|upgrade|remove|purge) ' "$log" 2>/dev/null || true)" -lt 20 ]; then
    # An image without its log still knows when each package was unpacked.
    source=/var/lib/dpkg/info
    for list in /var/lib/dpkg/info/*.list; do
        [ -f "$list" ] || continue
        package=$(basename "$list" .list)
        printf '%s install %s <none> -\n' "$(date -u -r "$list" '+%Y-%m-%d %H:%M:%S')" "$package"
    done | sort > "$log"
fi
lines=$(wc -l < "$log")
[ "$lines" -gt 0 ] || { echo "demo: this machine has no package log and no package database" >&2; exit 1; }

# ---- package_log, once as a file that others write to, once as a file ----
define() { # OPTIONS
    cat <<SQL
CREATE TABLE package_log (
  \`day\` STRING, \`time\` STRING, action STRING, package STRING, version_before STRING, version_after STRING
) WITH (
  'connector' = 'filesystem', 'path' = '$work/dpkg.log', 'format' = 'csv',
  'csv.field-delimiter' = ' ', 'csv.disable-quote-character' = 'true',
  'csv.ignore-parse-errors' = 'true', 'csv.ignore-trailing-unmappable' = 'true'$1
);
SQL
}
define ", 'source.monitor-interval' = '200 ms'" > "$work/stream.sql"
define "" > "$work/table.sql"

answer() { "$weir" run --mode batch --format changelog --init "$work/table.sql" query.sql | sort; }
# What a changelog adds up to: +I and +U put a row, -U and -D take an equal one away.
settle() {
    awk '{ row = substr($0, 3); sign = substr($0, 1, 2); n[row] += (sign == "+I" || sign == "+U") ? 1 : -1 }
         END { for (row in n) for (i = 0; i < n[row]; i++) print "+I" row }' "$1" | sort
}

say "the query (examples/demo/query.sql)"
grep -v '^--' query.sql
say "as a stream: $lines lines of $source are appended to a file while the query runs; its changes:"
half=$((lines / 2))
head -n "$half" "$log" > "$work/dpkg.log"
: > "$work/changes"
"$weir" run --quiet --mode streaming --format changelog --set table.exec.mini-batch.enabled=true \
    --set table.exec.mini-batch.allow-latency='200 ms' --set table.exec.mini-batch.size=5000 \
    --init "$work/stream.sql" query.sql > "$work/changes" 2> "$work/errors" &
query=$!
tail -n +1 -f "$work/changes" & pids="$query $!"
step=$(((lines - half + 5) / 6))
from=$((half + 1))
while [ "$from" -le "$lines" ]; do
    sleep 0.5
    sed -n "${from},$((from + step - 1))p" "$log" >> "$work/dpkg.log"
    from=$((from + step))
done
answer > "$work/batch"
same=no
for _ in $(seq 150); do # the stream has no end: wait until it has caught up
    settle "$work/changes" > "$work/stream"
    if cmp -s "$work/stream" "$work/batch"; then same=yes; break; fi
    kill -0 "$query" 2>/dev/null || break
    sleep 0.2
done
sleep 0.3
kill -INT "$query" 2>/dev/null || true
code=0
wait "$query" || code=$?
if [ "$code" != 130 ]; then cat "$work/errors" >&2; fi

say "as a table: the same query in batch mode, over the whole file"
"$weir" run --mode batch --format table --init "$work/table.sql" query.sql
if [ "$same" = yes ]; then
    say "the same answer: $(wc -l < "$work/changes") changes of the stream add up to the $(wc -l < "$work/batch") rows of the table"
else
    say "the answers differ"
    diff "$work/stream" "$work/batch" || true
    exit 1
fi

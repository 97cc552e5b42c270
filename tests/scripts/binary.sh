#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The release binary as a whole: which libraries it needs, how fast it answers.
#   tests/scripts/binary.sh build/release/weir
set -u
weir=${1:-build/release/weir}
[ -x "$weir" ] || { echo "there is no $weir"; echo "0 passed, 1 failed"; exit 1; }
passed=0
failed=0
verdict() { # NAME TRUE? DETAIL
    if [ "$2" = 1 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "$1: $3"; fi
}

foreign=$(ldd "$weir" | grep -vE 'linux-vdso|ld-linux|libc\.so|libm\.so|libgcc_s|libpthread|libdl|libroaring')
verdict "only system libraries are shared" "$([ -z "$foreign" ] && echo 1 || echo 0)" "$foreign"

libraries=$("$weir" --version)
missing=""
for name in pcre2 zlib zstd; do grep -q "$name" <<< "$libraries" || missing="$missing $name"; done
verdict "--version names its libraries" "$([ -z "$missing" ] && echo 1 || echo 0)" "missing:$missing in: $libraries"

best=$(python3 - "$weir" <<'PY'
import subprocess, sys, time
best = 1e9
for _ in range(15):
    start = time.perf_counter()
    run = subprocess.run([sys.argv[1], "-c", "SELECT 1"], capture_output=True)
    best = min(best, time.perf_counter() - start) if run.returncode == 0 else best
print(round(best * 1000, 1))
PY
)
verdict "SELECT 1 answers in under 20 ms" "$(awk -v b="$best" 'BEGIN { print b < 20 ? 1 : 0 }')" "best of 15: $best ms"

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]

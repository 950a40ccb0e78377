#!/usr/bin/env bash
# Fails when the executable is larger than it may be, or takes more memory than it may while nobody visits the site:
# tests/package/size.sh EXECUTABLE
#
# It is what a machine downloads, and what pages of code in memory come from. docs/performance.md says what is in it, and
# `nm --size-sort --demangle` which functions have grown, on a build with `cargo rustc --release -- -C strip=none`.
set -euo pipefail

readonly limit=$((20 * 1024 * 1024))

binary=$1
size=$(stat --dereference --format %s "$binary")
if [ "$size" -gt "$limit" ]; then
  echo "tests/package/size.sh: $binary has $size bytes, $((size - limit)) more than the $limit allowed" >&2
  exit 1
fi
echo "executable: $size bytes of $limit"

# In KiB, as the system counts it: most of it is pages of the executable.
readonly memory_limit=$((16 * 1024))

data=$(mktemp -d)
"$binary" serve --data-dir "$data" --listen 127.0.0.1:0 >"$data/said" 2>&1 &
server=$!
trap 'kill "$server" 2>/dev/null || true; rm -rf "$data"' EXIT
for _ in $(seq 100); do
  ! grep -q "listening on" "$data/said" || break
  sleep 0.1
done
address=$(sed -n 's|.*listening on \(http://[^ ]*\).*|\1|p' "$data/said" | head -1)
curl --fail --silent --output /dev/null "$address/healthz"
memory=$(sed -n 's/^VmRSS:[^0-9]*\([0-9]*\) kB$/\1/p' "/proc/$server/status")
if [ "$memory" -gt "$memory_limit" ]; then
  echo "tests/package/size.sh: $binary takes $memory KiB idle, $((memory - memory_limit)) more than the $memory_limit allowed" >&2
  exit 1
fi
echo "memory, idle: $memory KiB of $memory_limit"

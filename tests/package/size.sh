#!/usr/bin/env bash
# Fails when the executable is larger than it may be: tests/package/size.sh EXECUTABLE
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

# Sourced by the other scripts in this directory. Starts a server in a temporary directory and stops it when the script ends.
# TAUBENABWEHR_BIN: the executable to attack, by default target/release/taubenabwehr.
# shellcheck shell=bash disable=SC2034
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
bin=${TAUBENABWEHR_BIN:-${CARGO_TARGET_DIR:-$root/target}/release/taubenabwehr}
tools=${CARGO_TARGET_DIR:-$root/target}/tools

# Limit of the server's peak memory in KiB (README.md: 192 MiB).
MEMORY_LIMIT=$((192 * 1024))

if [ ! -x "$bin" ]; then
  echo "$bin does not exist: run cargo build --release, or set TAUBENABWEHR_BIN." >&2
  exit 1
fi

work=$(mktemp -d)
server=""
stop_server() {
  [ -z "$server" ] && return
  kill "$server" 2>/dev/null || true
  wait "$server" 2>/dev/null || true
  server=""
}
trap 'stop_server; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

step() { printf '\n== %s (%ss)\n' "$1" "$SECONDS"; }

# need <command> <Debian package>: installs the package if the command is missing.
need() {
  command -v "$1" >/dev/null && return
  local sudo=""
  [ "$(id -u)" = 0 ] || sudo=sudo
  if ! command -v apt-get >/dev/null; then
    echo "$1 is missing: install it (Debian package $2)." >&2
    exit 1
  fi
  $sudo apt-get update -qq
  DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends "$2" >/dev/null
}

# start_server [flag …]: starts a server on a free loopback port. Sets $address, $url, $data_dir, $log, and $server, its
# process id.
start_server() {
  stop_server
  data_dir=$(mktemp -d "$work/data-XXXX")
  "$bin" serve --listen 127.0.0.1:0 --data-dir "$data_dir" "$@" >"$data_dir.out" 2>"$data_dir.log" &
  server=$!
  log=$data_dir.log
  address=""
  for _ in $(seq 100); do
    address=$(sed -n 's|.*listening on http://||p' "$data_dir.out")
    [ -n "$address" ] && break
    kill -0 "$server" 2>/dev/null || break
    sleep 0.1
  done
  if [ -z "$address" ]; then
    echo "The server did not start:" >&2
    cat "$log" >&2
    exit 1
  fi
  url=http://$address
}

# Peak memory of the server in KiB.
peak_memory() { awk '/^VmHWM/ { print $2 }' "/proc/$server/status"; }

# Fails if the server has exited, panicked, or exceeded its memory limit.
check_server() {
  if ! kill -0 "$server" 2>/dev/null || grep -q panicked "$log"; then
    echo "The server exited or panicked:" >&2
    tail -n 20 "$log" >&2
    exit 1
  fi
  local peak
  peak=$(peak_memory)
  echo "Peak memory: $((peak / 1024)) of at most $((MEMORY_LIMIT / 1024)) MiB."
  if [ "$peak" -gt "$MEMORY_LIMIT" ]; then
    echo "The server used too much memory." >&2
    exit 1
  fi
}

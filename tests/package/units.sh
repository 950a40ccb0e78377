#!/usr/bin/env bash
# Checks that systemd understands every line of the units, and that they are as locked down as an internet service should be.
# Usage: tests/package/units.sh EXECUTABLE
set -euo pipefail
binary=$(realpath "$1")
cd "$(dirname "$0")/../.."

# In tenths of systemd-analyze's score: at most 1.5.
readonly MAX_EXPOSURE=15

fail() {
  echo "units: $1" >&2
  exit 1
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Units name the executable where the package puts it.
for unit in packaging/systemd/*; do
  sed "s|/usr/bin/taubenabwehr|$binary|" "$unit" >"$work/$(basename "$unit")"
done

# It exits with 0 even if it does not know a key, so check its output.
said=$(systemd-analyze verify --man=no "$work"/* 2>&1) || true
# Ignore the machine's own units.
said=$(grep taubenabwehr <<<"$said" || true)
[ -z "$said" ] || fail "systemd-analyze verify says: $said"

for unit in taubenabwehr.service taubenabwehr-backup.service; do
  systemd-analyze security --offline=true --threshold="$MAX_EXPOSURE" --no-pager "$work/$unit" >"$work/exposure" 2>&1 ||
    fail "$unit is more exposed than $MAX_EXPOSURE tenths: $(tail -1 "$work/exposure")"
  tail -1 "$work/exposure"
done

# The machine keeps running whatever memory strangers make the service use.
grep -qx 'MemoryMax=1G' packaging/systemd/taubenabwehr.service || fail "the memory of taubenabwehr.service has no bound"

# The names by which the server knows its sockets.
for name in http https metrics; do
  grep -qx "FileDescriptorName=$name" "packaging/systemd/taubenabwehr-$name.socket" || fail "no socket is named $name"
done

# Both services are restricted alike; only what they may write differs.
closed() { sed -n '/^CapabilityBoundingSet/,/^SystemCallErrorNumber/p' "packaging/systemd/$1" | grep -v '^#'; }
[ "$(closed taubenabwehr.service)" = "$(closed taubenabwehr-backup.service)" ] || fail "the services are not closed alike"
echo "units: systemd understands them"

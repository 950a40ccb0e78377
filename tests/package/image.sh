#!/usr/bin/env bash
# Starts a container image as a runtime would: with only its files, its user and its environment.
# Usage: tests/package/image.sh IMAGE.tar. Needs root.
set -euo pipefail
image=$(realpath "$1")

fail() {
  echo "image: $1" >&2
  [ ! -e "$work/log" ] || cat "$work/log" >&2
  exit 1
}

work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
root=$work/root
mkdir "$work/image" "$root"
tar -x -f "$image" -C "$work/image"
settings=$(jq -r '.[0].Config' "$work/image/manifest.json")
for layer in $(jq -r '.[0].Layers[]' "$work/image/manifest.json"); do
  tar -x -f "$work/image/$layer" -C "$root" --same-owner --same-permissions
done
setting() { jq -r ".config.$1" "$work/image/$settings"; }

[ "$(stat -c '%u %a' "$root/data")" = "65532 700" ] || fail "/data is $(stat -c '%u %a' "$root/data")"
[ "$(setting User)" = 65532:65532 ] || fail "it runs as $(setting User)"
[ "$(setting 'Volumes | keys | join(" ")')" = /data ] || fail "its volume is not /data"
mapfile -t environment < <(setting 'Env[]')
mapfile -t serve < <(setting 'Entrypoint[]' && setting 'Cmd[]')
mapfile -t check < <(setting 'Healthcheck.Test[1:][]')
[ "${#check[@]}" -gt 0 ] || fail "it has no health check"

# Runs a command in the image.
inside() { env -i "${environment[@]}" chroot --userspec="$(setting User)" "$root" "$@"; }

try() {
  ip link set lo up
  # As every runtime does.
  mkdir -p "$root/proc" "$root/dev"
  mount -t proc proc "$root/proc"
  mount --bind /dev "$root/dev"
  ! inside "${check[@]}" 2>/dev/null || fail "the health check says yes before the server runs"
  inside "${serve[@]}" >"$work/address" 2>"$work/log" &
  local tries=0
  until inside "${check[@]}" >/dev/null 2>&1; do
    tries=$((tries + 1))
    [ "$tries" -lt 300 ] || fail "the server does not answer"
    sleep 0.1
  done
  curl --fail --silent http://127.0.0.1:8080/rest/v1/inquiries -H 'Content-Type: application/json' -d '{
    "postal_code": "22087", "property_type": "residential", "types_of_problems": "nesting", "problem_locations": "balcony",
    "first_name": "Anna", "last_name": "Krause", "email_address": "anna@example.de", "phone_number": "+49 40 7654321"}'
  [ "$(inside /taubenabwehr export --format jsonl | wc -l)" = 1 ] || fail "the inquiry is not there"
}

# A separate network namespace, so that port 8080 is free. What is started there ends with it.
export root work settings
export -f setting inside try fail
unshare --net --pid --fork --kill-child --mount-proc bash -euo pipefail -c "
  $(declare -p environment serve check)
  try"
echo "image: it runs from an empty root, with its health check"

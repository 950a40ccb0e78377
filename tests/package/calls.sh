#!/usr/bin/env bash
# Checks that the service may make every system call that the server makes: a refused one would only show in production.
# Usage: tests/package/calls.sh EXECUTABLE. Needs strace.
set -euo pipefail
binary=$(realpath "$1")
cd "$(dirname "$0")/../.."
unit=packaging/systemd/taubenabwehr.service

work=$(mktemp -d)
tracer=

# Stops the server, which is the tracer's only child: the tracer ends with it.
end_server() {
  local server
  [ -n "$tracer" ] || return 0
  server=$(<"/proc/$tracer/task/$tracer/children")
  kill -TERM "${server% }"
  wait "$tracer"
  tracer=
}

trap 'end_server; rm -rf "$work"' EXIT

# Lists the calls of a group, including those of nested groups.
calls() {
  case $1 in
    @*)
      local call
      systemd-analyze --no-pager syscall-filter "$1" | sed 's/#.*//' | awk 'NR > 1 && NF { print $1 }' |
        while read -r call; do calls "$call"; done
      ;;
    *) echo "$1" ;;
  esac
}

# Later lines of the unit change the effect of earlier ones.
: >"$work/allowed"
sed -n 's/^SystemCallFilter=//p' "$unit" | while read -r line; do
  for name in ${line#\~}; do calls "$name"; done | sort -u >"$work/named"
  case $line in
    \~*) comm -23 "$work/allowed" "$work/named" >"$work/next" ;;
    *) sort -u "$work/allowed" "$work/named" >"$work/next" ;;
  esac
  mv "$work/next" "$work/allowed"
done

# It listens once it has printed its address.
mkfifo "$work/address"
strace --follow-forks --quiet=all --output="$work/trace" \
  "$binary" serve --listen 127.0.0.1:0 --data-dir "$work/data" >"$work/address" 2>"$work/log" &
tracer=$!
read -r line <"$work/address"
url=${line##* }
for path in / /fragebogen /healthz; do
  curl --fail --silent --compressed --output /dev/null "$url$path"
done
page=$(curl --fail --silent --output /dev/null --write-out '%header{location}' "$url/rest/v1/inquiries" -H 'Content-Type: application/json' -d '{
  "postal_code": "22087", "property_type": "residential", "types_of_problems": "nesting", "problem_locations": "balcony",
  "first_name": "Anna", "last_name": "Krause", "email_address": "anna@example.de", "phone_number": "+49 40 7654321"}')
# A photo of one pixel, for the process that the server starts for it.
base64 -d >"$work/photo.png" <<'PNG'
iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==
PNG
curl --fail --silent --output /dev/null -H "Origin: $url" -F "photos=@$work/photo.png" "$url$page/fotos"
"$binary" export --data-dir "$work/data" >/dev/null
end_server

sed -n 's/^[0-9]* *\([a-z0-9_]*\)(.*/\1/p' "$work/trace" | sort -u >"$work/made"
[ "$(wc -l <"$work/made")" -gt 30 ] || { echo "calls: the trace is empty" >&2; exit 1; }
refused=$(comm -23 "$work/made" "$work/allowed" | xargs)
[ -z "$refused" ] || { echo "calls: $unit refuses $refused" >&2; exit 1; }
echo "calls: the service may make all $(wc -l <"$work/made") that the server makes"

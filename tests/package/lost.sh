#!/usr/bin/env bash
# Runs in a clean root (root.sh): what docs/operation.md says of a lost disk, command by command.
set -euo pipefail
cd /root
ip link set lo up
# shellcheck disable=SC2046 # a list of numbers
trap 'kill $(jobs -p) 2>/dev/null || true' EXIT

fail() {
  echo "lost: $1" >&2
  cat /tmp/service.log >&2 || true
  exit 1
}
step() { echo "lost: $1"; }
data=/var/lib/taubenabwehr
config=/etc/taubenabwehr/config.toml
as_user() { setpriv --reuid=taubenabwehr --regid=taubenabwehr --init-groups "$@"; }
inquiries() { as_user taubenabwehr export --format jsonl --config "$config"; }
send() {
  curl --fail --silent --show-error http://127.0.0.1/rest/v1/inquiries -H 'Content-Type: application/json' -d '{
    "postal_code": "22087", "property_type": "residential", "types_of_problems": "nesting", "problem_locations": "balcony",
    "first_name": "Anna", "last_name": "'"$1"'", "email_address": "anna@example.de", "phone_number": "+49 40 7654321"}'
}
stop_server() {
  local server
  # There is one: this root has processes of its own.
  server=$(pgrep --newest --exact taubenabwehr)
  kill "$server"
  while [ -e "/proc/$server" ]; do sleep 0.1; done
}

# No service manager runs here, so that a stand-in starts what units say.
install -m 755 systemctl /usr/local/bin/systemctl
export PATH=/usr/local/bin:$PATH
apt-get install --yes --quiet=2 --no-install-recommends /taubenabwehr.deb >/tmp/apt.log 2>&1 || fail "$(cat /tmp/apt.log)"
# The address of the socket, which the configuration does not know.
sed -i 's|^#public_url = .*|public_url = "http://127.0.0.1"|' "$config"
grep -q '^public_url' "$config" || fail "packaging/config.toml lacks #public_url"
systemctl start taubenabwehr-http.socket
systemctl start taubenabwehr

step "a machine with three inquiries, a backup, and an erasure since"
for name in Krause Kranich Kleiber; do send "$name"; done
there=/root/from-the-other-machine
mkdir "$there"
taubenabwehr backup --data-dir "$data" --output "$there/3.backup"
taubenabwehr erase --yes --data-dir "$data" "$(inquiries | jq -r 'select(.last_name == "Kranich").id')"
cp "$data/erased.jsonl" "$there"
stop_server
rm -r "$data"

step "the commands"
SECONDS=0
sed 's/^/lost: $ /' lost-disk.sh
bash -euo pipefail lost-disk.sh
step "done in $SECONDS s"
names=$(inquiries | jq -r .last_name | sort | xargs)
[ "$names" = "Kleiber Krause" ] || fail "there is: $names"
send Neu
[ "$(inquiries | wc -l)" = 3 ] || fail "it takes no inquiries"
[ "$(stat -c '%U %a' "$data" "$data"/inquiries.redb "$data/erased.jsonl" | sort -u | xargs)" = "taubenabwehr 600 taubenabwehr 700" ] ||
  fail "$(stat -c '%n %U %a' "$data" "$data"/*)"
step "passed"

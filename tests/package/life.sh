#!/usr/bin/env bash
# Runs in a clean root (root.sh): the life of the package, from installation to purge.
set -euo pipefail
ip link set lo up

fail() {
  echo "life: $1" >&2
  exit 1
}
step() { echo "life: $1"; }
config=/etc/taubenabwehr/config.toml
data=/var/lib/taubenabwehr
backups=/var/backups/taubenabwehr
user=(--reuid=taubenabwehr --regid=taubenabwehr --init-groups)
as_user() { setpriv "${user[@]}" "$@"; }
install_package() { apt-get install --yes --quiet=2 --no-install-recommends "$1" >/tmp/apt.log 2>&1 || fail "installing $1: $(cat /tmp/apt.log)"; }
inquiries() { as_user taubenabwehr export --format jsonl --config "$config" | wc -l; }

step "installation"
install_package /taubenabwehr.deb
taubenabwehr --version
[ "$(getent passwd taubenabwehr | cut -d: -f6,7)" = "$data:/usr/sbin/nologin" ] || fail "the user is wrong: $(getent passwd taubenabwehr)"
for directory in "$data" "$backups"; do
  [ "$(stat -c '%U %G %a' "$directory")" = "taubenabwehr taubenabwehr 700" ] || fail "$directory: $(stat -c '%U %G %a' "$directory")"
done
[ "$(dpkg-query --showformat '${Conffiles}' --show taubenabwehr | awk '{print $1}' | xargs)" = "$config" ] || fail "$config is no conffile"
taubenabwehr config check --config "$config"
for unit in /usr/lib/systemd/system/taubenabwehr*; do
  # A service without [Install] is started by its timer.
  state=$(systemctl is-enabled "$(basename "$unit")" || true)
  case $state in disabled | static) ;; *) fail "$unit is $state before the operator has set anything" ;; esac
done
for file in /usr/share/man/man1/taubenabwehr-export.1.gz /usr/share/bash-completion/completions/taubenabwehr \
  /usr/share/doc/taubenabwehr/copyright /usr/share/doc/taubenabwehr/third-party.txt.gz; do
  # minbase leaves out manual pages and documentation; dpkg lists them nevertheless.
  dpkg-query --listfiles taubenabwehr | grep -qx "$file" || fail "the package lacks $file"
done

step "an inquiry"
(exec setpriv "${user[@]}" taubenabwehr serve --config "$config" --listen 127.0.0.1:8080) 2>/tmp/log &
server=$!
for _ in $(seq 100); do
  taubenabwehr healthcheck >/dev/null 2>&1 && break
  kill -0 "$server" || fail "the server has ended: $(cat /tmp/log)"
  sleep 0.1
done
curl --fail --silent --show-error http://127.0.0.1:8080/rest/v1/inquiries -H 'Content-Type: application/json' -d '{
  "postal_code": "22087", "property_type": "residential", "types_of_problems": "nesting", "problem_locations": "balcony",
  "first_name": "Anna", "last_name": "Krause", "email_address": "anna@example.de", "phone_number": "+49 40 7654321"}'
kill "$server"
wait "$server" || fail "the server did not end well: $(cat /tmp/log)"
[ "$(inquiries)" = 1 ] || fail "the inquiry is not there"
sed -i 's/^rate_limit = 10$/rate_limit = 11/' "$config"
systemctl enable --quiet taubenabwehr.service

step "an update"
install_package /later.deb
dpkg-query --showformat '${Version}' --show taubenabwehr | grep -q '+later$' || fail "the later version is not installed"
grep -qx 'rate_limit = 11' "$config" || fail "an update took the operator's settings"
[ "$(inquiries)" = 1 ] || fail "an update took the inquiry"
systemctl is-enabled --quiet taubenabwehr.service || fail "an update has disabled the service"

step "removal"
apt-get remove --yes --quiet=2 taubenabwehr >/dev/null
[ ! -e /usr/bin/taubenabwehr ] || fail "the executable is still there"
[ -s "$config" ] || fail "a removal took the settings"
[ -n "$(ls -A "$data")" ] || fail "a removal took the inquiries"

step "purge, with nobody to ask"
install_package /later.deb
[ "$(inquiries)" = 1 ] || fail "the inquiry is not there after a new installation"
apt-get purge --yes --quiet=2 taubenabwehr >/dev/null 2>&1
[ ! -e "$config" ] || fail "a purge left $config"
[ -n "$(ls -A "$data")" ] || fail "a purge took the inquiries without a yes"

step "purge, with a yes"
install_package /later.deb
echo "taubenabwehr taubenabwehr/purge-data boolean true" | debconf-set-selections
apt-get purge --yes --quiet=2 taubenabwehr >/dev/null 2>&1
for directory in "$data" "$backups"; do
  [ ! -e "$directory" ] || fail "$directory is still there"
done
[ -z "$(find /etc /usr /var/lib/systemd -name '*taubenabwehr*')" ] || fail "left: $(find /etc /usr /var/lib/systemd -name '*taubenabwehr*')"

step "a new start on an empty machine"
install_package /taubenabwehr.deb
[ "$(stat -c '%U %a' "$data")" = "taubenabwehr 700" ] || fail "$data is not there again"
step "passed"

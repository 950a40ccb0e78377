#!/usr/bin/env bash
# Runs in a clean root (root.sh): installs without the package and without systemd, then a second site beside the package's,
# by the commands of docs/operation.md.
set -euo pipefail

say() { echo "by-hand: $1"; }
fail() {
  say "$1" >&2
  exit 1
}
# shellcheck disable=SC2046 # a list of numbers
trap 'kill $(jobs -p) 2>/dev/null || true' EXIT

# No service manager runs here: units are enabled, and checked below as systemd would check them.
systemctl() {
  case "$1 ${2:-}" in
    "daemon-reload "*) ;;
    "enable --now") shift 2 && /usr/bin/systemctl enable --quiet "$@" ;;
    *) fail "the guide calls systemctl $*" ;;
  esac
}

check_units() {
  local said
  said=$(systemd-analyze verify --man=no "$@" 2>&1) || true
  said=$(grep taubenabwehr <<<"$said" || true)
  [ -z "$said" ] || fail "systemd-analyze verify says: $said"
}

# Waits until a server responds here, and stops it.
await_health() {
  local address=$1 server=$2
  for _ in $(seq 150); do
    if curl --fail --silent --output /dev/null "http://$address/healthz"; then
      kill "$server"
      while kill -0 "$server" 2>/dev/null; do sleep 0.1; done
      return
    fi
    kill -0 "$server" || fail "the server at $address has ended"
    sleep 0.2
  done
  fail "nobody answers at $address"
}

export PATH=/usr/local/sbin:/usr/local/bin:$PATH
ip link set lo up
dpkg-deb --extract /taubenabwehr.deb /root/unpacked
mkdir -p /root/sources/packaging/systemd
cd /root/sources
cp /root/unpacked/usr/bin/taubenabwehr .
cp /root/unpacked/usr/lib/systemd/system/taubenabwehr* packaging/systemd

# shellcheck source=/dev/null
. /root/without-package.sh
check_units /etc/systemd/system/taubenabwehr*
printf 'data_dir = "/var/lib/taubenabwehr"\nlisten = "127.0.0.1:80"\n' >/etc/taubenabwehr/config.toml
# shellcheck source=/dev/null
(. /root/without-systemd.sh) &
await_health 127.0.0.1:80 "$(sleep 1 && pgrep -x taubenabwehr)"
[ "$(stat -c %U /var/lib/taubenabwehr/*.redb)" = taubenabwehr ] || fail "the store belongs to another user"
say "the site runs without the package"

rm -rf /usr/local/bin/taubenabwehr /etc/taubenabwehr /etc/systemd/system/taubenabwehr*
hash -r
dpkg --install /taubenabwehr.deb >/dev/null
# shellcheck source=/dev/null
. /root/second-site.sh
check_units /etc/systemd/system/taubenabwehr@two.service /etc/systemd/system/taubenabwehr-backup@two.{service,timer}
printf 'data_dir = "/var/lib/taubenabwehr-two"\nlisten = "127.0.0.1:8180"\n' >/etc/taubenabwehr-two/config.toml
start=$(sed -n 's/^ExecStart=//p' /etc/systemd/system/taubenabwehr@.service)
# shellcheck disable=SC2086 # a command and its arguments
runuser --user taubenabwehr-two -- ${start//%i/two} &
await_health 127.0.0.1:8180 "$!"
[ "$(stat -c %U /var/lib/taubenabwehr-two/*.redb)" = taubenabwehr-two ] || fail "the second store belongs to another user"
say "passed"

#!/usr/bin/env bash
# Installs, upgrades, removes and purges a .deb in a clean root of this machine's Debian, and follows the guide of
# docs/operation.md, its section on a lost disk, and its ways without the package in others. Usage: tests/package/root.sh PACKAGE.deb
# Needs root, mmdebstrap and a mirror. The root is kept in target/package for the next run.
set -euo pipefail
deb=$(realpath "$1")
cd "$(dirname "$0")/../.."
here=tests/package

suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
base=target/package/root-$suite.tar
# The packages of a server, and for the guide a mail server that keeps its mails and a certificate authority.
packages=systemd,init-system-helpers,debconf,ca-certificates,curl,openssl,jq,iproute2,procps,nftables,python3-aiosmtpd,pebble

work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT

if [ ! -s "$base" ]; then
  mkdir -p "$(dirname "$base")"
  # The same mirrors as this machine.
  cat /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list 2>/dev/null >"$work/mirrors" || true
  mmdebstrap --format=tar --variant=minbase --include="$packages" "$suite" "$work/root.tar" "$work/mirrors" >"$work/log" 2>&1 || {
    cat "$work/log" >&2
    echo "root: mmdebstrap has failed" >&2
    exit 1
  }
  mv "$work/root.tar" "$base.new"
  mv "$base.new" "$base"
fi

# A newer package with the same files.
dpkg-deb --raw-extract "$deb" "$work/later"
sed -i 's/^Version: .*/&+later/' "$work/later/DEBIAN/control"
dpkg-deb --build -Znone "$work/later" "$work/later.deb" >/dev/null
rm -rf "$work/later"

# Runs a script in a new root with its own process and network namespaces: nothing reaches the machine or the internet.
in_root() {
  local root=$work/$1
  shift
  mkdir "$root"
  tar -x -f "$base" -C "$root"
  install -m 644 "$deb" "$root/taubenabwehr.deb"
  install -m 644 "$work/later.deb" "$root/later.deb"
  install -m 755 "$@" "$root/root/"
  echo "127.0.0.1 localhost www.example.de" >"$root/etc/hosts"
  unshare --mount --net --pid --fork --kill-child --mount-proc="$root/proc" \
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
    chroot "$root" bash -euo pipefail "/root/$(basename "$1")"
}

in_root life "$here/life.sh"

stand_ins=("$here/stand-ins.sh" "$here/systemctl" "$here/mails.py")
node "$here/guide.mjs" docs/operation.md >"$work/commands.sh"
node "$here/guide.mjs" docs/operation.md copy >"$work/copy.sh"
in_root guide "$here/guide.sh" "$work/commands.sh" "$work/copy.sh" "${stand_ins[@]}"
node "$here/guide.mjs" docs/operation.md lost-disk >"$work/lost-disk.sh"
in_root lost "$here/lost.sh" "$work/lost-disk.sh" "$work/guide/root/copy/"* "${stand_ins[@]}"

by_hand=()
for name in without-package without-systemd second-site; do
  node "$here/guide.mjs" docs/operation.md "$name" >"$work/$name.sh"
  by_hand+=("$work/$name.sh")
done
in_root by-hand "$here/by-hand.sh" "${by_hand[@]}"

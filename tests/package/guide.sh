#!/usr/bin/env bash
# Runs in a clean root (root.sh): follows the guide with its own mail server, certificate authority and name. What it
# leaves in /root/copy is what another machine keeps of this one.
set -euo pipefail
# shellcheck source=tests/package/stand-ins.sh
. /root/stand-ins.sh

SECONDS=0
# shellcheck source=/dev/null
. /root/commands.sh
say "done in $SECONDS s"

# The last step erased the person, and the firm was asked before that; the operator and the visitor also have mail.
for address in team@example.de auftrag@nordnetz.example anna@example.de; do
  await grep -rqsi "^To:.*$address" /tmp/mails
done
[ "$(stat -c %a "/var/backups/taubenabwehr/$(date +%u).backup")" = 600 ] || fail "the backup can be read by others"
[ -z "$(last_names)" ] || fail "the trial inquiry is still there"
check_machine

say "three inquiries whose mails wait, a backup, and an erasure since"
kill "$mail"
for name in Krause Kranich Kleiber; do send "$name"; done
systemctl start taubenabwehr-backup.service
backups=/var/backups/taubenabwehr
mv "$backups/$(date +%u).backup" "$backups/3.backup"
as_user person kranich@example.de --erase --yes
# A disk lost during the next backup leaves a list that is newer than the newest backup.
cp --preserve=ownership /var/lib/taubenabwehr/erased.jsonl "$backups"
mkdir /root/copy
cd /root/copy
# shellcheck source=/dev/null
. /root/copy.sh
say "passed"

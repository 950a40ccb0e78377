#!/usr/bin/env bash
# Runs in a clean root (root.sh): the section of docs/operation.md on a lost disk, command by command, with only the copy
# of the lost machine that guide.sh has left.
set -euo pipefail
# shellcheck source=tests/package/stand-ins.sh
. /root/stand-ins.sh

# The server's user has a different id here than on the lost machine.
useradd --system --uid "$(tar -tvzf taubenabwehr-copy.tar.gz --numeric-owner | sed -n 's|^-[^ ]* \([0-9]*\)/.*/mail-password$|\1|p')" somebody

say "the commands, each with the seconds since the first"
SECONDS=0
# A root shell does not take PS4 from the environment.
bash -euo pipefail -c 'PS4="lost: \$SECONDS s \$ "; set -x; . /root/lost-disk.sh'
say "done in $SECONDS s"

export TAUBENABWEHR_CONFIG=/etc/taubenabwehr/config.toml
data=/var/lib/taubenabwehr
[ "$(last_names)" = "Kleiber Krause" ] || fail "there is: $(last_names)"
send Neu
[ "$(last_names)" = "Kleiber Krause Neu" ] || fail "it takes no inquiries"
for address in krause@example.de kleiber@example.de neu@example.de; do
  await grep -rqsi "^To:.*$address" /tmp/mails
done
! grep -rqsi "^To:.*kranich@example.de" /tmp/mails || fail "somebody who was erased has mail"
[ "$(stat -c '%U %a' "$data" "$data"/inquiries.redb "$data/erased.jsonl" | sort -u | xargs)" = "taubenabwehr 600 taubenabwehr 700" ] ||
  fail "$(stat -c '%n %U %a' "$data" "$data"/*)"
[ "$(stat -c '%U %a' /etc/taubenabwehr/mail-password)" = "taubenabwehr 600" ] || fail "the password has another owner"
check_machine
say "passed"

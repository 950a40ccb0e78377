# Sourced in a clean root (root.sh): replaces the certificate authority, the mail server and the service manager.
# shellcheck shell=bash
ip link set lo up

# The name of the test in messages.
readonly test=${0##*/}
finish() {
  local status=$?
  if [ "$status" != 0 ]; then
    echo "${test%.sh}: failed; the service and the mail server said:" >&2
    cat /tmp/service.log /tmp/mail.log >&2 || true
  fi
  # shellcheck disable=SC2046 # a list of numbers
  kill $(jobs -p) 2>/dev/null || true
  exit "$status"
}
trap finish EXIT

say() { echo "${test%.sh}: $1"; }
fail() {
  say "$1" >&2
  exit 1
}

# Waits up to a minute until a command succeeds.
await() {
  for _ in $(seq 300); do
    "$@" >/dev/null 2>&1 && return
    sleep 0.2
  done
  fail "waited in vain for: $*"
}

# The certificate authority. Its own address also needs a certificate.
start_authority() {
  mkdir /tmp/pebble
  openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj "/CN=root of the directory" \
    -keyout /tmp/pebble/root-key.pem -out /tmp/pebble/root.pem 2>/dev/null
  openssl req -newkey rsa:2048 -nodes -subj /CN=directory -keyout /tmp/pebble/key.pem -out /tmp/pebble/request.pem 2>/dev/null
  openssl x509 -req -days 2 -in /tmp/pebble/request.pem -CA /tmp/pebble/root.pem -CAkey /tmp/pebble/root-key.pem \
    -extfile <(echo subjectAltName=IP:127.0.0.1) -out /tmp/pebble/cert.pem 2>/dev/null
  chmod 755 /tmp/pebble && chmod 644 /tmp/pebble/*
  cat >/tmp/pebble/config.json <<'CONFIG'
{"pebble": {"listenAddress": "127.0.0.1:14000", "managementListenAddress": "127.0.0.1:15000",
  "certificate": "/tmp/pebble/cert.pem", "privateKey": "/tmp/pebble/key.pem", "httpPort": 80, "tlsPort": 443}}
CONFIG
  PEBBLE_VA_NOSLEEP=1 PEBBLE_WFE_NONCEREJECT=0 pebble -config /tmp/pebble/config.json >/tmp/pebble/log 2>&1 &
  await curl --fail --silent --cacert /tmp/pebble/root.pem https://127.0.0.1:14000/dir
  curl --fail --silent --cacert /tmp/pebble/root.pem https://127.0.0.1:15000/roots/0 >/usr/local/share/ca-certificates/pebble.crt
  update-ca-certificates >/dev/null 2>&1
  # Configures this authority as an operator would configure a custom one.
  mkdir -p /etc/systemd/system/taubenabwehr.service.d
  cat >/etc/systemd/system/taubenabwehr.service.d/authority.conf <<'UNIT'
[Service]
Environment=TAUBENABWEHR_ACME_DIRECTORY=https://127.0.0.1:14000/dir TAUBENABWEHR_ACME_CA=/tmp/pebble/root.pem
UNIT
}

# The mail server, which keeps each mail as a file in /tmp/mails.
start_mail() {
  python3 mails.py /tmp/mails 2>/tmp/mail.log &
  mail=$!
  await test -d /tmp/mails
}

cd /root
start_authority
start_mail
# No service manager runs here, so a replacement starts what the units say.
install -m 755 systemctl /usr/local/bin/systemctl
export PATH=/usr/local/bin:$PATH
mv /taubenabwehr.deb "/root/taubenabwehr_0.0.0-1_$(dpkg --print-architecture).deb"

# Checks what every machine that serves the site must have.
check_machine() {
  for unit in taubenabwehr.service taubenabwehr-http.socket taubenabwehr-https.socket taubenabwehr-backup.timer; do
    [ "$(/usr/bin/systemctl is-enabled $unit)" = enabled ] || fail "$unit is not enabled"
  done
  [ "$(curl --silent --output /dev/null --write-out '%{http_code} %{redirect_url}' http://www.example.de/faq)" = "308 https://www.example.de/faq" ] ||
    fail "plain HTTP does not lead to HTTPS"
}

# Sends an inquiry from a person with this name.
send() {
  curl --fail --silent --show-error https://www.example.de/rest/v1/inquiries -H 'Content-Type: application/json' -d '{
    "postal_code": "22087", "property_type": "residential", "types_of_problems": "nesting", "problem_locations": "balcony",
    "first_name": "Anna", "last_name": "'"$1"'", "email_address": "'"$1"'@example.de", "phone_number": "+49 40 7654321"}'
}

as_user() { runuser -u taubenabwehr -- taubenabwehr "$@"; }
last_names() { as_user export --format jsonl --include-suspected | jq -r .last_name | sort | xargs; }

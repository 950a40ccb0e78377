"""Fills a store by SQL with inquiries like one that the program has stored: its own way would take hours for ten million."""

import json
import threading
import time
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from instance import Instance, record
from nodes import until

# The first inquiry was received so long ago, in seconds, and each further one a second later: ten million of them are in the past.
AGO = 400 * 86400

# In parts, so that none fills the disk with what a transaction keeps.
PART = 2_000_000

# Ids sort by time, as the program's do; names of keys are digests. So they lie in their indexes as they would.
ROWS = """
SET synchronous_commit = off; SET work_mem = '256MB';
CREATE OR REPLACE FUNCTION made(n bigint) RETURNS uuid IMMUTABLE LANGUAGE sql AS
  $$ SELECT (lpad(to_hex(({since} + n) * 1000), 12, '0') || '7' || substr(md5(n::text), 1, 3) || '8' || substr(md5('x' || n), 1, 15))::uuid $$;
INSERT INTO inquiries (id, created_at, value)
  SELECT made(n), to_timestamp({since} + n), value FROM generate_series({begin}, {end}) n, (SELECT * FROM inquiries WHERE id = '{sample}') AS sample;
INSERT INTO referrals (id, value)
  SELECT made(n), value FROM generate_series({begin}, {end}) n, (SELECT * FROM referrals WHERE id = '{sample}') AS sample;
INSERT INTO keys (name, tag, id, expires_at)
  SELECT decode(md5('key ' || n), 'hex'), tag, made(n), now() + interval '1 day' + n % 500000 * interval '1 second'
  FROM generate_series({begin}, {end}) n, (SELECT * FROM keys WHERE id = '{sample}') AS sample ORDER BY 1"""


class Receiver(BaseHTTPRequestHandler):
    """Takes every webhook."""

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


class Filler:
    """Makes a store's inquiries, up to one number after the other."""

    def __init__(self, node, work, url):
        self.node, self.since, self.filled = node, int(time.time()) - AGO, 0
        self.sample = sample(node, work, url)

    def fill(self, size):
        while self.filled < size:
            end = min(size, self.filled + PART) - 1
            rows = ROWS.format(since=self.since, begin=self.filled, end=end, sample=self.sample)
            self.node.query(rows, patience=600)
            self.filled = end + 1
        for table in ("inquiries", "referrals", "keys"):
            self.node.query(f"VACUUM ANALYZE {table}", patience=600)
        self.node.query("CHECKPOINT", patience=600)


def sample(node, work, url):
    """Has the program store an inquiry with its key and a webhook that was delivered; returns its id."""
    receiver = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    threading.Thread(target=receiver.serve_forever, daemon=True).start()
    (work / "secret").write_text("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n")
    config = work / "config.toml"
    config.write_text(
        f"[notify]\nwebhook = 'http://127.0.0.1:{receiver.server_port}/hook'\nwebhook_secret_file = '{work / 'secret'}'\n"
    )
    try:
        with Instance(work, "sample", url, "--config", str(config)) as instance:
            instance.wait_until_ready()
            headers = {"Content-Type": "application/json", "Prefer": "return=representation", "Idempotency-Key": str(uuid.uuid4())}
            status, _, body = instance.request("POST", "/rest/v1/inquiries", json.dumps([record("Meier")]), headers)
            if status != 201:
                raise SystemExit(f"an inquiry got {status}")
            identity = json.loads(body)[0]["id"]
            delivered = f"SELECT webhook_due IS NULL AND leases IS NULL FROM referrals WHERE id = '{identity}'"
            until("the webhook was delivered", lambda: node.query(delivered) == "t")
            return identity
    finally:
        receiver.shutdown()

"""Fills a store with SQL copies of an inquiry stored by the program, which itself would take hours for ten million."""

import json
import threading
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from instance import Instance, record
from nodes import until

# Age of the first inquiry in seconds. Each further one is a second newer, so that ten million of them are in the past.
AGO = 400 * 86400

# Inquiries per transaction, so that none fills the disk.
PART = 2_000_000

# As in the program, ids sort by time and names of keys are digests, so that they are spread over their indexes as usual.
MADE = """
CREATE FUNCTION made(n bigint) RETURNS uuid IMMUTABLE LANGUAGE sql AS
  $$ SELECT (lpad(to_hex(({since} + n) * 1000), 12, '0') || '7' || substr(md5(n::text), 1, 3) || '8' || substr(md5('x' || n), 1, 15))::uuid $$"""

# Copies the sample's row in each table.
ROWS = {
    "inquiries": "INSERT INTO inquiries (id, created_at, value) SELECT made(n), to_timestamp({since} + n), value FROM {rows}",
    "referrals": "INSERT INTO referrals (id, value) SELECT made(n), value FROM {rows}",
    "keys": "INSERT INTO keys (name, tag, id, expires_at) SELECT decode(md5('key ' || n), 'hex'), tag, made(n), "
    "now() + interval '1 day' + n % 500000 * interval '1 second' FROM {rows} ORDER BY 1",
}


class Receiver(BaseHTTPRequestHandler):
    """Accepts every webhook."""

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


class Filler:
    """Fills a store up to a given number of inquiries, repeatedly."""

    def __init__(self, node, work, url):
        self.node, self.since, self.filled = node, int(time.time()) - AGO, 0
        self.sample = sample(node, work, url)
        self.node.query(MADE.format(since=self.since))

    def fill(self, size):
        while self.filled < size:
            end = min(size, self.filled + PART)
            self.each(lambda table: self.insert(table, self.filled, end - 1))
            self.filled = end
        self.each(lambda table: self.node.query(f"VACUUM ANALYZE {table}", patience=600))
        self.node.query("CHECKPOINT", patience=600)

    def insert(self, table, begin, end):
        rows = f"generate_series({begin}, {end}) n, (SELECT * FROM {table} WHERE id = '{self.sample}') AS sample"
        insert = ROWS[table].format(since=self.since, rows=rows)
        self.node.query(f"SET synchronous_commit = off; SET work_mem = '256MB'; {insert}", patience=600)

    def each(self, work):
        """Works on all tables in parallel."""
        with ThreadPoolExecutor() as threads:
            list(threads.map(work, ROWS))


def sample(node, work, url):
    """Has the program store an inquiry with its key and a delivered webhook; returns its id."""
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

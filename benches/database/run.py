"""What PostgreSQL spends on inquiries, and how that grows with their number; `scripts/bench-database` says how to run it."""

import http.client
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests/failover"))

from instance import PATIENCE, Instance, record  # noqa: E402
from nodes import Node  # noqa: E402

# How long each rate is measured, in seconds.
MEASURED = 5.0

# How often each step is repeated for a median.
REPEATED = 30

TICKS = os.sysconf("SC_CLK_TCK")

# The row that pgbench stores one at a time: as wide as one of ours, with its key.
SINGLE_TABLE = """
CREATE TABLE single (id uuid PRIMARY KEY, created_at timestamptz NOT NULL, value bytea NOT NULL);
CREATE TABLE single_keys (name bytea PRIMARY KEY, tag bytea NOT NULL, id uuid NOT NULL, expires_at timestamptz NOT NULL)"""
SINGLE = """
WITH new AS (INSERT INTO single VALUES (gen_random_uuid(), now(), decode(repeat('ab', 100), 'hex')) RETURNING id)
INSERT INTO single_keys SELECT decode(md5(random()::text), 'hex'), decode(md5('tag'), 'hex'), id, now() + interval '7 days' FROM new;
"""

# Inquiries made of one that is there, a second apart, with ids that sort by time.
FILL = """
INSERT INTO inquiries (id, created_at, value)
SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7' || substr(md5(number::text), 1, 3) || '8' ||
  substr(md5('x' || number::text), 1, 15))::uuid, at, (SELECT value FROM inquiries ORDER BY id LIMIT 1)
FROM (SELECT number, now() - interval '400 days' + number * interval '1 second' AS at FROM generate_series({begin}, {end}) AS number) AS made
"""


def cpu(node):
    """The processor time of all of a server's processes so far, in seconds."""
    ticks = 0
    for number, pid in enumerate(node.all_processes()):
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        except FileNotFoundError:
            continue
        # Of the first one also those that have ended.
        ticks += sum(map(int, fields[11:15] if number == 0 else fields[11:13]))
    return ticks / TICKS


def load(instances, clients):
    """Sends inquiries from as many clients; returns how many a second were stored."""
    end = time.monotonic() + MEASURED
    counts = [0] * clients

    def send(number):
        connection = http.client.HTTPConnection("127.0.0.1", instances[number % len(instances)].port, timeout=PATIENCE)
        body = json.dumps([record(f"Meier {number}")])
        while time.monotonic() < end:
            headers = {"Content-Type": "application/json", "Idempotency-Key": str(uuid.uuid4())}
            connection.request("POST", "/rest/v1/inquiries", body, headers)
            response = connection.getresponse()
            response.read()
            if response.status != 201:
                raise SystemExit(f"an inquiry got {response.status}")
            counts[number] += 1

    threads = [threading.Thread(target=send, args=(number,)) for number in range(clients)]
    begun = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(counts), time.monotonic() - begun


def single_rows(node, work, clients):
    node.query(SINGLE_TABLE)
    script = work / "single.sql"
    script.write_text(SINGLE)
    before = cpu(node)
    output = node.run(
        "pgbench", "-n", "-M", "prepared", "-f", script, "-c", str(clients), "-T", str(int(MEASURED)),
        "-h", "127.0.0.1", "-p", str(node.port), "-U", "test", "postgres",
    ).stdout  # fmt: skip
    rows = int(re.search(r"actually processed: (\d+)", output)[1])
    return rows, cpu(node) - before


def rates(node, work, instances):
    print("| | clients | a second | CPU of the database a row |")
    print("|---|---|---|---|")
    rows, used = single_rows(node, work, 64)
    print(f"| pgbench, single rows | 64 | {rows / MEASURED:,.0f} | {used / rows * 1e6:.0f} µs |", flush=True)
    for count in (1, 2):
        for clients in (1, 64, 256):
            before = cpu(node)
            stored, seconds = load(instances[:count], clients)
            used = cpu(node) - before
            name = "one instance" if count == 1 else "two instances"
            print(f"| {name} | {clients} | {stored / seconds:,.0f} | {used / stored * 1e6:.0f} µs |", flush=True)


def timed(call):
    """The median time of a call in milliseconds."""
    times = []
    for _ in range(REPEATED):
        begun = time.monotonic()
        call()
        times.append((time.monotonic() - begun) * 1000)
    return median(times)


def growth(node, instance, sizes):
    print("\n| inquiries | insert | replay | private page | list of the last day | export |")
    print("|---|---|---|---|---|---|")
    headers = {"Content-Type": "application/json", "Idempotency-Key": str(uuid.uuid4())}
    body = json.dumps([record("Meier")])
    status, answered, _ = instance.request("POST", "/rest/v1/inquiries", body, headers)
    if status != 201:
        raise SystemExit(f"an inquiry got {status}")
    page = answered["Location"]
    since = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - 60))
    filled = int(node.query("SELECT count(*) FROM inquiries"))
    for size in sizes:
        while filled < size:
            # In parts, so that none takes long.
            part = min(size - filled, 500_000)
            node.query(FILL.format(begin=filled, end=filled + part - 1), patience=600)
            filled += part
        node.query("VACUUM ANALYZE inquiries", patience=600)
        insert = timed(
            lambda: instance.request(
                "POST", "/rest/v1/inquiries", body, {**headers, "Idempotency-Key": str(uuid.uuid4())}
            )
        )
        replay = timed(lambda: instance.request("POST", "/rest/v1/inquiries", body, headers))
        private = timed(lambda: instance.request("GET", page))
        begun = time.monotonic()
        instance.command(instance.url, "inquiries", "--since", since, "--json").check_returncode()
        listed = (time.monotonic() - begun) * 1000
        begun = time.monotonic()
        instance.command(instance.url, "export", "--format", "jsonl", "--output", "/dev/null").check_returncode()
        exported = time.monotonic() - begun
        print(f"| {size:,} | {insert:.1f} ms | {replay:.1f} ms | {private:.1f} ms | {listed:.0f} ms | {exported:.1f} s |", flush=True)


def main():
    sizes = [int(size) for size in sys.argv[1:]] or [10_000, 100_000, 1_000_000, 10_000_000]
    work = Path(tempfile.mkdtemp(prefix="taubenabwehr-database-", dir=os.environ.get("BENCH_DIR")))
    work.chmod(0o755)
    node = Node(work, "database")
    try:
        node.create()
        node.start()
        url = f"postgres://test@127.0.0.1:{node.port}/postgres"
        with Instance(work, "one", url) as one, Instance(work, "two", url) as two:
            for instance in (one, two):
                instance.wait_until_ready()
                instance.url = url
            rates(node, work, [one, two])
            growth(node, one, sizes)
    finally:
        node.end()
        shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    main()

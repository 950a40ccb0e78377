"""Measures the cost of an inquiry in the database, compared with pgbench storing single rows."""

import re
import subprocess
import uuid
from pathlib import Path
from statistics import median

from instance import Instance
from processor import used

# Duration of each load in seconds, and number of rounds in which the loads take turns.
SECONDS, ROUNDS = 5, 3

CLIENTS = (1, 64, 256)

# Limit under concurrent load: database processor time of an inquiry, as a fraction of that of a single row.
GOAL = 0.20

KEYED = Path(__file__).with_name("keyed.lua")

# pgbench stores an inquiry as wide as the program's, and its key, in one statement.
TABLES = """
CREATE TABLE single (id uuid PRIMARY KEY, created_at timestamptz NOT NULL, value bytea NOT NULL);
CREATE TABLE single_keys (name bytea PRIMARY KEY, tag bytea NOT NULL, id uuid NOT NULL, expires_at timestamptz NOT NULL);
CREATE INDEX ON single_keys (expires_at)"""
ROW = f"""
WITH new AS (INSERT INTO single VALUES (gen_random_uuid(), now(), '\\x{"ab" * 112}') RETURNING id)
INSERT INTO single_keys SELECT uuid_send(gen_random_uuid()), '\\x{"ab" * 16}', id, now() + interval '7 days' FROM new;
"""


def single_rows(node, script, clients):
    """Has pgbench store single rows; returns the rate per second, and the processor time of each."""
    target = ["-h", "127.0.0.1", "-p", str(node.port), "-U", "test", "postgres"]
    options = ["-n", "-M", "prepared", "-f", script, "-c", str(clients)]
    begun = used(node)
    # The cost of connecting is subtracted from that of the rows.
    node.run("pgbench", *options, "-t", "1", *target)
    connected = used(node)
    output = node.run("pgbench", *options, "-T", str(SECONDS), *target).stdout
    rows = int(re.search(r"actually processed: (\d+)", output)[1])
    rate = float(re.search(r"tps = ([\d.]+)", output)[1])
    return rate, (used(node) - connected - (connected - begun)) / rows


def inquiries(node, instances, clients):
    """Sends inquiries to all instances evenly; returns the rate per second, and the processor time of each."""
    begun = used(node)
    each = max(1, clients // len(instances))
    loads = [
        subprocess.Popen(
            ["wrk", "-t", "1", "-c", str(each), "-d", f"{SECONDS}s", "-s", KEYED]
            + [f"http://127.0.0.1:{instance.port}/rest/v1/inquiries", "--", f"{uuid.uuid4()}-"],
            stdout=subprocess.PIPE,
            text=True,
        )
        for instance in instances[:clients]
    ]
    outputs = [load.communicate()[0] for load in loads]
    for output in outputs:
        if "Non-2xx" in output or "Socket errors" in output:
            raise SystemExit(f"{clients} clients: {output}")
    stored = sum(int(re.search(r"(\d+) requests in", output)[1]) for output in outputs)
    rate = sum(float(re.search(r"Requests/sec: +([\d.]+)", output)[1]) for output in outputs)
    return rate, (used(node) - begun) / stored


def measure(node, work, url):
    node.query(TABLES)
    script = work / "single.sql"
    script.write_text(ROW)
    figures = {}
    with Instance(work, "one", url) as one, Instance(work, "two", url) as two:
        for instance in (one, two):
            instance.wait_until_ready()
        for _ in range(ROUNDS):
            for clients in CLIENTS:
                figures.setdefault((clients, "pgbench, single rows"), []).append(single_rows(node, script, clients))
                for name, instances in (("one instance", [one]), ("two instances", [one, two])):
                    if clients >= len(instances):
                        figures.setdefault((clients, name), []).append(inquiries(node, instances, clients))
    print("| clients | | stored a second | CPU of the database a row | of pgbench's | to reach |")
    print("|---|---|---|---|---|---|")
    for (clients, name), found in figures.items():
        rate, cost = (median(values) for values in zip(*found))
        single = median(cost for _, cost in figures[clients, "pgbench, single rows"])
        goal = f"≤ {GOAL:.2f}" if clients > 1 and "instance" in name else ""
        print(f"| {clients} | {name} | {rate:,.0f} | {cost * 1e6:.0f} µs | {cost / single:.2f} | {goal} |", flush=True)

"""Measures how the cost of operations on a store grows with the number of inquiries."""

import json
import time
import uuid
from statistics import median

from fill import Filler
from instance import Instance, record
from processor import used

# Number of repetitions of a request: the kernel counts processor time in hundredths of a second.
REQUESTS = 400

# Number of times that a list is read.
LISTS = 5

# Number of inquiries in the list.
LISTED = 1000

INQUIRIES = "/rest/v1/inquiries"


def requests(node, call):
    """Returns the median time of a request, and the database's processor time for it."""
    times = []
    begun = used(node)
    for _ in range(REQUESTS):
        start = time.monotonic()
        call()
        times.append(time.monotonic() - start)
    return f"{median(times) * 1000:.1f} ms ({(used(node) - begun) / REQUESTS * 1e6:.0f} µs)"


def command(instance, url, *arguments):
    """Runs a command; returns what it printed and how long it took, in seconds."""
    start = time.monotonic()
    ended = instance.command(url, *arguments, patience=600)
    if ended.returncode:
        raise SystemExit(f"{arguments[0]} failed: {ended.stderr}")
    return ended.stdout, time.monotonic() - start


def newest(node):
    """Returns the creation time of the first of the newest inquiries."""
    made = f"SELECT created_at FROM inquiries ORDER BY id DESC OFFSET {LISTED - 1} LIMIT 1"
    return node.query(f"SELECT to_char(({made}) AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"')")


def listing(node, instance, url):
    since = newest(node)
    times = []
    for _ in range(LISTS):
        printed, took = command(instance, url, "inquiries", "--since", since, "--json")
        if abs(len(json.loads(printed)) - LISTED) > 10:
            raise SystemExit(f"{len(json.loads(printed))} inquiries are listed")
        times.append(took)
    return f"{median(times) * 1000:.0f} ms"


def made():
    """An inquiry made now."""
    return json.dumps([record("Meier")])


def measure(node, work, url, sizes):
    filler = Filler(node, work, url)
    with Instance(work, "instance", url) as instance:
        instance.wait_until_ready()

        def post(key, body):
            headers = {"Content-Type": "application/json", "Idempotency-Key": key}
            status, answered, _ = instance.request("POST", INQUIRIES, body, headers)
            if status != 201:
                raise SystemExit(f"an inquiry got {status}")
            return answered["Location"]

        def read(page):
            if instance.request("GET", page)[0] != 200:
                raise SystemExit("a private page is missing")

        first = str(uuid.uuid4()), made()
        page = post(*first)
        print("| inquiries | insert | replay | private page | list of 1,000 | export | in the database |")
        print("|---|---|---|---|---|---|---|")
        for size in sizes:
            filler.fill(size)
            cells = [
                f"{size:,}",
                requests(node, lambda: post(str(uuid.uuid4()), made())),
                requests(node, lambda: post(*first)),
                requests(node, lambda: read(page)),
                listing(node, instance, url),
                f"{command(instance, url, 'export', '--format', 'jsonl', '--output', '/dev/null')[1]:.1f} s",
                node.query("SELECT pg_size_pretty(pg_database_size(current_database()))"),
            ]
            print("| " + " | ".join(cells) + " |", flush=True)

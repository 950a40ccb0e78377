"""Measures copying a store to another one, between and within the engines."""

import os
import re
import subprocess
import time

from fill import Filler

# Limits for copying a million inquiries: a minute, and 64 MiB.
SECONDS, MEMORY = 60, 64


def copy(work, source, target):
    """Copies a store; returns seconds, peak memory in MiB, the number of inquiries, and the digest of both stores."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("TAUBENABWEHR_")}
    begun = time.monotonic()
    command = [os.environ["TAUBENABWEHR_BIN"], "copy", "--from", source, "--to", target]
    with open(work / "copied", "w+") as printed:
        process = subprocess.Popen(command, stdout=printed, stderr=printed, cwd=work, env=environment)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        took = time.monotonic() - begun
        printed.seek(0)
        text = printed.read()
    found = re.search(r"(\d+) inquiries copied .* both hold the same \(SHA-256 (\w+)\)", text)
    if process.returncode or not found:
        raise SystemExit(f"copy from {source} to {target}: {text}")
    return took, usage.ru_maxrss / 1024, int(found[1]), found[2]


def measure(node, work, url, size):
    # Each inquiry has a key and a delivery; one is the sample that the others are copies of.
    Filler(node, work, url).fill(size - 1)
    node.query("CREATE DATABASE moved")
    moved = f"postgres://test@127.0.0.1:{node.port}/moved"
    first, second = (f"redb:{work / name}" for name in ("first", "second"))
    print(f"| copy of {size:,} inquiries | time | most memory | to reach | digest |")
    print("|---|---|---|---|---|")
    digests = set()
    for name, source, target in (
        ("PostgreSQL to redb", url, first),
        ("redb to PostgreSQL", first, moved),
        ("redb to redb", first, second),
        ("PostgreSQL to PostgreSQL", moved, url.replace("/postgres", "/again")),
    ):
        if "/again" in target:
            node.query("CREATE DATABASE again")
        took, memory, count, digest = copy(work, source, target)
        if count != size:
            raise SystemExit(f"{name}: {count} inquiries were copied")
        digests.add(digest)
        print(f"| {name} | {took:.1f} s | {memory:.1f} MiB | ≤ {SECONDS} s, ≤ {MEMORY} MiB | {digest[:12]}… |", flush=True)
    if len(digests) != 1:
        raise SystemExit("the stores differ")

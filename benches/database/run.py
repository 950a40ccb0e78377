"""Measures PostgreSQL; see `scripts/bench-database` for what and how."""

import argparse
import os
import shutil
import signal
import sys
import tempfile
from datetime import date
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests/failover"))

import growth  # noqa: E402
import moving  # noqa: E402
import rates  # noqa: E402
from nodes import Node  # noqa: E402

PARTS = ("rates", "growth", "copy")

SIZES = (10_000, 100_000, 1_000_000, 10_000_000)


def play(part, sizes):
    """Measures a part on a separate server with PostgreSQL's defaults, including fsync."""
    work = Path(tempfile.mkdtemp(prefix="taubenabwehr-database-", dir=os.environ.get("BENCH_DIR")))
    # The server's user must be able to reach its directory.
    work.chmod(0o755)
    node = Node(work, "database")
    try:
        node.create()
        node.start("-c", "max_connections=300")
        url = f"postgres://test@127.0.0.1:{node.port}/postgres"
        if part == "rates":
            rates.measure(node, work, url)
        elif part == "growth":
            growth.measure(node, work, url, sizes)
        else:
            moving.measure(node, work, url, sizes[0])
        return node.query("SHOW server_version").split()[0]
    finally:
        node.end()
        shutil.rmtree(work, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(prog="scripts/bench-database")
    parser.add_argument("part", choices=PARTS, nargs="?")
    parser.add_argument("inquiries", type=int, nargs="*")
    arguments = parser.parse_args()
    # Like Ctrl-C, so that no server is left running.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    for part in [arguments.part] if arguments.part else PARTS:
        version = play(part, arguments.inquiries or ([1_000_000] if part == "copy" else SIZES))
        cpu = next(line for line in open("/proc/cpuinfo") if line.startswith("model name")).split(":")[1].strip()
        print(f"\nMeasured: {date.today()}, {cpu}, {os.cpu_count()} cores, Linux {os.uname().release}, PostgreSQL {version}.\n", flush=True)


if __name__ == "__main__":
    main()

"""Injects faults of the primary; see `scripts/failover`."""

import argparse
import csv
import io
import os
import shutil
import signal
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from instance import Instance, Load
from nodes import Pair
from pooled import Pooled
from trio import Trio

FAULTS = ("kill", "stop", "freeze", "thaw")

# Number of concurrent writers.
WRITERS = 64

# Duration of the load before the fault and after the promotion, in seconds.
BEFORE, BEHIND = 4.0, 8.0

# How long an inquiry may wait after the promotion, in seconds.
LONGEST_PAUSE = 3.0

HEAD = ("fault", "acknowledged", "lost", "doubled", "promoted after", "pause behind it", "503", "pages", "failed pages")


def pause_behind(moment, times):
    """The longest time without an acknowledged inquiry after a moment."""
    times = sorted(time for time in times if time > moment)
    gaps = [after - before for before, after in zip([moment, *times], times)]
    return max(gaps, default=float("inf"))


def play(fault, cluster_of):
    """Injects one fault; returns a row of the table, and the failures."""
    work = Path(tempfile.mkdtemp(prefix="taubenabwehr-failover-"))
    # The server's user must be able to reach its directory.
    work.chmod(0o755)
    try:
        with ExitStack() as stack:
            cluster = stack.enter_context(cluster_of(work))
            instances = [stack.enter_context(Instance(work, name, cluster.url())) for name in ("one", "two")]
            for instance in instances:
                instance.wait_until_ready()
            load = Load(instances, WRITERS)
            with load:
                time.sleep(BEFORE)
                failed = time.monotonic()
                promoted = cluster.fail(fault)
                time.sleep(BEHIND)
            exported = instances[0].command(cluster.url_now(), "export", "--format", "csv")
            if exported.returncode:
                raise SystemExit(f"scripts/failover: export failed: {exported.stderr}")
            stored = {}
            doubled = 0
            for row in csv.DictReader(io.StringIO(exported.stdout)):
                doubled += row["last_name"] in stored
                stored[row["last_name"]] = row["id"]
            lost = [who for who, identity, _, _ in load.acknowledged if stored.get(who) != identity]
            doubled += len(load.acknowledged) - len({who for who, *_ in load.acknowledged})
            # Both instances must recover, not only one of them.
            ports = [instance.port for instance in instances]
            pause = max(pause_behind(promoted, [at for *_, at, by in load.acknowledged if by == port]) for port in ports)
            problems = []
            if lost:
                problems.append(f"{len(lost)} acknowledged inquiries are lost, such as {lost[0]}")
            if doubled:
                problems.append(f"{doubled} inquiries are doubled")
            if len(stored) != load.sent:
                problems.append(f"{load.sent} inquiries were sent and all acknowledged, and {len(stored)} are stored")
            if pause > LONGEST_PAUSE:
                problems.append(f"inquiries waited for {pause:.1f} s behind the promotion")
            if load.without_retry_after:
                problems.append(f"{load.without_retry_after} refusals without Retry-After")
            if load.failed_pages:
                problems.append(f"pages failed: {load.failed_pages[0]}")
            if load.unexpected:
                problems.append(f"{len(load.unexpected)} unexpected answers, such as {load.unexpected[0]}")
            row = (
                fault,
                len(load.acknowledged),
                len(lost),
                doubled,
                f"{promoted - failed:.1f} s",
                f"{pause:.1f} s",
                load.refused,
                load.pages,
                len(load.failed_pages),
            )
            if problems:
                keep_logs(fault, work)
            return row, problems
    except BaseException:
        keep_logs(fault, work)
        raise
    finally:
        shutil.rmtree(work, ignore_errors=True)


def keep_logs(fault, work):
    """Keeps the logs for diagnosis."""
    if kept := os.environ.get("FAILOVER_LOGS"):
        shutil.copytree(work, Path(kept) / f"{fault}-{work.name}", ignore=shutil.ignore_patterns("data", "etcd", ".s.*"))


def line(cells):
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def main():
    parser = argparse.ArgumentParser(prog="scripts/failover")
    parser.add_argument("faults", nargs="*", metavar="FAULT")
    parser.add_argument("--rounds", type=int, default=1)
    cluster = parser.add_mutually_exclusive_group()
    cluster.add_argument("--patroni", dest="cluster", action="store_const", const=Trio, default=Pair)
    cluster.add_argument("--pgbouncer", dest="cluster", action="store_const", const=Pooled)
    arguments = parser.parse_args()
    if unknown := set(arguments.faults) - set(FAULTS):
        parser.error(f"there is no fault {unknown.pop()}; there are {', '.join(FAULTS)}")
    # Like Ctrl-C, so that no server is left running.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    faults = arguments.faults or (("kill", "freeze") if arguments.cluster is Trio else ("kill", "stop", "freeze"))
    print(line(HEAD))
    print(line("---" for _ in HEAD), flush=True)
    failed = False
    for number in range(arguments.rounds):
        for fault in faults:
            row, problems = play(fault, arguments.cluster)
            print(line(row), flush=True)
            for problem in problems:
                failed = True
                print(f"scripts/failover: {fault}: {problem}", file=sys.stderr, flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()

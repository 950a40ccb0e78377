"""The processor time of a database's processes."""

import os
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")


def used(node):
    """The processor time of all of a server's processes so far, in seconds."""
    ticks = 0
    for number, pid in enumerate(node.all_processes()):
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        # Of the first one also those that have ended.
        ticks += sum(map(int, fields[11:15] if number == 0 else fields[11:13]))
    return ticks / TICKS

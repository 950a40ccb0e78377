"""The processor time of a database's processes."""

import os
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")


def used(node):
    """Returns the processor time of all processes of a server so far, in seconds."""
    ticks = 0
    for number, pid in enumerate(node.all_processes()):
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        # For the first process, include its children that have exited.
        ticks += sum(map(int, fields[11:15] if number == 0 else fields[11:13]))
    return ticks / TICKS

"""Measures the parts named on the command line, or all, and writes docs/performance.md."""

import platform
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import parts
import report

PARTS = {part.__name__: part for part in (parts.pages, parts.connections, parts.inserts, parts.memory, parts.start)}


@dataclass
class Tools:
    binary: Path
    bare: Path
    here: Path
    work: Path


def version(*command):
    output = subprocess.run(command, capture_output=True, text=True)
    found = re.search(r"\d+\.\d+[\d.]*", output.stdout + output.stderr)
    return found[0] if found else "unknown"


def machine():
    processor = re.search(r"model name\s*:\s*(.*)", Path("/proc/cpuinfo").read_text())[1]
    cores = Path("/proc/cpuinfo").read_text().count("processor\t")
    return {
        "machine": f"{processor}, {cores} cores, Linux {platform.release()}",
        "versions": f"nginx {version('nginx', '-v')}, PostgreSQL {version('pgbench', '--version')}, wrk {version('wrk', '-v')}",
    }


def main():
    binary, bare, disk, *wanted = sys.argv[1:]
    unknown = set(wanted) - set(PARTS)
    if unknown:
        sys.exit(f"unknown: {', '.join(sorted(unknown))}; the parts are {', '.join(PARTS)}")
    here = Path(__file__).resolve().parent
    measured = {}
    for name in wanted or PARTS:
        print(f"== {name}", flush=True)
        with tempfile.TemporaryDirectory(dir=disk) as work:
            measured[name] = PARTS[name](Tools(Path(binary), Path(bare), here, Path(work)))
    print(report.write(here.parents[1] / "docs", measured, machine()))


main()

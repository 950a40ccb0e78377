"""PostgreSQL with one table, into which pgbench stores the same inquiries."""

import os
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

from servers import CLIENT_CORE, PATIENCE, SERVER_CORE

TABLE = """
CREATE TABLE inquiries (
  id uuid PRIMARY KEY, created_at timestamptz NOT NULL, postal_code text NOT NULL, property_type text NOT NULL,
  types_of_problems text NOT NULL, problem_locations text NOT NULL, first_name text NOT NULL, last_name text NOT NULL,
  email_address text NOT NULL, phone_number text NOT NULL
)"""

INSERT = """
INSERT INTO inquiries VALUES (gen_random_uuid(), now(), '20095', 'residential', 'nesting,noise', 'roof',
  'Anna', 'Meier', 'anna@example.de', '+49 40 1234567');
"""

# pgbench's time includes connecting its clients, which takes this many seconds for 64 of them.
CONNECTING = 2


class Postgres:
    """A separate server in a directory, with the defaults: fsync and synchronous_commit are on."""

    name = "PostgreSQL"

    def __init__(self, work, port):
        self.programs = max(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
        self.directory, self.port = work / "postgres", port
        self.directory.mkdir()
        self.script = work / "insert.sql"
        self.script.write_text(INSERT)
        # initdb refuses to run as root.
        self.user = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
        if self.user:
            shutil.chown(self.directory, "postgres")
            work.chmod(0o755)
        self.run("initdb", "--auth", "trust", "--username", "bench", "--pgdata", self.directory)
        # The default is 100 clients.
        settings = ["max_connections=300", "listen_addresses=", f"unix_socket_directories={self.directory}", f"port={port}"]
        options = [part for setting in settings for part in ("-c", setting)]
        command = [*self.user, "taskset", "-c", SERVER_CORE, self.programs / "postgres", "-D", self.directory, *options]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(PATIENCE * 10):
            if (self.directory / f".s.PGSQL.{port}").exists() and self.sql("SELECT 1", check=False) == 0:
                break
            time.sleep(0.1)
        self.sql(TABLE)

    def run(self, program, *arguments, check=True, pinned=()):
        command = [*self.user, *pinned, self.programs / program, *arguments]
        return subprocess.run(list(map(str, command)), check=check, capture_output=True, text=True)

    def sql(self, statement, check=True):
        target = ["-h", self.directory, "-p", self.port, "-U", "bench", "postgres"]
        return self.run("psql", "-q", "-c", statement, *target, check=check).returncode

    def inserts(self, clients, seconds):
        """Returns the inserts per second that this many clients committed, once all were connected."""
        seconds += clients // 64 * CONNECTING
        target = ["-h", self.directory, "-p", self.port, "-U", "bench", "postgres"]
        options = ["-n", "-M", "prepared", "-f", self.script, "-c", clients, "-T", seconds]
        output = self.run("pgbench", *options, *target, pinned=["taskset", "-c", CLIENT_CORE]).stdout
        found = re.search(r"tps = ([\d.]+)", output)
        if not found:
            raise SystemExit(f"pgbench, {clients} clients: {output}")
        return float(found[1])

    def version(self):
        return self.run("postgres", "--version").stdout.split()[2]

    def stop(self):
        # `runuser` forwards the signal.
        pid = (self.directory / "postmaster.pid").read_text().split()[0]
        os.kill(int(pid), signal.SIGINT)
        self.process.wait(PATIENCE)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

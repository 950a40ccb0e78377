"""PostgreSQL servers that take over from each other."""

import os
import random
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

AS_ROOT = os.getuid() == 0
AS_SERVER = ["runuser", "-u", "postgres", "--"] if AS_ROOT else []


def programs():
    """The directory of the newest server's programs: Debian keeps them out of the search path."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
    if found:
        return found[-1]
    initdb = shutil.which("initdb")
    if not initdb:
        raise SystemExit("scripts/failover: there is no PostgreSQL server: apt-get install postgresql")
    return Path(os.path.realpath(initdb)).parent


PROGRAMS = programs()


# Below the ephemeral ports, so that no outgoing connection takes a port before its server does.
PORTS = range(20000, 32000)


# Ports already handed out: a server only binds its port when it starts.
GIVEN = set()


def free_port():
    while True:
        port = random.choice(PORTS)
        if port in GIVEN:
            continue
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            GIVEN.add(port)
            return port


def until(what, condition, patience=60.0):
    """Waits for a condition; returns its value and when it became true."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        if value := condition():
            return value, time.monotonic()
        time.sleep(0.02)
    raise SystemExit(f"scripts/failover: timed out waiting until {what}")


class Node:
    """A server with its own directory and port."""

    def __init__(self, work, name):
        self.name = name
        self.directory = work / name
        self.data = self.directory / "data"
        self.port = free_port()
        self.process = None
        self.directory.mkdir()
        if AS_ROOT:
            shutil.chown(self.directory, "postgres")

    def run(self, program, *arguments, check=True):
        command = [*AS_SERVER, PROGRAMS / program, *arguments]
        return subprocess.run(command, check=check, capture_output=True, text=True, cwd="/")

    def create(self):
        self.run("initdb", "-D", self.data, "--username=test", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8")

    def follow(self, primary):
        """Becomes a standby."""
        source = f"host=127.0.0.1 port={primary.port} user=test application_name={self.name}"
        self.run("pg_basebackup", "-D", self.data, "-d", source, "--write-recovery-conf", "--checkpoint=fast")

    def start(self, *options):
        settings = {
            "listen_addresses": "127.0.0.1",
            "port": self.port,
            "unix_socket_directories": self.directory,
            "max_connections": 100,
            "logging_collector": "off",
            # As Patroni sets it: a session that hangs inside a transaction releases its locks.
            "idle_in_transaction_session_timeout": "10s",
        }
        arguments = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        command = [*AS_SERVER, PROGRAMS / "postgres", "-D", self.data, *arguments, *options]
        log = open(self.directory / "log", "ab")
        self.process = subprocess.Popen(command, stdout=log, stderr=log, cwd="/", start_new_session=True)
        until(f"{self.name} takes connections", self.takes_connections)

    def takes_connections(self):
        return self.run("pg_isready", "-q", "-h", "127.0.0.1", "-p", str(self.port), check=False).returncode == 0

    def query(self, sql, patience=10):
        command = ["psql", "-XAtq", "-c", sql, f"postgres://test@127.0.0.1:{self.port}/postgres?connect_timeout={patience}"]
        asked = subprocess.run(command, capture_output=True, text=True, timeout=patience)
        if asked.returncode:
            raise OSError(asked.stderr.strip())
        return asked.stdout.strip()

    def postmaster(self):
        return int((self.data / "postmaster.pid").read_text().split()[0])

    def all_processes(self):
        """The server's processes, starting with the first one."""
        first = self.postmaster()
        found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(first)], capture_output=True, text=True).stdout
        return [first, *(int(pid) for pid in found.split())]

    def signal_all(self, number):
        for pid in self.all_processes():
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                pass

    def kill(self):
        self.signal_all(signal.SIGKILL)

    def freeze(self):
        self.signal_all(signal.SIGSTOP)

    def thaw(self):
        self.signal_all(signal.SIGCONT)

    def stop(self):
        # A fast shutdown: ends sessions, and sends everything written to the standby.
        os.kill(self.postmaster(), signal.SIGINT)

    def promote(self):
        """Promotes the standby; returns the time when it is the primary."""
        self.run("pg_ctl", "promote", "-D", self.data, "--no-wait")
        _, at = until(f"{self.name} is the primary", lambda: self.query("SELECT NOT pg_is_in_recovery()") == "t")
        return at

    def end(self):
        if self.process is None:
            return
        try:
            self.signal_all(signal.SIGCONT)
            os.kill(self.postmaster(), signal.SIGQUIT)
        except (FileNotFoundError, ProcessLookupError, ValueError, IndexError):
            pass
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()


class Pair:
    """A primary, and a standby that receives every transaction before it is acknowledged."""

    def __init__(self, work):
        self.primary, self.standby = Node(work, "first"), Node(work, "second")

    def __enter__(self):
        try:
            self.begin()
        except BaseException:
            # Otherwise, the started processes would outlive the script.
            self.__exit__()
            raise
        return self

    def begin(self):
        self.primary.create()
        # On the command line, so that the standby, once promoted, does not wait for another standby.
        self.primary.start("-c", "synchronous_standby_names=second")
        self.standby.follow(self.primary)
        self.standby.start()
        synchronous = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'"
        until("the standby is synchronous", lambda: self.primary.query(synchronous) == "1")

    def __exit__(self, *_):
        self.standby.end()
        self.primary.end()

    def url(self):
        hosts = ",".join(f"127.0.0.1:{node.port}" for node in (self.primary, self.standby))
        return f"postgres://test@{hosts}/postgres?target_session_attrs=read-write"

    def url_now(self):
        """The URL of only the promoted server: a former primary that is still running has outdated data."""
        return f"postgres://test@127.0.0.1:{self.standby.port}/postgres"

    def fail(self, fault):
        """Fails the primary; returns the time when the standby has replaced it."""
        {"kill": self.primary.kill, "stop": self.primary.stop}.get(fault, self.primary.freeze)()
        # Deciding on a promotion takes a moment.
        time.sleep(1.0)
        promoted = self.standby.promote()
        if fault == "thaw":
            time.sleep(1.0)
            self.primary.thaw()
        return promoted

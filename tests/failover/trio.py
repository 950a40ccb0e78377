"""Three servers, of which Patroni and etcd choose the primary."""

import os
import shutil
import signal
import subprocess
import time

from nodes import AS_SERVER, PROGRAMS, Node, free_port, until

SETTINGS = """
scope: taubenabwehr
name: {name}
restapi:
  listen: 127.0.0.1:{api}
  connect_address: 127.0.0.1:{api}
etcd3:
  host: 127.0.0.1:{etcd}
bootstrap:
  dcs:
    # As short as Patroni allows: a primary that is gone is replaced after 20 to 25 s.
    ttl: 20
    loop_wait: 2
    retry_timeout: 3
    synchronous_mode: true
    synchronous_mode_strict: false
    postgresql:
      use_pg_rewind: true
      parameters:
        max_connections: 100
        idle_in_transaction_session_timeout: 10s
  initdb:
    - encoding: UTF8
    - locale: C.UTF-8
  pg_hba:
    - host all all 127.0.0.1/32 trust
    - host replication all 127.0.0.1/32 trust
postgresql:
  listen: 127.0.0.1:{port}
  connect_address: 127.0.0.1:{port}
  data_dir: {data}
  bin_dir: {programs}
  # A standby copies the primary at once, and not when its next checkpoint is due.
  basebackup:
    checkpoint: fast
  authentication:
    superuser: {{username: test}}
    replication: {{username: test}}
    rewind: {{username: test}}
  parameters:
    unix_socket_directories: {directory}
"""


class Member(Node):
    """A server, and the Patroni process that manages it."""

    def launch(self, etcd):
        settings = SETTINGS.format(
            name=self.name,
            api=free_port(),
            etcd=etcd,
            port=self.port,
            data=self.data,
            directory=self.directory,
            programs=PROGRAMS,
        )
        (self.directory / "patroni.yml").write_text(settings)
        log = open(self.directory / "patroni.log", "ab")
        command = [*AS_SERVER, "patroni", self.directory / "patroni.yml"]
        self.process = subprocess.Popen(command, stdout=log, stderr=log, cwd="/", start_new_session=True)

    def all_processes(self):
        # All processes that Patroni and the server have started, at any depth of the process tree.
        children = {}
        for line in subprocess.run(["ps", "-eo", "pid=,ppid="], capture_output=True, text=True).stdout.splitlines():
            pid, parent = map(int, line.split())
            children.setdefault(parent, []).append(pid)
        found = [self.process.pid]
        try:
            found.append(self.postmaster())
        except (FileNotFoundError, ValueError, IndexError):
            pass
        for pid in found:
            found += [child for child in children.get(pid, []) if child not in found]
        # Patroni first, so that it does not restart the server.
        return found

    def is_primary(self):
        try:
            return self.query("SELECT NOT pg_is_in_recovery()", 2) == "t"
        except (OSError, subprocess.TimeoutExpired):
            return False

    def end(self):
        if self.process is None:
            return
        for number in (signal.SIGCONT, signal.SIGKILL):
            self.signal_all(number)
        self.process.wait()


class Trio:
    """Three members; one is the primary."""

    def __init__(self, work):
        if not shutil.which("patroni") or not shutil.which("etcd"):
            raise SystemExit("scripts/failover: --patroni needs patroni and etcd: apt-get install patroni etcd-server")
        self.work = work
        # Not `first`: Patroni passes the name of the synchronous standby to PostgreSQL unquoted, where that is a keyword.
        self.members = [Member(work, name) for name in ("node1", "node2", "node3")]

    def __enter__(self):
        client, peer = free_port(), free_port()
        log = open(self.work / "etcd.log", "wb")
        here = f"http://127.0.0.1:{client}"
        self.etcd = subprocess.Popen(
            ["etcd", "--data-dir", self.work / "etcd", "--listen-client-urls", here, "--advertise-client-urls", here]
            + ["--listen-peer-urls", f"http://127.0.0.1:{peer}", "--initial-advertise-peer-urls", f"http://127.0.0.1:{peer}"]
            + ["--initial-cluster", f"default=http://127.0.0.1:{peer}"],
            stdout=log,
            stderr=log,
            env={**os.environ, "ETCD_UNSUPPORTED_ARCH": os.uname().machine},
        )
        try:
            self.begin(client)
        except BaseException:
            # Otherwise, the started processes would outlive the script.
            self.__exit__()
            raise
        return self

    def begin(self, etcd):
        time.sleep(1)
        for member in self.members:
            member.launch(etcd)
        until("Patroni has chosen a primary", self.primary, 120)
        following = "SELECT count(*) FILTER (WHERE sync_state = 'sync') || ' of ' || count(*) FROM pg_stat_replication"
        until("both others follow it", lambda: self.primary().query(following) == "1 of 2", 120)

    def __exit__(self, *_):
        for member in self.members:
            member.end()
        self.etcd.kill()
        self.etcd.wait()

    def primary(self, *but):
        return next((member for member in self.members if member not in but and member.is_primary()), None)

    def url(self):
        hosts = ",".join(f"127.0.0.1:{member.port}" for member in self.members)
        return f"postgres://test@{hosts}/postgres?target_session_attrs=read-write"

    def url_now(self):
        return self.url()

    def fail(self, fault):
        """Fails the primary and its Patroni; returns the time when another server has replaced it."""
        before = self.primary()
        if fault == "kill":
            before.kill()
        else:
            before.freeze()
        _, promoted = until("another one is the primary", lambda: self.primary(before), 90)
        return promoted

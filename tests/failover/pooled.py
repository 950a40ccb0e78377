"""A primary and a standby, each behind a pgbouncer in transaction mode."""

import shutil
import socket
import subprocess

from nodes import AS_SERVER, Pair, free_port, until

SETTINGS = """
[databases]
postgres = host=127.0.0.1 port={server} user=test
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
# Fewer than the connections of two instances, so that they share them.
default_pool_size = 3
"""


class Pooled(Pair):
    """The same two servers, each behind a pooler."""

    def __init__(self, work):
        super().__init__(work)
        self.program = shutil.which("pgbouncer") or shutil.which("pgbouncer", path="/usr/sbin")
        if not self.program:
            raise SystemExit("scripts/failover: --pgbouncer needs pgbouncer: apt-get install pgbouncer")
        self.poolers = {}

    def begin(self):
        super().begin()
        for node in (self.primary, self.standby):
            port = free_port()
            settings = node.directory / "pgbouncer.ini"
            settings.write_text(SETTINGS.format(server=node.port, port=port))
            log = open(node.directory / "pgbouncer.log", "wb")
            command = [*AS_SERVER, self.program, settings]
            self.poolers[port] = subprocess.Popen(command, stdout=log, stderr=log, cwd="/")
            until("a pooler listens", lambda: listens(port))

    def __exit__(self, *_):
        for pooler in self.poolers.values():
            # runuser forwards this signal.
            pooler.terminate()
        super().__exit__()
        for pooler in self.poolers.values():
            pooler.wait()

    def url(self):
        hosts = ",".join(f"127.0.0.1:{port}" for port in self.poolers)
        return f"postgres://test@{hosts}/postgres?target_session_attrs=read-write"


def listens(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0

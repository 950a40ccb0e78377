"""The servers to compare. Each is one process tree, pinned to the server's core and ended by its id."""

import os
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

from load import get

# One core for the server, the other for its client.
SERVER_CORE, CLIENT_CORE = "0", "1"

# How long a server may take to start or to stop.
PATIENCE = 15


class Server:
    """A running server."""

    def __init__(self, name, command, cores=SERVER_CORE, **options):
        self.name = name
        self.process = subprocess.Popen(["taskset", "-c", cores, *map(str, command)], text=True, **options)

    def cpu(self):
        """Returns the processor time of the process so far, in seconds."""
        threads = Path(f"/proc/{self.process.pid}/task").glob("*/schedstat")
        return sum(int(thread.read_text().split()[0]) for thread in threads) / 1e9

    def memory(self, key="VmRSS"):
        """Returns a figure of the process's memory, in KiB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(rf"^{key}:\s+(\d+)", status, re.M)[1])

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


class Announced(Server):
    """A server that prints its address."""

    def __init__(self, name, command, log, **options):
        super().__init__(name, command, stdout=subprocess.PIPE, stderr=open(log, "w"), **options)
        for line in self.process.stdout:
            if found := re.search(r"http://(\S+)", line):
                self.url = found[0]
                return
        raise SystemExit(f"{name} did not start: {Path(log).read_text()}")


def ours(binary, work, name="taubenabwehr", threads=1, cores=SERVER_CORE):
    """Starts the server, with a new data directory."""
    data = work / f"data-{time.monotonic_ns()}"
    command = [binary, "serve", "--listen", "127.0.0.1:0", "--data-dir", data, "--rate-limit", 0, "--threads", threads]
    server = Announced(name, command, work / "taubenabwehr.log", cores=cores)
    server.data = data
    return server


def bare(binary, work, what, directory=None):
    """Starts the bare hyper server."""
    directory = directory or work / f"bare-{time.monotonic_ns()}"
    directory.mkdir(exist_ok=True)
    return Announced("hyper", [binary, what, directory], work / "bare.log")


# Makes nginx send the same bytes as the server.
CONFIGURATION = """
load_module {modules}/ngx_http_brotli_static_module.so;
daemon off; master_process off; worker_processes 1; pid {work}/nginx.pid; error_log {work}/nginx.log;
events {{ worker_connections 1024; }}
http {{
  types {{ text/html html; application/javascript js; text/css css; }} charset utf-8;
  access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000000;
  open_file_cache max=1000 inactive=1h; open_file_cache_valid 1h;
  server {{
    listen 127.0.0.1:{port} backlog=1024;
    root {root};
    brotli_static on; gzip_vary on; server_tokens off;
{locations}
  }}
}}
"""

# Headers that nginx sends by itself.
OWN = {"content-type", "content-encoding", "content-length", "date", "etag", "vary", "connection", "transfer-encoding"}


def quoted(value):
    """Quotes a value for nginx's configuration."""
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def nginx(work, port, pages):
    """Starts nginx with these pages as precompressed files."""
    root = work / "nginx"
    locations = []
    for page in pages:
        file = root / (page.path.lstrip("/") or "index.html")
        if not file.suffix:
            file = file.with_suffix(".html")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(page.plain)
        Path(f"{file}.br").write_bytes(page.body)
        # A compressed file must have the same modification time as the file.
        for path in (file, Path(f"{file}.br")):
            os.utime(path, (1, 1))
        headers = "".join(
            f"      add_header {name} {quoted(value)} always;\n" for name, value in page.headers if name.lower() not in OWN
        )
        target = f"/{file.relative_to(root)}"
        locations.append(f"    location = {page.path} {{\n      try_files {target} =404;\n{headers}    }}")
    modules = next(path for path in ("/usr/lib/nginx/modules", "/usr/lib64/nginx/modules") if Path(path).is_dir())
    configuration = work / "nginx.conf"
    configuration.write_text(
        CONFIGURATION.format(work=work, root=root, port=port, modules=modules, locations="\n".join(locations))
    )
    for path in (work, *root.rglob("*"), root):
        path.chmod(0o755)
    log = work / "nginx.err"
    server = Server("nginx", [shutil.which("nginx") or "/usr/sbin/nginx", "-c", configuration], stderr=open(log, "w"))
    server.url = f"http://127.0.0.1:{port}"
    for _ in range(PATIENCE * 10):
        try:
            get(server.url + "/")
            return server
        except OSError:
            time.sleep(0.1)
    raise SystemExit(f"nginx did not start: {log.read_text()}")

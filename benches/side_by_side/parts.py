"""The measurements: each part returns rows of figures by server."""

import re
import socket
import subprocess
import time
from statistics import median

import servers
from load import get, page, wrk
from postgres import Postgres
from servers import CLIENT_CORE

# Rounds in which the servers take turns, since the speed of a busy machine varies. The medians are compared.
ROUNDS = 5

# Duration of the load on one server in one round, in seconds.
SECONDS = 2

CONNECTIONS = 64

# Cores of a server with two threads. The client shares the second one.
BOTH = "0,1"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def turns(running, measure):
    """Measures each server in turn; returns the median by name."""
    figures = {server.name: [] for server in running}
    for _ in range(ROUNDS):
        for server in running:
            figures[server.name].append(measure(server))
    return {name: median(values) for name, values in figures.items()}


def cpu_a_request(path, headers=()):
    """Returns a function that measures a server's processor time per request, in microseconds."""

    def measure(server):
        before = server.cpu()
        load = wrk(server.url + path, CONNECTIONS, SECONDS, CLIENT_CORE, [("Accept-Encoding", "br"), *headers])
        return (server.cpu() - before) / load.requests * 1e6

    return measure


def row(what, figures, limits, unit):
    return {"what": what, "figures": figures, "limits": limits, "unit": unit}


def script_of(home):
    """Returns the path of the largest script that the questionnaire loads."""
    return re.findall(r'(/assets/[^"\']+\.js)', home.plain.decode())


def static(tools):
    """Starts the three servers that serve the same pages."""
    server = servers.ours(tools.binary, tools.work)
    home, form = page(server.url, "/"), page(server.url, "/fragebogen")
    scripts = [page(server.url, path) for path in dict.fromkeys(script_of(form))]
    script = max(scripts, key=lambda found: len(found.body))
    found = [home, script]
    directory = tools.work / "pages"
    directory.mkdir(exist_ok=True)
    for number, one in enumerate(found):
        own = {"content-length", "date", "connection"}
        head = "".join(f"\n{name}: {value}" for name, value in one.headers if name.lower() not in own)
        (directory / f"{number}.head").write_text(one.path + head)
        (directory / f"{number}.body").write_bytes(one.body)
    return server, servers.nginx(tools.work, free_port(), found), servers.bare(tools.bare, tools.work, "pages", directory), script


def pages(tools):
    """Processor time of a page and of the largest script, on keep-alive connections."""
    server, nginx, hyper, script = static(tools)
    with server, nginx, hyper:
        rows = [
            row("page", turns([server, nginx, hyper], cpu_a_request("/")), {"nginx": 1.3, "hyper": 1.1}, "µs"),
            row("script", turns([server, nginx, hyper], cpu_a_request(script.path)), {"nginx": 1.3}, "µs"),
        ]
    # Both use the same cores, so that they differ only in their threads.
    with (
        servers.ours(tools.binary, tools.work, "two threads", 2, BOTH) as two,
        servers.ours(tools.binary, tools.work, "one thread", 1, BOTH) as one,
    ):
        rows.append(row("page, two threads", turns([two, one], cpu_a_request("/")), {"one thread": 1.3}, "µs"))
    return rows


def connections(tools):
    """Processor time of a page on a new connection."""
    server, nginx, hyper, _ = static(tools)
    with server, nginx, hyper:
        measure = cpu_a_request("/", [("Connection", "close")])
        return [row("page on a new connection", turns([server, nginx, hyper], measure), {"nginx": 1.5}, "µs")]


def inserts(tools):
    """Durable inquiries per second, and the time that a single one takes."""
    script = tools.here / "inquiry.lua"
    path = "/rest/v1/inquiries"

    def load(server, clients):
        return wrk(server.url + path, clients, SECONDS, CLIENT_CORE, script=script)

    with (
        servers.ours(tools.binary, tools.work) as server,
        servers.ours(tools.binary, tools.work, "two threads", 2, BOTH) as two,
        servers.bare(tools.bare, tools.work, "inserts") as hyper,
        Postgres(tools.work, free_port()) as postgres,
    ):

        def rate(clients):
            def measure(one):
                return one.inserts(clients, SECONDS) if one is postgres else load(one, clients).rate

            return measure

        def compare(clients, limits):
            return row(f"inserts, {clients} at once", turns([server, hyper, postgres], rate(clients)), limits, "/s")

        single = turns([server, hyper], lambda one: load(one, 1).median * 1e6)
        rows = [
            row("a single insert, p50", single, {"hyper": 1.5}, "µs"),
            compare(64, {"PostgreSQL": -1.5}),
            compare(256, {"PostgreSQL": -1.5}),
        ]
        # On the same cores, as for pages.
        with servers.ours(tools.binary, tools.work, "one thread", 1, BOTH) as one:
            figures = turns([two, one], rate(CONNECTIONS))
            rows.append(row("inserts, two threads", figures, {"one thread": -1.0}, "/s"))
        return rows


def memory(tools):
    """Memory of the process: idle, and after every page was requested in every encoding."""

    def taken(server):
        return {"taubenabwehr": server.memory() / 1024, "without the files of its code": server.memory("RssAnon") / 1024}

    with servers.ours(tools.binary, tools.work) as server:
        get(server.url + "/healthz")
        idle = taken(server)
        sitemap = get(server.url + "/sitemap.xml", {})[1].decode()
        paths = [re.sub(r"https?://[^/]+", "", url) or "/" for url in re.findall(r"<loc>([^<]+)</loc>", sitemap)]
        for path in paths:
            for encoding in ("br", "gzip", "identity"):
                get(server.url + path, {"Accept-Encoding": encoding})
        asked = taken(server)
    return [
        row("memory, idle", idle, {"MiB": 16}, "MiB"),
        row(f"memory, {len(paths)} pages in every encoding", asked, {"MiB": 48}, "MiB"),
    ]


def start(tools):
    """Time from the start of the process to the first response, on existing data, in milliseconds."""
    data = tools.work / "data-start"
    times = []
    for _ in range(20):
        begun = time.monotonic()
        command = [tools.binary, "serve", "--listen", "127.0.0.1:0", "--data-dir", data]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        url = re.search(r"http://\S+", process.stdout.readline())[0]
        get(url + "/healthz", {})
        times.append((time.monotonic() - begun) * 1e3)
        process.terminate()
        process.wait()
    # The first one creates the file.
    return [row("start to first answer", {"taubenabwehr": median(times[1:])}, {"ms": 30}, "ms")]

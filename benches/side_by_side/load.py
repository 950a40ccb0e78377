"""Sends single requests to the servers, or many with wrk."""

import re
import subprocess
from dataclasses import dataclass
from http.client import HTTPConnection
from urllib.parse import urlsplit

BROTLI = {"Accept-Encoding": "br", "Accept": "text/html"}


@dataclass
class Page:
    """A response of the server."""

    path: str
    headers: list
    body: bytes
    plain: bytes


def get(url, headers=BROTLI):
    """Returns the headers and the body of a response, which must be 200."""
    parts = urlsplit(url)
    connection = HTTPConnection(parts.hostname, parts.port, timeout=10)
    try:
        connection.request("GET", parts.path, headers=headers)
        response = connection.getresponse()
        if response.status != 200:
            raise SystemExit(f"{url}: {response.status}")
        return response.getheaders(), response.read()
    finally:
        connection.close()


def page(url, path):
    """Returns the server's response for a path, compressed and uncompressed."""
    headers, body = get(url + path)
    return Page(path, headers, body, get(url + path, {})[1])


@dataclass
class Load:
    """The result of a load."""

    requests: int
    seconds: float
    median: float  # of the response times, in seconds

    @property
    def rate(self):
        return self.requests / self.seconds


UNITS = {"us": 1e-6, "ms": 1e-3, "s": 1, "m": 60}


def seconds_of(text):
    number, unit = re.fullmatch(r"([\d.]+)(\w+)", text).groups()
    return float(number) * UNITS[unit]


def wrk(url, connections, seconds, core, headers=(), script=None):
    """Sends requests as fast as the server responds. Every response must be a success."""
    command = ["taskset", "-c", core, "wrk", "-t", "1", "-c", connections, "-d", f"{seconds}s", "--latency"]
    for name, value in headers:
        command += ["-H", f"{name}: {value}"]
    if script:
        command += ["-s", script]
    output = subprocess.run([*map(str, command), url], capture_output=True, text=True, check=True).stdout
    if "Non-2xx" in output:
        raise SystemExit(f"{url}: {output}")
    requests, taken = re.search(r"(\d+) requests in ([\d.]+\w+),", output).groups()
    median = re.search(r"50%\s+([\d.]+\w+)", output)[1]
    return Load(int(requests), seconds_of(taken), seconds_of(median))

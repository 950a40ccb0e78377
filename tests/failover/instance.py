"""An instance of the site, and the load on it."""

import http.client
import json
import os
import subprocess
import threading
import time
import uuid
from datetime import datetime, timezone

from nodes import free_port, until

# Longer than the 10 s within which every inquiry is answered.
PATIENCE = 15.0


class Instance:
    """A server process that uses a database."""

    def __init__(self, work, name, url, *flags):
        self.directory = work / name
        self.directory.mkdir()
        self.port = free_port()
        environment = {name: value for name, value in os.environ.items() if not name.startswith("TAUBENABWEHR_")}
        environment["TAUBENABWEHR_STORE"] = url
        log = open(self.directory / "log", "wb")
        command = [os.environ["TAUBENABWEHR_BIN"], "serve", "--listen", f"127.0.0.1:{self.port}", "--rate-limit", "0", *flags]
        self.process = subprocess.Popen(command, stdout=log, stderr=log, cwd=self.directory, env=environment)
        self.environment = environment

    def request(self, method, path, body=None, headers=None):
        """Sends one request on a new connection; returns status, headers and body."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.request(method, path, body, headers or {})
            response = connection.getresponse()
            return response.status, response.headers, response.read()
        finally:
            connection.close()

    def is_ready(self):
        try:
            return self.request("GET", "/healthz")[0] == 200
        except OSError:
            return False

    def command(self, url, *arguments, patience=120):
        """Runs a command of the program on a database."""
        program = [os.environ["TAUBENABWEHR_BIN"], *arguments]
        return subprocess.run(program, env={**self.environment, "TAUBENABWEHR_STORE": url}, cwd=self.directory, capture_output=True, text=True, timeout=patience)

    def wait_until_ready(self):
        until("an instance can store inquiries", self.is_ready)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


def record(last_name):
    return {
        "created_at": datetime.now(timezone.utc).isoformat(),
        "postal_code": "20095",
        "property_type": "residential",
        "types_of_problems": "nesting,droppings",
        "problem_locations": "balcony",
        "first_name": "Anna",
        "last_name": last_name,
        "email_address": "anna@example.de",
        "phone_number": "+49 40 1234567",
    }


class Load:
    """Writers that send each inquiry until it is acknowledged, and visitors who load pages."""

    def __init__(self, instances, writers):
        self.instances = instances
        self.ending = threading.Event()
        self.lock = threading.Lock()
        # Name, id, time and instance of each acknowledged inquiry.
        self.acknowledged = []
        self.sent = 0
        self.refused = 0
        self.without_retry_after = 0
        self.unexpected = []
        self.pages = 0
        self.failed_pages = []
        self.threads = [threading.Thread(target=self.write, args=(number,)) for number in range(writers)]
        self.threads += [threading.Thread(target=self.visit, args=(instance,)) for instance in instances]

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.ending.set()
        for thread in self.threads:
            thread.join()

    def write(self, number):
        instance = self.instances[number % len(self.instances)]
        connection = None
        inquiry = 0
        while not self.ending.is_set():
            inquiry += 1
            who = f"Meier {number}-{inquiry}"
            body = json.dumps([record(who)])
            headers = {
                "Content-Type": "application/json",
                "Prefer": "return=representation",
                "Idempotency-Key": str(uuid.uuid4()),
            }
            with self.lock:
                self.sent += 1
            # Every inquiry is sent until an instance has acknowledged it, even past the end of the load.
            while True:
                try:
                    if connection is None:
                        connection = http.client.HTTPConnection("127.0.0.1", instance.port, timeout=PATIENCE)
                    connection.request("POST", "/rest/v1/inquiries", body, headers)
                    response = connection.getresponse()
                    answer = response.read()
                except (OSError, http.client.HTTPException) as error:
                    connection = None
                    with self.lock:
                        self.unexpected.append(f"{type(error).__name__}: {error}")
                    time.sleep(0.1)
                    continue
                now = time.monotonic()
                with self.lock:
                    if response.status == 201:
                        self.acknowledged.append((who, json.loads(answer)[0]["id"], now, instance.port))
                        break
                    if response.status != 503:
                        self.unexpected.append(f"{response.status} {answer[:200]!r}")
                    self.refused += 1
                    if "Retry-After" not in response.headers:
                        self.without_retry_after += 1
                # A browser waits longer; this finds the moment from which inquiries are stored again.
                time.sleep(0.05)

    def visit(self, instance):
        while not self.ending.is_set():
            for path in ("/", "/fragebogen", "/blog"):
                begun = time.monotonic()
                try:
                    status = instance.request("GET", path)[0]
                except OSError as error:
                    status = str(error)
                took = time.monotonic() - begun
                with self.lock:
                    self.pages += 1
                    if status != 200 or took > 2.0:
                        self.failed_pages.append(f"{path}: {status} after {took:.1f} s")
                time.sleep(0.02)

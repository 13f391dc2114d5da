# SPDX-License-Identifier: Apache-2.0
"""A `fathom serve` under test: started on a free port of loopback, asked, and ended by its process id."""
import http.client
import socket
import urllib.parse

from fathom_e2e import *


class Server:
    def __init__(self, *arguments, token=None):
        self.token = token
        self.process = subprocess.Popen([fathom, "serve", *map(str, arguments), "--bind", "0"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        if not line.startswith("http://"):
            fail(f"fathom serve did not say its address: {line!r}\n{self.process.communicate(timeout=30)[1]}")
        self.host, port = line.strip().removeprefix("http://").rstrip("/").rsplit(":", 1)
        self.port = int(port)

    def __enter__(self):
        return self

    def __exit__(self, *problem):
        self.end()

    def end(self):
        """Ends it as an operator would, and insists that it ends well."""
        if self.process.returncode is None and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.communicate(timeout=60)
            except subprocess.TimeoutExpired:
                self.process.kill()
                fail("fathom serve did not end within a minute of SIGTERM")
        expect_equal(self.process.returncode, 0, "exit code of fathom serve")

    def ask(self, path, method="GET", headers=None, body=None, host=None):
        """Status, headers and body as bytes."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=60)
        try:
            all_headers = dict(headers or {})
            if self.token and "Authorization" not in all_headers:
                all_headers["Authorization"] = f"Bearer {self.token}"
            if host:
                all_headers["Host"] = host
            connection.request(method, path, body=body, headers=all_headers)
            answer = connection.getresponse()
            return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
        finally:
            connection.close()

    def api(self, path, **parameters):
        """What an endpoint answers; insists on 200."""
        query = urllib.parse.urlencode({name.rstrip("_"): value for name, value in parameters.items()}, doseq=True)
        status, _, body = self.ask(f"/api/v1{path}{'?' + query if query else ''}")
        if status != 200:
            fail(f"GET {path}?{query}: {status} {body[:2000].decode(errors='replace')}")
        return json.loads(body)

    def when_ready(self, store, patience=120):
        """Waits until the store is prepared; gives its info."""
        end = time.monotonic() + patience
        while True:
            info = self.api(f"/stores/{store}")
            if info["overview"]["ready"] and info["machine"]["ready"]:
                return info
            expect(time.monotonic() < end, f"the store was not prepared in {patience} s: {info['overview']} {info['machine']}")
            time.sleep(0.1)

    def raw(self, data, patience=10):
        """Sends bytes as they are; gives all that comes back until the other side closes."""
        with socket.create_connection((self.host, self.port), timeout=patience) as client:
            with contextlib.suppress(OSError):
                client.sendall(data)
                client.shutdown(socket.SHUT_WR)
            answer = b""
            with contextlib.suppress(OSError):
                while block := client.recv(65536):
                    answer += block
            return answer

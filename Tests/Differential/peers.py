"""The servers that are compared, each started on a free port of 127.0.0.1 and ended with the run."""

import asyncio
import os
import shutil
import socket
import subprocess
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
PACKAGES = {"nginx": "nginx-light", "haproxy": "haproxy", "node": "nodejs", "curl": "curl"}

NGINX = """
daemon off;
worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/nginx.log;
events {{ worker_connections 512; }}
http {{
    access_log off;
    client_header_timeout 2s;
    client_body_timeout 2s;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    merge_slashes off;
    server {{
        listen 127.0.0.1:{port};
        location / {{
            proxy_pass http://127.0.0.1:{behind};
            proxy_http_version 1.1;
            proxy_ignore_client_abort on;
        }}
    }}
}}
"""

HAPROXY = """
global
    maxconn 512
defaults
    mode http
    timeout connect 2s
    timeout client 2s
    timeout server 5s
    timeout http-request 2s
    option http-server-close
    http-reuse never
frontend front
    bind 127.0.0.1:{port}
    default_backend behind
backend behind
    server behind 127.0.0.1:{behind}
"""


def missing():
    """The sentence that names what cannot be started, or None."""
    names = [name for name in PACKAGES if not program(name)]
    if names:
        packages = " ".join(PACKAGES[name] for name in names)
        return f"{', '.join(names)} cannot be found; on Debian: apt-get install --no-install-recommends {packages}"
    return None


def program(name):
    return shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Servers:
    """name -> port, for as long as the `async with` lasts."""

    def __init__(self, echo_server, folder):
        self.folder = folder
        self.ports = {name: free_port() for name in ("countersign", "nginx", "haproxy", "node")}
        self.behind = free_port()
        self.commands = {
            "countersign": [echo_server, f"127.0.0.1:{self.ports['countersign']}"],
            "nginx": [program("nginx"), "-p", folder, "-e", f"{folder}/nginx.log", "-c", self.write("nginx", NGINX)],
            "haproxy": [program("haproxy"), "-db", "-q", "-f", self.write("haproxy", HAPROXY)],
            "node": [program("node"), HERE / "echo.js", str(self.ports["node"])],
        }
        self.processes = {}

    def write(self, name, template):
        file = Path(self.folder) / f"{name}.conf"
        file.write_text(template.format(folder=self.folder, port=self.ports[name], behind=self.behind))
        return file

    async def __aenter__(self):
        self.backend = await asyncio.start_server(behind, "127.0.0.1", self.behind)
        for name, command in self.commands.items():
            with open(f"{self.folder}/{name}.out", "w") as output:
                self.processes[name] = subprocess.Popen(command, stdout=output, stderr=output)
        for name, port in self.ports.items():
            await self.until_listening(name, port)
        return self

    async def until_listening(self, name, port):
        deadline = time.monotonic() + 20
        while True:
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.close()
                return
            except OSError:
                if self.processes[name].poll() is not None or time.monotonic() > deadline:
                    said = Path(f"{self.folder}/{name}.out").read_text()
                    await self.__aexit__()
                    raise SystemExit(f"differential: {name} does not listen: {said.strip()}") from None
                await asyncio.sleep(0.05)

    def ended(self):
        """The servers that did not live through it."""
        return [name for name, process in self.processes.items() if process.poll() is not None]

    async def __aexit__(self, *_):
        for process in self.processes.values():
            process.terminate()
        for process in self.processes.values():
            try:
                process.wait(timeout=5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self.backend.close()


async def behind(reader, writer):
    """Stands behind the proxies and answers with what they hand on; their requests are well-formed."""
    try:
        while True:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            method, target, _ = head[0].split(" ", 2)
            fields = {line.split(":", 1)[0].lower(): line.split(":", 1)[1].strip() for line in head[1:] if ":" in line}
            body = b""
            if "chunked" in fields.get("transfer-encoding", "").lower():
                while size := int((await reader.readuntil(b"\r\n")).split(b";")[0], 16):
                    body += await reader.readexactly(size)
                    await reader.readexactly(2)
                while await reader.readuntil(b"\r\n") != b"\r\n":
                    pass
            else:
                body = await reader.readexactly(int(fields.get("content-length", "0")))
            saw = (f"{method} {target}\n".encode("latin-1") + body).hex()
            writer.write(f"HTTP/1.1 200 OK\r\nX-Saw: {saw}\r\nContent-Length: 0\r\n\r\n".encode())
            await writer.drain()
            if "close" in fields.get("connection", "").lower():
                break
    except (asyncio.IncompleteReadError, ConnectionError):
        pass
    finally:
        writer.close()

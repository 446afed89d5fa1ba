"""The other side of the test with a real browser: three small servers on this machine.

servers.py PAGE_PORT NAIVE_PORT GATEWAY_PORT

- 127.0.0.1:PAGE_PORT serves the page, and takes its reports: they go to standard error, each followed by `reported NAME`.
- 127.0.0.1:NAIVE_PORT is a server as it should not be: it allows every origin. What the page sees there shows that it
  would see something.
- 127.0.0.2:GATEWAY_PORT is a name that was bound anew: it serves the page once, at /page, and everything else goes to
  127.0.0.1:GATEWAY_PORT as it is. To the browser both are one server.
"""

import http.server
import json
import pathlib
import socket
import sys
import threading

PAGE = pathlib.Path(__file__).with_name("page.html").read_bytes()
page_port, naive_port, gateway_port = map(int, sys.argv[1:])


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, body, kind, fields={}):
        self.send_response(200)
        for name, value in {"Content-Type": kind, "Content-Length": str(len(body)), **fields}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def body(self):
        return self.rfile.read(int(self.headers.get("Content-Length", 0)))


class Page(Handler):
    def do_GET(self):
        self.answer(PAGE, "text/html")

    def do_POST(self):
        report = self.body().decode()
        sys.stderr.write(f"{report}\nreported {json.loads(report)['name']}\n")
        sys.stderr.flush()
        self.answer(b"", "text/plain")


class Naive(Handler):
    asks = 0

    def respond(self):
        body = self.body()
        try:
            Naive.asks += json.loads(body).get("op") == "pick_item"
        except ValueError:
            pass
        if self.path == "/asks":
            return self.answer(str(Naive.asks).encode(), "text/plain")
        stream = "event-stream" in self.headers.get("Accept", "")
        self.answer(
            b"data: 1\n\n" if stream else b"1", "text/event-stream" if stream else "text/javascript", {
                "Access-Control-Allow-Origin": "*", "Access-Control-Allow-Headers": "authorization, content-type",
                "Access-Control-Allow-Methods": "GET, POST, DELETE", "Access-Control-Allow-Private-Network": "true",
            })

    do_GET = do_HEAD = do_POST = do_DELETE = do_OPTIONS = respond


def pump(source, sink):
    try:
        while piece := source.recv(65536):
            sink.sendall(piece)
    except OSError:
        pass
    for end in (source, sink):
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def bound_anew(client):
    first = client.recv(65536)
    if first.startswith(b"GET /page"):
        head = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {len(PAGE)}\r\nConnection: close\r\n\r\n"
        client.sendall(head.encode() + PAGE)
        client.close()
        return
    gateway = socket.create_connection(("127.0.0.1", gateway_port))
    gateway.sendall(first)
    threading.Thread(target=pump, args=(gateway, client), daemon=True).start()
    pump(client, gateway)


def serve(address, handler):
    server = http.server.ThreadingHTTPServer(address, handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()


serve(("127.0.0.1", page_port), Page)
serve(("127.0.0.1", naive_port), Naive)
listener = socket.create_server(("127.0.0.2", gateway_port), backlog=128)
sys.stderr.write("ready\n")
sys.stderr.flush()
while True:
    connection, _ = listener.accept()
    threading.Thread(target=bound_anew, args=(connection,), daemon=True).start()

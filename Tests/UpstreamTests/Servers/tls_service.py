"""A service with TLS by Python's ssl module, whose manners the path of a request decides.

    tls_service.py CERTIFICATE KEY [tls12] [early-end] [other-protocol]

It prints `control N` and `port N`, then a line for each connection (`connection N reused|full`). What nobody asked for is
done when somebody connects to the control port, and then it prints `done N`.
"""

import ctypes
import socket
import ssl
import struct
import sys
import threading

certificate, key, *manners = sys.argv[1:]
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(certificate, key)
if "tls12" in manners:
    context.maximum_version = ssl.TLSVersion.TLSv1_2

libssl = ctypes.CDLL("libssl.so.3")
for name in ("SSL_key_update", "SSL_new_session_ticket", "SSL_do_handshake"):
    getattr(libssl, name).argtypes = [ctypes.c_void_p] + [ctypes.c_int] * (name == "SSL_key_update")


def inner(wrapper, offset):
    """OpenSSL's object in one of Python's."""
    return ctypes.c_void_p.from_address(id(wrapper) + offset).value


CHOICE = b"h2"
SELECT = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(ctypes.c_char_p), ctypes.POINTER(ctypes.c_ubyte),
    ctypes.c_void_p, ctypes.c_uint, ctypes.c_void_p)


@SELECT
def choose_other(_ssl, out, length, _offer, _count, _argument):
    out[0] = CHOICE
    length[0] = len(CHOICE)
    return 0


if "other-protocol" in manners:
    libssl.SSL_CTX_set_alpn_select_cb.argtypes = [ctypes.c_void_p, SELECT, ctypes.c_void_p]
    libssl.SSL_CTX_set_alpn_select_cb(inner(context, 16), choose_other, None)


def say(*words):
    print(*words, flush=True)


def reset(raw):
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    raw.close()


def cut(connection):
    """Ends the TCP connection without a word of TLS."""
    socket.socket(fileno=connection.detach()).close()


def announce_end(connection):
    """Sends close_notify, and leaves the TCP connection as it is."""
    connection.settimeout(0)
    try:
        connection.unwrap()
    except (ssl.SSLError, OSError):
        pass
    connection.settimeout(None)


def read_request(connection):
    data = b""
    while b"\r\n\r\n" not in data:
        piece = connection.recv(65536)
        if not piece:
            return None
        data += piece
    head, _, body = data.partition(b"\r\n\r\n")
    path = head.split(b" ")[1].decode()
    if path == "/reset-upload":
        reset(socket.socket(fileno=connection.detach()))
        return None
    if path == "/stall-upload":
        control.accept()
        return None
    length = 0
    for line in head.split(b"\r\n")[1:]:
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    while len(body) < length:
        body += connection.recv(65536)
    return path, body


def serve(raw, number):
    try:
        connection = context.wrap_socket(raw, server_side=True)
    except (ssl.SSLError, OSError) as error:
        say("failed", number, type(error).__name__)
        return
    say("connection", number, "reused" if connection.session_reused else "full", connection.selected_alpn_protocol())
    pointer = inner(connection._sslobj, 24)
    if "early-end" in manners:
        announce_end(connection)
        say("done", number)
    while request := read_request(connection):
        path, body = request
        if path == "/kill-first" and number == 1:
            cut(connection)
            return
        answer = body if path == "/echo" else str(number).encode()
        if path == "/until-end":
            connection.sendall(b"HTTP/1.1 200 OK\r\n\r\nhello")
            announce_end(connection)
            break
        if path == "/until-cut":
            connection.sendall(b"HTTP/1.1 200 OK\r\n\r\nhello")
            cut(connection)
            return
        if path in ("/reset", "/cut"):
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello")
            reset(socket.socket(fileno=connection.detach())) if path == "/reset" else cut(connection)
            return
        if path == "/damage":
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello")
            plain = socket.socket(fileno=connection.detach())
            plain.sendall(b"\x17\x03\x03\x00\x20" + b"x" * 32)
            plain.recv(65536)
            return
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(answer) + answer)
        if path.startswith("/then-"):
            control.accept()[0].close()
        if path == "/then-end":
            announce_end(connection)
        elif path == "/then-cut":
            cut(connection)
            say("done", number)
            return
        elif path == "/then-bytes":
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged")
        elif path == "/then-ticket":
            libssl.SSL_new_session_ticket(pointer)
            libssl.SSL_do_handshake(pointer)
        elif path == "/then-keys":
            libssl.SSL_key_update(pointer, 1)
            libssl.SSL_do_handshake(pointer)
        else:
            continue
        say("done", number)
    raw.close()


control = socket.create_server(("127.0.0.1", 0), backlog=64)
say("control", control.getsockname()[1])
listener = socket.create_server(("127.0.0.1", 0), backlog=64)
say("port", listener.getsockname()[1])
number = 0
while True:
    accepted, _ = listener.accept()
    number += 1
    threading.Thread(target=serve, args=(accepted, number), daemon=True).start()

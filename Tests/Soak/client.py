"""A small HTTP client that shows everything: the tests of what is odd need more than a library lets one do."""

import asyncio
import json
from dataclasses import dataclass

PATIENCE = 45.0
"""Longer than any answer may take: the longest wait that is asked for is 20 s."""


@dataclass
class Answer:
    status: int
    fields: dict
    body: bytes

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def code(self):
        """The `error` of a problem, or the code that a callback page shows."""
        try:
            return str(self.json.get("error", ""))
        except ValueError:
            return self.body.partition(b"<code>")[2].partition(b"<")[0].decode(errors="replace")


class Connection:
    def __init__(self, port):
        self.port = port

    async def __aenter__(self):
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        return self

    async def __aexit__(self, *_):
        self.writer.close()

    async def send(self, data):
        self.writer.write(data)
        await self.writer.drain()

    def end_writing(self):
        self.writer.write_eof()

    def reset(self):
        """The kernel sends a reset instead of an orderly end."""
        self.writer.transport.abort()

    async def answer(self):
        """The next answer that is no interim one; None when the server ends the connection instead."""
        async with asyncio.timeout(PATIENCE):
            while True:
                try:
                    head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
                except (asyncio.IncompleteReadError, ConnectionError):
                    return None
                status = int(head[0].split(" ")[1])
                fields = {}
                for line in head[1:]:
                    name, _, value = line.partition(":")
                    fields[name.lower()] = value.strip()
                if status < 200:
                    continue
                length = int(fields.get("content-length", "0"))
                return Answer(status, fields, await self.reader.readexactly(length))

    async def end(self):
        """Returns once the server has ended the connection."""
        async with asyncio.timeout(PATIENCE):
            try:
                while await self.reader.read(65536):
                    pass
            except ConnectionError:
                pass

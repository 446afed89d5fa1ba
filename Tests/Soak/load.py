"""What callers do, good and bad. Each action says what it got when that is not what it should be."""

import asyncio
import json
import random
import re
import sys
from collections import Counter, deque
from pathlib import Path

from client import Connection

TESTS = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS / "Differential"))
from vectors import Vector, unescape  # noqa: E402


class Unexpected(Exception):
    pass


def expect(holds, sentence):
    if not holds:
        raise Unexpected(sentence)


class Load:
    def __init__(self, stage, seed, only):
        self.stage = stage
        self.only = only
        self.random = random.Random(seed)
        self.done = Counter()
        self.statuses = Counter()
        self.unexpected = deque(maxlen=20)
        self.unexpected_count = 0
        self.asks = 0
        self.vectors = [
            vector for vector in Vector.all()
            if not vector.is_response and vector.verdict.isdigit() and vector.subject != "pipeline"]
        self.inputs = [
            file for kind in ("http", "json", "ask", "callback")
            for file in sorted((TESTS / "EndToEndTests/BadInput").glob(f"{kind}.*.txt"))]

    def workers(self):
        """(action, caller, seconds between two times). Each caller has at most three asks open, as many as it may."""
        for name in ("agent", "second", "third"):
            yield from ((self.pick, name, 0.5), (self.wait_again, name, 0.7), (self.cancel, name, 1.1))
        yield self.hasty, "hasty", 0.4
        yield self.in_pieces, "slow", 3.0
        yield self.bad_input, "narrow", 0.1
        yield from ((action, "agent", pause) for action, pause in [
            (self.who, 0.1), (self.who_kept, 0.5), (self.pipelined, 1.0), (self.vector, 0.15),
            (self.half_closed, 0.7), (self.reset, 0.3), (self.oversized, 1.0), (self.oversized_chunks, 2.0),
            (self.not_read, 2.0), (self.silent, 0.5), (self.silent, 0.5), (self.slow_head, 0.5),
            (self.slow_head, 0.5), (self.slow_body, 1.0), (self.many_at_once, 5.0),
        ])

    async def run(self, until):
        """Every worker goes on until the event is set, and ends what it is doing then."""
        async with asyncio.TaskGroup() as group:
            for action, caller, pause in self.workers():
                if self.only and action.__name__ not in self.only:
                    continue
                group.create_task(self.repeat(action, caller, pause, until))

    async def repeat(self, action, caller, pause, until):
        while not until.is_set():
            try:
                await action(caller)
                self.done[action.__name__] += 1
            except Unexpected as error:
                self.note(f"{action.__name__}: {error}")
            except (OSError, TimeoutError, asyncio.IncompleteReadError, ValueError, IndexError) as error:
                self.note(f"{action.__name__}: {type(error).__name__} {error}")
            try:
                async with asyncio.timeout(pause * self.random.uniform(0.5, 1.5)):
                    await until.wait()
            except TimeoutError:
                pass

    def note(self, sentence):
        self.unexpected_count += 1
        self.unexpected.append(sentence)

    def count(self, answer):
        self.statuses[answer.status if answer else "closed"] += 1
        return answer

    # MARK: Requests

    def head(self, start, caller=None, *fields):
        lines = [f"{start} HTTP/1.1", f"Host: 127.0.0.1:{self.stage.port}"]
        if caller:
            lines.append(f"Authorization: Bearer {self.stage.tokens[caller]}")
        return "\r\n".join([*lines, *fields, "", ""]).encode()

    def ask(self, caller, wait):
        self.asks += 1
        body = json.dumps({
            "op": "pick_item", "hint": {"url": f"https://bank{self.asks}.example.com"}, "reason": f"ask {self.asks}",
        }).encode()
        return self.head(
            "POST /v1/requests", caller, "Content-Type: application/json", f"Prefer: wait={wait}",
            f"Content-Length: {len(body)}") + body

    async def once(self, data):
        async with Connection(self.stage.port) as connection:
            await connection.send(data)
            return self.count(await connection.answer())

    # MARK: Good input

    async def who(self, caller):
        answer = await self.once(self.head("GET /v1/whoami", caller))
        expect(answer and answer.status == 200 and answer.json["caller"] == caller, f"{answer}")

    async def who_kept(self, caller):
        async with Connection(self.stage.port) as connection:
            for _ in range(20):
                await connection.send(self.head("GET /v1/whoami", caller))
                answer = self.count(await connection.answer())
                expect(answer and answer.status == 200, f"{answer}")

    async def pipelined(self, caller):
        async with Connection(self.stage.port) as connection:
            await connection.send(self.head("GET /v1/whoami", caller) * 20)
            for _ in range(20):
                answer = self.count(await connection.answer())
                expect(answer and answer.status == 200, f"{answer}")

    async def in_pieces(self, caller):
        """Two requests in pieces of any size, with pauses."""
        data = self.head("GET /v1/whoami", caller) + self.ask(caller, 0)
        async with Connection(self.stage.port) as connection:
            while data:
                size = self.random.randrange(1, 200)
                await connection.send(data[:size])
                data = data[size:]
                await asyncio.sleep(self.random.uniform(0, 0.05))
            answers = [self.count(await connection.answer()) for _ in range(2)]
            expect([answer and answer.status for answer in answers] == [200, 202], f"{answers}")

    async def pick(self, caller):
        self.completed(await self.once(self.ask(caller, 20)))

    def completed(self, answer):
        expect(answer and answer.status == 200, f"{answer}")
        expect(answer.json["state"] == "completed" and answer.json["result"], f"the state is {answer.json['state']}")

    async def wait_again(self, caller):
        pending = await self.once(self.ask(caller, 0))
        expect(pending and pending.status == 202, f"{pending}")
        self.completed(await self.once(self.head(f"GET {pending.fields['location']}", caller, "Prefer: wait=20")))

    async def cancel(self, caller):
        pending = await self.once(self.ask(caller, 0))
        expect(pending and pending.status == 202, f"{pending}")
        answer = await self.once(self.head(f"DELETE {pending.fields['location']}", caller))
        expect(answer and answer.status == 200, f"{answer}")
        expect(answer.json["state"] in ("cancelled", "completed"), f"the state is {answer.json['state']}")

    async def hasty(self, caller):
        """Asks and hangs up. The asks live on for a while, so that the limit of open ones is met."""
        async with Connection(self.stage.port) as connection:
            await connection.send(self.ask(caller, 20))
            try:
                async with asyncio.timeout(0.2):
                    answer = self.count(await connection.answer())
                    expect(answer and answer.status == 429, f"{answer}")
            except TimeoutError:
                pass

    async def half_closed(self, caller):
        async with Connection(self.stage.port) as connection:
            await connection.send(self.head("GET /v1/whoami", caller))
            connection.end_writing()
            answer = self.count(await connection.answer())
            expect(answer and answer.status == 200, f"{answer}")
            await connection.end()

    # MARK: Bad input

    async def vector(self, _):
        """A request that no server may read; nothing of it may have an effect."""
        vector = self.random.choice(self.vectors)
        async with Connection(self.stage.port) as connection:
            try:
                await connection.send(vector.bytes)
                connection.end_writing()
            except OSError:
                pass
            while answer := self.count(await connection.answer()):
                expect(answer.status >= 400, f"{vector.name} is answered with {answer.status}")

    async def bad_input(self, caller):
        file = self.random.choice(self.inputs)
        first, _, rest = file.read_text(encoding="utf-8").partition("\n\n")
        statuses, *codes = first.removeprefix("expect:").split()
        text = rest.replace("\n", "").replace("{{port}}", str(self.stage.port))
        payload = unescape(text.replace("{{token}}", self.stage.tokens[caller]))
        if file.name.startswith("callback."):
            payload = b"GET /callback?" + payload + self.head("x").partition(b"x")[2]
        elif not file.name.startswith("http."):
            payload = self.head(
                "POST /v1/requests", caller, "Content-Type: application/json", "Prefer: wait=0",
                f"Content-Length: {len(payload)}") + payload
        async with Connection(self.stage.port) as connection:
            try:
                await connection.send(payload)
                connection.end_writing()
            except OSError:
                pass
            answer = self.count(await connection.answer())
            pattern = statuses.replace("x", r"\d").replace("/", "|")
            expect(answer and re.fullmatch(pattern, str(answer.status)), f"{file.name}: {answer}")
            expect(not codes or answer.code in codes[0].split("|"), f"{file.name}: {answer.code}")

    async def oversized(self, caller):
        head = self.head(
            "POST /v1/requests", caller, "Content-Type: application/json", "Content-Length: 500000")
        await self.refused_body(head, b" " * 500_000)

    async def oversized_chunks(self, caller):
        head = self.head("POST /v1/requests", caller, "Content-Type: application/json", "Transfer-Encoding: chunked")
        await self.refused_body(head, b"8000\r\n" + b" " * 0x8000 + b"\r\n", 16)

    async def refused_body(self, head, piece, times=1):
        async with Connection(self.stage.port) as connection:
            try:
                await connection.send(head)
                for _ in range(times):
                    await connection.send(piece)
            except OSError:
                pass
            answer = self.count(await connection.answer())
            expect(answer and answer.status == 413, f"{answer}")

    async def reset(self, caller):
        async with Connection(self.stage.port) as connection:
            data = self.random.choice([
                self.head("GET /v1/whoami", caller), self.ask("hasty", 20), self.head("GET /openapi.yaml")])
            await connection.send(data[: self.random.randrange(1, len(data) + 1)])
            await asyncio.sleep(self.random.uniform(0, 0.05))
            connection.reset()

    async def not_read(self, _):
        """Asks for more than the buffers hold, and reads none of it."""
        async with Connection(self.stage.port) as connection:
            await connection.send(self.head("GET /openapi.yaml") * 200)
            await asyncio.sleep(2)
            connection.reset()

    async def silent(self, _):
        async with Connection(self.stage.port) as connection:
            await connection.end()
            self.statuses["closed"] += 1

    async def slow_head(self, caller):
        """A byte a second: the head's time is over before it is."""
        data = self.head("GET /v1/whoami", caller)
        async with Connection(self.stage.port) as connection:
            answer = self.count(await self.drip(connection, data[:40]))
            expect(answer is None or answer.status == 408, f"{answer}")

    async def slow_body(self, caller):
        head = self.head("POST /v1/requests", caller, "Content-Type: application/json", "Content-Length: 60")
        async with Connection(self.stage.port) as connection:
            await connection.send(head)
            answer = self.count(await self.drip(connection, b" " * 60))
            expect(answer is None or answer.status == 408, f"{answer}")

    async def drip(self, connection, data):
        """The answer, which has to come before the end of the data."""
        answer = asyncio.create_task(connection.answer())
        for byte in data:
            try:
                await connection.send(bytes([byte]))
            except OSError:
                break
            done, _ = await asyncio.wait({answer}, timeout=1)
            if done:
                break
        return await answer

    async def many_at_once(self, caller):
        """A burst of connections, each with one request."""
        answers = await asyncio.gather(*(self.once(self.head("GET /healthz")) for _ in range(60)))
        expect(all(answer and answer.status == 200 for answer in answers), "a burst is not answered")

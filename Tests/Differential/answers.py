"""Sends every response vector to curl, Python's http.client and Node, and tells what each makes of it."""

import asyncio
import http.client
import json
import tempfile
from pathlib import Path

import peers
from reasons import reason
from vectors import Vector, unescape

HERE = Path(__file__).resolve().parent
LINGER = 1.0
"""Seconds that a connection stays open behind an answer that does not end with it."""
PATIENCE = 2


def vectors():
    """Those with one answer; what waits for more is no answer yet."""
    return [vector for vector in Vector.all()
            if vector.is_response and len(vector.answers) == 1 and vector.verdict != "wait"]


class Source:
    """Answers `METHOD /NUMBER` with the bytes of that vector."""

    def __init__(self, chosen):
        self.chosen = chosen

    async def __aenter__(self):
        self.server = await asyncio.start_server(self.answer, "127.0.0.1", 0)
        self.port = self.server.sockets[0].getsockname()[1]
        return self

    async def answer(self, reader, writer):
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            vector = self.chosen[int(head.split(b" ")[1][1:])]
            writer.write(vector.bytes)
            await writer.drain()
            if not vector.closes:
                async with asyncio.timeout(LINGER):
                    await reader.read()
        except (TimeoutError, OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def __aexit__(self, *_):
        self.server.close()


async def curl(port, number, method):
    with tempfile.NamedTemporaryFile() as body:
        process = await asyncio.create_subprocess_exec(
            peers.program("curl"), "-q", "-s", "--max-time", str(PATIENCE), "--http1.1", "--noproxy", "*",
            *(["-I"] if method == "HEAD" else ["-o", body.name]), "-w", "\n%{http_code}",
            f"http://127.0.0.1:{port}/{number}", stdout=asyncio.subprocess.PIPE)
        said, _ = await process.communicate()
        if process.returncode != 0:
            return None
        return int(said.rpartition(b"\n")[2]), Path(body.name).read_bytes().decode("latin-1")


def python(port, number, method):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        connection.request(method, f"/{number}")
        response = connection.getresponse()
        return response.status, response.read().decode("latin-1")
    except (OSError, ValueError, http.client.HTTPException):
        return None
    finally:
        connection.close()


async def node(port, chosen):
    asks = [f"{vector.answers[0]} /{number}" for number, vector in enumerate(chosen)]
    process = await asyncio.create_subprocess_exec(
        peers.program("node"), HERE / "ask.js", str(port), *asks, stdout=asyncio.subprocess.PIPE)
    said, _ = await process.communicate()
    return [tuple(answer) if (answer := json.loads(line)) else None for line in said.splitlines()]


async def compare(chosen):
    """For each vector name -> (status, body), or None where it is refused."""
    async with Source(chosen) as source:
        curls = [curl(source.port, number, vector.answers[0]) for number, vector in enumerate(chosen)]
        pythons = [
            asyncio.to_thread(python, source.port, number, vector.answers[0]) for number, vector in enumerate(chosen)]
        by_curl, by_python, by_node = await asyncio.gather(
            asyncio.gather(*curls), asyncio.gather(*pythons), node(source.port, chosen))
    return [
        {"curl": one, "http.client": two, "node": three} for one, two, three in zip(by_curl, by_python, by_node)]


def ours(vector):
    """(status, body) as the vector's events tell it, which the decoder is held to; None where it is refused."""
    if vector.verdict != "accept":
        return None
    head = next(line.split(" ") for line in vector.events if line.startswith("head "))
    bodies = [line.removeprefix("body ") for line in vector.events if line.startswith("body ")]
    return int(head[1]), "".join(unescape(body).decode("latin-1") for body in bodies)


def report(chosen, results):
    """Gives how many faults were found."""
    alone, otherwise, stricter = [], [], []
    for vector, others in zip(chosen, results):
        own, accepting = ours(vector), [answer for answer in others.values() if answer]
        row = f"  {vector.name:44} we {own}  " + "  ".join(f"{name} {answer}" for name, answer in others.items())
        if own and not accepting:
            alone.append(row)
        elif own and own not in accepting:
            otherwise.append(row)
        elif not own and len(accepting) == len(others):
            stricter.append(f"  {vector.name:44} {reason(vector) or 'NO REASON IS GIVEN'}")
    lists = [
        ("answers that we accept and nobody else does (must be empty)", alone),
        ("answers that we read otherwise than all who accept them (must be empty)", otherwise),
        ("answers that we refuse and all others accept", stricter),
    ]
    for title, lines in lists:
        print("\n".join([f"{title}: {len(lines)}", *lines]))
    print(f"{len(chosen)} answers; accepted by us {sum(1 for vector in chosen if ours(vector))}, " + ", ".join(
        f"{name} {sum(1 for result in results if result[name])}" for name in results[0]))
    return len(alone) + len(otherwise) + sum("NO REASON" in line for line in stricter)

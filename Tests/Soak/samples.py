"""Looks at the gateway from outside, and says whether it stays as it was."""

import os
import re
import statistics
import time
from dataclasses import dataclass
from pathlib import Path

MEMORY_GROWTH = 2.0
"""MiB that the median of the last fifth may lie above that of the second."""
HELD = 660.0
"""Seconds until as many results that nobody fetched are let go (after ten minutes) as come: memory grows until then."""
DESCRIPTORS = 2
"""How far the descriptors may be from where they began, once the load has ended."""
WAL = 16.0
"""MiB."""
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Sample:
    seconds: float
    resident: float
    anonymous: float
    descriptors: int
    connections: int
    threads: int
    wal: float
    processor: float

    ROW = "{:>7} {:>8} {:>8} {:>5} {:>6} {:>8} {:>8} {:>6} {:>9} {:>8} {:>11}"
    TITLES = ROW.format(
        "seconds", "RSS", "private", "files", "conns", "threads", "WAL", "CPU %", "answered", "refused", "unexpected")

    def row(self, load):
        answered = sum(count for status, count in load.statuses.items() if status != "closed" and status < 400)
        refused = sum(load.statuses.values()) - answered
        return Sample.ROW.format(
            f"{self.seconds:.0f}", f"{self.resident:.1f}", f"{self.anonymous:.1f}", self.descriptors, self.connections,
            self.threads, f"{self.wal:.1f}", f"{self.processor:.0f}", answered, refused, load.unexpected_count)


class Watch:
    def __init__(self, stage):
        self.process = Path(f"/proc/{stage.gateway.pid}")
        self.port = stage.port
        self.state = stage.state
        self.began = time.monotonic()
        self.last = (self.began, self.spent())

    def spent(self):
        """Seconds of processor time since the process began."""
        fields = (self.process / "stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def connections(self):
        """Those that the gateway has at its port, however far they are."""
        port = f":{self.port:04X} "
        lines = Path("/proc/net/tcp").read_text().splitlines()[1:]
        return sum(1 for line in lines if port in line[:20] and line.split()[3] not in ("0A", "06"))

    def sample(self):
        status = (self.process / "status").read_text()
        number = lambda name: int(re.search(rf"^{name}:\s+(\d+)", status, re.MULTILINE)[1])  # noqa: E731
        now, spent = time.monotonic(), self.spent()
        before, spent_before = self.last
        self.last = (now, spent)
        return Sample(
            seconds=now - self.began, resident=number("VmRSS") / 1024, anonymous=number("RssAnon") / 1024,
            descriptors=len(os.listdir(self.process / "fd")), connections=self.connections(),
            threads=number("Threads"),
            wal=sum(file.stat().st_size for file in self.state.rglob("*-wal")) / 2**20,
            processor=100 * (spent - spent_before) / max(now - before, 0.001))


def verdict(baseline, during, after, load, is_same_process):
    """(does it hold, the sentence) for each promise."""
    steady = [sample for sample in during if sample.seconds >= HELD]
    looked_at = steady if len(steady) >= 20 else during
    fifth = max(1, len(looked_at) // 5)
    second, last = looked_at[fifth : 2 * fifth] or looked_at, looked_at[-fifth:]
    grown = statistics.median(one.resident for one in last) - statistics.median(one.resident for one in second)
    off = after.descriptors - baseline.descriptors
    threads = {one.threads for one in second}, {one.threads for one in last}
    wal = max(one.wal for one in during)
    yield (grown <= MEMORY_GROWTH,
           f"memory: the last fifth's median is {grown:+.1f} MiB from the second fifth's (at most +{MEMORY_GROWTH})")
    yield abs(off) <= DESCRIPTORS, f"descriptors: {off:+} after the load (at most ±{DESCRIPTORS})"
    yield (max(threads[1]) <= max(threads[0]),
           f"threads: {max(threads[1])} at the end, {max(threads[0])} near the beginning")
    yield wal <= WAL, f"write-ahead log: at most {wal:.1f} MiB (at most {WAL})"
    yield load.unexpected_count == 0, f"unexpected answers: {load.unexpected_count}"
    yield is_same_process, "the process is the same, and ended with status 0 when it was told to"

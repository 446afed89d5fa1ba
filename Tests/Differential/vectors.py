"""Reads the HTTP/1.1 vector files; `Tests/CoreTests/Vectors/http1/README.md` says how they are written."""

import re
from dataclasses import dataclass, field
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "CoreTests/Vectors/http1"
ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|(.))")
SHORT = {"r": "\r", "n": "\n", "t": "\t", "0": "\0", "\\": "\\"}


def unescape(text):
    """The bytes that a line stands for; KeyError for an escape that does not exist."""
    replaced = ESCAPE.sub(lambda found: chr(int(found[1], 16)) if found[1] else SHORT[found[2]], text)
    return replaced.encode("latin-1")


@dataclass
class Vector:
    name: str
    subject: str
    verdict: str
    bytes: bytes = b""
    ids: list = field(default_factory=list)
    answers: list = field(default_factory=lambda: ["GET"])
    closes: bool = False
    comments: list = field(default_factory=list)
    events: list = field(default_factory=list)

    @property
    def is_response(self):
        return self.subject.startswith("response")

    @classmethod
    def read(cls, path):
        parts = path.name.split(".")
        vector = cls(path.name.removesuffix(".http"), parts[0], parts[-2])
        in_preamble, in_events = True, False
        for line in path.read_text(encoding="utf-8").split("\n"):
            if in_events:
                vector.events += [line] if line else []
            elif line == "---":
                in_events = True
            elif in_preamble and line.startswith("#"):
                vector.comments.append(line[1:].strip())
            elif in_preamble and line.startswith("@"):
                words = line[1:].split()
                if words[0] == "ids":
                    vector.ids = words[1:]
                elif words[0] == "answers":
                    vector.answers = words[1:]
                elif words[0] == "closed":
                    vector.closes = True
                else:
                    raise ValueError(f"{path.name}: there is no directive @{words[0]}")
            elif line:
                in_preamble = False
                vector.bytes += unescape(line)
        return vector

    @classmethod
    def all(cls):
        return [cls.read(path) for path in sorted(FOLDER.glob("*.http"))]

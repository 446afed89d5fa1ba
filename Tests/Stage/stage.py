"""A sandbox and a gateway with a state of their own, on free ports, for as long as the `async with` lasts."""

import asyncio
import hashlib
import os
import re
import socket
import subprocess
import tempfile
from collections import deque
from pathlib import Path

RULE = """\
  {name}:
    tokens: ["sha256:{hash}"]
    may:
{rules}"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Stage:
    """`callers`: their rules, and limits if they have some, as lines of YAML for under `may:`. `person`: options of
    the sandbox, such as `--approve after=1s`."""

    def __init__(self, program, callers, person=("--approve", "after=500ms")):
        self.program = Path(program).resolve()
        self.callers, self.person = callers, person
        self.port, self.sandbox_port = free_port(), free_port()
        self.tokens = {}
        self.log = deque(maxlen=50)
        self.log_lines = 0
        self.errors = deque(maxlen=20)

    async def __aenter__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="stage-")
        home = Path(self.folder.name)
        self.environment = {
            **os.environ, "HOME": str(home), "XDG_CONFIG_HOME": f"{home}/config", "XDG_STATE_HOME": f"{home}/state",
            "XDG_RUNTIME_DIR": f"{home}/run", "COUNTERSIGN_SANDBOX": f"http://127.0.0.1:{self.sandbox_port}",
            "PATH": f"{self.program.parent}:{os.environ.get('PATH', '')}", "SWIFT_BACKTRACE": "enable=no",
        }
        for name in ("config", "state", "run"):
            (home / name).mkdir(mode=0o700)
        self.state = home / "state/countersign"
        self.write_configuration(home / "config/countersign/countersign.yaml")
        self.sandbox = await self.start(
            "sandbox", "--listen", f"127.0.0.1:{self.sandbox_port}", *self.person, "--redirect-uri",
            f"http://127.0.0.1:{self.port}/callback", until="sandbox listening on")
        self.gateway = await self.start("serve", until=f"listening on http://127.0.0.1:{self.port}")
        await asyncio.to_thread(self.verb, "authorize", "--open", "countersign sandbox open")
        return self

    def verb(self, *arguments):
        """The one line that a verb prints."""
        done = subprocess.run(
            [self.program, *arguments], env=self.environment, capture_output=True, text=True, timeout=60)
        if done.returncode != 0:
            raise SystemExit(f"countersign {arguments[0]} ended with {done.returncode}: {done.stderr}")
        return done.stdout.strip()

    def write_configuration(self, file):
        self.verb(
            "init", "--origin", f"http://127.0.0.1:{self.sandbox_port}", "--client-id", "pmc_sandbox", "--port",
            str(self.port), "--caller", "unused")
        text = file.read_text()
        self.admin_socket = re.search(r"^admin:\n\s+unix: (\S+)", text, re.MULTILINE)[1]
        text = text[:text.index("\ncallers:")] + "\ncallers:\n"
        for name, rules in self.callers.items():
            token = self.tokens[name] = self.verb("caller", "new", name)
            text += RULE.format(name=name, rules=rules, hash=hashlib.sha256(token.encode()).hexdigest())
        file.write_text(text)

    async def start(self, *arguments, until):
        process = await asyncio.create_subprocess_exec(
            self.program, *arguments, env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        said = asyncio.Event()

        async def read():
            while line := (await process.stderr.readline()).decode(errors="replace"):
                self.log_lines += 1
                self.log.append(line.rstrip())
                if re.search(r'"level":"error"', line):
                    self.errors.append(line.rstrip())
                if until in line:
                    said.set()
            said.set()

        process.reader = asyncio.create_task(read())
        async with asyncio.timeout(60):
            await said.wait()
        if process.returncode is not None:
            raise SystemExit(f"countersign {arguments[0]} ended: " + "\n".join(self.log))
        return process

    async def __aexit__(self, *_):
        for process in (self.gateway, self.sandbox):
            if process.returncode is None:
                process.terminate()
                try:
                    async with asyncio.timeout(90):
                        await process.wait()
                except TimeoutError:
                    process.kill()
        self.folder.cleanup()

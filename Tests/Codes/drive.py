"""Drives a gateway and its sandbox with curl, as their users do."""

import itertools
import json
import subprocess
from dataclasses import dataclass


@dataclass
class Seen:
    """What came back: of an answer, or of an ask or authorization in it."""

    status: int
    body: dict

    @property
    def code(self):
        return self.body.get("error")

    @property
    def state(self):
        return self.body.get("state") or self.body.get("status") if self.status < 400 else None


class Drive:
    def __init__(self, stage):
        self.stage = stage
        self.callers = iter(stage.tokens)
        self.numbers = itertools.count()

    # MARK: curl

    def curl(self, *words, body=None):
        command = ["curl", "-sS", "--max-time", "60", "-o", "-", "-w", "\n%{http_code}", *words]
        if body is not None:
            command += ["--json", body if isinstance(body, str) else json.dumps(body)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=90)
        if done.returncode != 0:
            raise SystemExit(f"codes: curl ended with {done.returncode}: {done.stderr}")
        text, _, status = done.stdout.rpartition("\n")
        try:
            value = json.loads(text)
        except ValueError:
            # A page for a browser: it shows the code.
            value = {"error": text.partition("<code>")[2].partition("<")[0] or None}
        return Seen(int(status), value if isinstance(value, dict) else {})

    def caller(self):
        """One that has not asked yet: what the person said to another does not count against it."""
        return next(self.callers)

    def as_caller(self, name, *words, body=None):
        return self.curl("-H", f"Authorization: Bearer {self.stage.tokens[name]}", *words, body=body)

    def url(self, path):
        return f"http://127.0.0.1:{self.stage.port}{path}"

    def operator(self, method, path, body=None):
        return self.curl("-X", method, "--unix-socket", self.stage.admin_socket, f"http://localhost{path}", body=body)

    def sandbox(self, method, path, body=None, *words):
        return self.curl("-X", method, *words, f"http://127.0.0.1:{self.stage.sandbox_port}{path}", body=body)

    def large(self):
        """The path of a body that is one byte too long."""
        file = self.stage.state.parent / "large"
        file.write_bytes(b" " * 400_001)
        return str(file)

    # MARK: The other side

    def control(self, path, body=None):
        seen = self.sandbox("POST", f"/_sandbox/{path}", body or {})
        if seen.status != 200:
            raise SystemExit(f"codes: the sandbox refuses {path}: {seen}")
        return seen

    def answers(self, path, status, code=None, text=None, times=1):
        """The next calls of that path are answered so, and not carried out."""
        fault = {"name": "status_next", "path": f"/api/oauth/{path}", "status": status}
        fault |= {"error": code} if code else {"text": text or "<html>no</html>"}
        for _ in range(times):
            self.control("faults", fault)

    # MARK: Asks

    def wish(self, **more):
        return {"op": "pick_item", "hint": {"url": f"https://site{next(self.numbers)}.example.com"}, **more}

    def ask(self, body=None, caller=None, wait=0):
        name = caller or self.caller()
        return self.as_caller(name, "-H", f"Prefer: wait={wait}", self.url("/v1/requests"), body=body or self.wish())

    def asked(self, body=None, then=None, wait=20):
        """An ask whose card is there; `then` acts on the card; then what its caller sees in the end."""
        name = self.caller()
        begun = self.ask(body, name)
        if begun.status != 202:
            return begun
        if then:
            then(begun.body["upstream_id"])
        return self.as_caller(name, "-H", f"Prefer: wait={wait}", self.url(f"/v1/requests/{begun.body['id']}"))

    def tap(self, verb, **body):
        return lambda card: self.control(f"requests/{card}/{verb}", body)

    # MARK: The grant

    def authorize(self):
        self.stage.verb("authorize", "--open", "countersign sandbox open")

    def authorizing(self, before=lambda: None, callback=lambda url: url):
        """An authorization, as the operator sees it in the end."""
        begun = self.operator("POST", "/admin/authorize", {})
        back = self.control("open", {"url": begun.body["url"]}).body["callback"]
        before()
        self.curl(callback(back))
        ended = self.curl(
            "-H", "Prefer: wait=20", "--unix-socket", self.stage.admin_socket,
            f"http://localhost/admin/authorize/{begun.body['id']}")
        return ended

    def expire_access_token(self):
        self.control("access-tokens/expire")

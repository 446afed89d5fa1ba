"""Every code that only MimiKey's own apps, developers and operators can meet, from the sandbox alone."""

import base64
import hashlib

CASES = []
CLIENT = {"name": "An app", "client_type": "public", "redirect_uris": ["https://app.example/callback"]}


def key(fill):
    return base64.urlsafe_b64encode(bytes([fill] * 32)).rstrip(b"=").decode()


def case(code, where, how):
    def add(run):
        CASES.append((code, where, how, run))
        return run

    return add


def as_user(d, method, path, body=None, session=None, *words, **made):
    if session is None:
        session = d.control("sessions", made).body["session"]
    if body is None:
        words = ("-H", "Content-Type: application/json", *words)
    return d.sandbox(method, path, body, "-H", f"x-sandbox-session: {session}", *words)


def as_operator(d, client, verb, body):
    session = d.control("operator/sessions").body["session"]
    return d.sandbox(
        "POST", f"/_sandbox/operator/clients/{client}/{verb}", body, "-H", f"x-sandbox-operator: {session}")


# A developer registers a client

for _code, _how, _changes in (
    ("invalid_input", "`name` is empty", {"name": ""}),
    ("invalid_client_type", "`client_type` is another word", {"client_type": "secret"}),
    ("invalid_redirect_uris", "no redirect URL", {"redirect_uris": []}),
    ("invalid_public_key", "`seal_public_key` of 31 bytes", {"seal_public_key": key(7)[:-2]}),
    ("invalid_platforms", "`platforms` is no list", {"platforms": "ios"}),
    ("invalid_brand", "`brand.color` is no colour", {"brand": {"color": "red"}}),
    ("mode_retired", "a service key", {"service_public_key": key(7)}),
):
    CASES.append((
        _code, "POST /api/oauth/clients", _how,
        lambda d, changes=_changes: as_user(d, "POST", "/api/oauth/clients", CLIENT | changes)))


@case("client_not_found", "DELETE /api/oauth/clients/{id}", "no client of theirs")
def _(d):
    return as_user(d, "DELETE", "/api/oauth/clients/pmc_no")


# The app shows the consent card

CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(b"v" * 43).digest()).rstrip(b"=").decode()


def consent(d, **changes):
    body = {
        "client_id": "pmc_sandbox", "redirect_uri": f"http://127.0.0.1:{d.stage.port}/callback", "state": "st",
        "code_challenge": CHALLENGE, "code_challenge_method": "S256", "approval_key": key(1), "seal_key": key(2),
        "policy": "ask", "selections": [{"vault_id": "v_personal", "mode": 1}],
    } | changes
    return as_user(d, "POST", "/api/oauth/authorize", {name: value for name, value in body.items() if value is not None})


def disabled(d):
    id = as_user(d, "POST", "/api/oauth/clients", CLIENT).body["client_id"]
    as_operator(d, id, "disable", {"reason": "abuse"})
    return consent(d, client_id=id, redirect_uri=CLIENT["redirect_uris"][0])


for _code, _how, _run in (
    ("client_not_found", "an unknown `client_id`", lambda d: consent(d, client_id="pmc_no")),
    ("client_disabled", "a disabled client", disabled),
    ("redirect_uri_mismatch", "a redirect URL that is not registered", lambda d: consent(d, redirect_uri="https://no.example/")),
    ("invalid_approval_key", "`approval_key` of 31 bytes", lambda d: consent(d, approval_key=key(1)[:-2])),
    ("invalid_public_key", "`seal_key` of 31 bytes", lambda d: consent(d, seal_key=key(1)[:-2])),
    ("seal_key_required", "no `seal_key`", lambda d: consent(d, seal_key=None)),
    ("code_challenge_required", "no `code_challenge`", lambda d: consent(d, code_challenge=None)),
    ("invalid_code_challenge", "a method that is not S256", lambda d: consent(d, code_challenge_method="plain")),
    ("invalid_policy", "another policy", lambda d: consent(d, policy="never")),
    ("invalid_selections", "no vault", lambda d: consent(d, selections=[])),
    ("mode_retired", "mode 2", lambda d: consent(d, selections=[{"vault_id": "v_personal", "mode": 2}])),
    ("vault_not_owned", "somebody else's vault", lambda d: consent(d, selections=[{"vault_id": "v_no", "mode": 1}])),
):
    CASES.append((_code, "POST /api/oauth/authorize", _how, _run))

# Devices and the person


@case("locked", "POST /api/oauth/clients", "nobody is signed in")
def _(d):
    return as_user(d, "POST", "/api/oauth/clients", CLIENT, "")


@case("device_revoked_or_rotated", "POST /api/oauth/clients", "the device was re-keyed")
def _(d):
    session = d.control("sessions").body["session"]
    d.control("sessions/rotate")
    return as_user(d, "POST", "/api/oauth/clients", CLIENT, session)


@case("untrusted_origin", "POST /api/oauth/clients", "a page of another origin")
def _(d):
    return as_user(d, "POST", "/api/oauth/clients", CLIENT, None, "-H", "Origin: https://elsewhere.example")


@case("grant_not_found", "DELETE /_sandbox/app/grants/{id}", "no grant of theirs")
def _(d):
    return as_user(d, "DELETE", "/_sandbox/app/grants/gr_no")


@case("request_not_pending", "POST /_sandbox/app/requests/{id}/approve", "`approve` for a pick")
def _(d):
    card = d.ask().body["upstream_id"]
    return as_user(d, "POST", f"/_sandbox/app/requests/{card}/approve")


@case("request_not_approved", "PUT /_sandbox/app/requests/{id}/result", "a result before the approval")
def _(d):
    card = d.ask({"op": "get_item", "vault_id": "v_personal", "item_id": "it_bank"}).body["upstream_id"]
    return as_user(d, "PUT", f"/_sandbox/app/requests/{card}/result", {"result_enc": "AAAA"})


# Operators of the platform


@case("admin_locked", "POST /_sandbox/operator/clients/{id}/disable", "no operator's session")
def _(d):
    return d.sandbox("POST", "/_sandbox/operator/clients/pmc_sandbox/disable", {"reason": "abuse"})


@case("reason_required", "POST /_sandbox/operator/clients/{id}/disable", "no reason")
def _(d):
    return as_operator(d, "pmc_sandbox", "disable", {})


@case("client_not_found", "POST /_sandbox/operator/clients/{id}/disable", "an unknown client")
def _(d):
    return as_operator(d, "pmc_no", "disable", {"reason": "abuse"})


# Not JSON


@case("", "POST /api/oauth/token", "more than 400,000 bytes")
def _(d):
    return d.sandbox("POST", "/api/oauth/token", None, "-H", "Content-Type: application/json", "--data-binary", "@" + d.large())


@case("", "POST /api/oauth/token", "malformed JSON")
def _(d):
    return d.sandbox("POST", "/api/oauth/token", "{")


@case("", "POST /api/oauth/token", "no Content-Type")
def _(d):
    return d.sandbox("POST", "/api/oauth/token", None, "-H", "Content-Type:", "--data-raw", "{}")


@case("", "POST /api/oauth/token", "a member is missing")
def _(d):
    return d.sandbox("POST", "/api/oauth/token", {})

"""Every code that a gateway can meet, and how it comes to it."""

import json
from urllib.parse import parse_qs, urlsplit

CASES = []


def case(code, how, costs_grant=False):
    """`costs_grant`: afterwards there is none, or one that is not known to work."""

    def add(drive):
        CASES.append((code, how, costs_grant, drive))
        return drive

    return add


def forced(path, status, code, how, drive, times=1, costs_grant=False):
    def run(d):
        d.answers(path, status, code, times=times)
        return drive(d)

    CASES.append((code, how, costs_grant, run))


# Signatures and tokens

for _status in (401, 403):
    forced("requests", _status, "client_disabled", f"{_status} to a call", lambda d: d.ask(), costs_grant=True)
forced("requests", 401, "signature_required", "401 to a call", lambda d: d.ask())
forced("requests", 401, "signature_invalid", "401 to a call", lambda d: d.ask())
forced("requests", 401, "nonce_replayed", "to a call, and to it signed anew", lambda d: d.ask(), times=2)
forced("requests", 401, "timestamp_out_of_window", "also after a correction", lambda d: d.ask(), times=2)
forced("requests", 401, "invalid_token", "to a call, and to it after a refresh", lambda d: d.ask(), times=2, costs_grant=True)
forced("requests", 401, "token_expired", "to a call, and to it after a refresh", lambda d: d.ask(), times=2)


@case("grant_revoked", "the person revoked the grant", costs_grant=True)
def _(d):
    d.control("grants/revoke")
    return d.ask()


# The token endpoint: exchange

for _status, _code in (
    (400, "unsupported_grant_type"), (400, "invalid_client"), (401, "invalid_client_secret"), (403, "client_disabled"),
    (400, "invalid_code"), (400, "code_expired"), (400, "code_client_mismatch"), (400, "redirect_uri_mismatch"),
    (400, "invalid_grant"),
):
    forced("token", _status, _code, "exchange of the code", lambda d: d.authorizing())


@case("http_422", "plain text to the exchange")
def _(d):
    d.answers("token", 422, text="Missing field")
    return d.authorizing()


@case("outcome_unknown", "the answer to the exchange is lost")
def _(d):
    return d.authorizing(lambda: d.control("faults", {"name": "close_before_answer_next", "path": "/api/oauth/token"}))


# The token endpoint: refresh

for _status, _code in (
    (401, "invalid_refresh_token"), (401, "refresh_expired"), (401, "refresh_token_reused"), (401, "grant_revoked"),
    (403, "client_disabled"),
):

    def _refresh(d, status=_status, code=_code):
        d.expire_access_token()
        d.answers("token", status, code)
        return d.ask()

    CASES.append((_code, "refresh of the access token", True, _refresh))


@case("refresh_unknown", "the answer to a refresh is lost", costs_grant=True)
def _(d):
    d.expire_access_token()
    d.control("faults", {"name": "close_before_answer_next", "path": "/api/oauth/token"})
    return d.ask()


# Requests

for _status, _code in (
    (400, "invalid_input"), (400, "invalid_op"), (400, "item_id_required"), (400, "unsupported_kind"),
    (400, "fields_required"), (400, "invalid_fields"), (403, "mode_not_granted"),
):
    forced("requests", _status, _code, "to a new request", lambda d: d.ask())
forced("requests", 500, "database_error", "to a new request, four times", lambda d: d.ask(wait=20), times=4)


@case("vault_not_granted", "a vault that the grant does not have")
def _(d):
    return d.ask(d.wish(vault_id="v_nowhere"))


@case("unsupported_kind", "a new item of a kind that MimiKey does not have")
def _(d):
    return d.ask({"op": "create_item", "kind": "passport", "prefill": {"title": "Passport"}})


@case("request_not_found", "MimiKey deleted the request")
def _(d):
    # One that is younger than 10 s may only not be visible yet.
    def delete(card):
        d.answers(f"requests/{card}", 404, "request_not_found", times=20)

    return d.asked(then=delete, wait=40)


@case("request_not_pending", "cancelled when the person had answered")
def _(d):
    name = d.caller()
    begun = d.ask(caller=name)
    d.control(f"requests/{begun.body['upstream_id']}/deny", {})
    return d.as_caller(name, "-X", "DELETE", d.url(f"/v1/requests/{begun.body['id']}"))


def _update(d, **more):
    return {"op": "update_item", "vault_id": "v_personal", "item_id": "it_shop", "patch": {"password": f"new {next(d.numbers)}"}, **more}


@case("request_not_draft", "to the patch of what is a draft: it is handed over again")
def _(d):
    d.answers("requests/{id}/patch", 409, "request_not_draft")
    return d.ask(_update(d), wait=5)


@case("invalid_patch", "to the patch")
def _(d):
    d.answers("requests/{id}/patch", 400, "invalid_patch")
    return d.ask(_update(d), wait=5)


@case("invalid_patch", "a patch that is too large")
def _(d):
    return d.ask(_update(d) | {"patch": {"notes": "x" * 49_104}})


# Revocation

for _status, _code in ((400, "invalid_input"), (401, "signature_invalid"), (500, "database_error")):
    forced("revoke", _status, _code, "to the revocation", lambda d: d.operator("DELETE", "/admin/grant"))

# Callbacks


def _answered(url, **query):
    state = parse_qs(urlsplit(url).query)["state"][0]
    return url.partition("?")[0] + f"?state={state}" + "".join(f"&{name}={value}" for name, value in query.items())


for _code in ("access_denied", "not_signed_in", "invalid_request", "request_not_found"):

    def _callback(d, code=_code):
        return d.authorizing(callback=lambda url: _answered(url, error=code))

    CASES.append((_code, "callback of an authorization", False, _callback))

for _code in ("not_signed_in", "invalid_request", "request_not_found"):

    def _ask_callback(d, code=_code):
        name = d.caller()
        begun = d.ask(caller=name)
        state = parse_qs(urlsplit(begun.body["open_url"]).query)["state"][0]
        d.curl(d.url(f"/callback?state={state}&error={code}"))
        return d.as_caller(name, d.url(f"/v1/requests/{begun.body['id']}"))

    CASES.append((_code, "callback of an ask", False, _ask_callback))


@case("invalid_callback", "a callback without a code")
def _(d):
    return d.authorizing(callback=lambda url: _answered(url))


# What the person says, and what comes of it


@case("denied", "the person says no")
def _(d):
    return d.asked(then=d.tap("deny"))


@case("conflict", "the item was changed elsewhere")
def _(d):
    return d.asked(_update(d), then=d.tap("deny", deny_reason="conflict"))


@case("expired", "nobody answers")
def _(d):
    return d.asked(then=d.tap("expire"))


@case("cancelled", "its caller takes it back")
def _(d):
    name = d.caller()
    begun = d.ask(caller=name)
    return d.as_caller(name, "-X", "DELETE", d.url(f"/v1/requests/{begun.body['id']}"))


def _completed(d, **members):
    """The next look at the card is answered so."""

    def answer(card):
        d.answers(f"requests/{card}", 200, text=json.dumps({"id": card, "op": "x", "status": "completed", **members}))

    return answer


@case("result_missing", "completed without `result_enc`")
def _(d):
    return d.asked(then=_completed(d))


@case("result_open_failed", "a box that does not open")
def _(d):
    return d.asked(then=_completed(d, result_enc="A" * 200))


@case("result_malformed", "two members of the item with one name")
def _(d):
    item = d.control(
        "items",
        {"url": "https://twice.example.com", "password": "sandbox-made-up", "extra": {"title": "again"}},
    ).body["id"]
    return d.asked(
        {"op": "pick_item", "hint": {"url": "https://twice.example.com"}}, then=d.tap("approve", item_id=item))


@case("updated_item_missing", "completed without `updated_item`")
def _(d):
    return d.asked(_update(d), then=_completed(d))


@case("saved_out_of_scope", "saved where the grant does not reach: a success")
def _(d):
    seen = d.asked(
        {"op": "create_item", "kind": "login", "prefill": {"url": f"https://new{next(d.numbers)}.example.com"}},
        then=d.tap("save_outside"))
    if (seen.body.get("result") or {}).get("saved_out_of_scope") is not True:
        raise SystemExit(f"codes: {seen}")
    return seen


@case("malformed_response", "an answer that is not of the documented form")
def _(d):
    d.answers("account", 200, text='{"account_id":7}')
    return d.as_caller(d.caller(), d.url("/v1/account"))


@case("outcome_unknown", "the answer to a new request is lost")
def _(d):
    d.control("faults", {"name": "close_before_answer_next", "path": "/api/oauth/requests"})
    return d.ask()


@case("http_502", "a page of something between")
def _(d):
    d.answers("account", 502, text="<html>bad gateway</html>")
    return d.as_caller(d.caller(), d.url("/v1/account"))


@case("nothing_pending", "reopening an ask that has ended")
def _(d):
    name = d.caller()
    begun = d.ask(caller=name)
    d.as_caller(name, "-X", "DELETE", d.url(f"/v1/requests/{begun.body['id']}"))
    return d.as_caller(name, "-X", "POST", d.url(f"/v1/requests/{begun.body['id']}/retry"))


@case("empty_patch", "an update that changes nothing")
def _(d):
    return d.ask(_update(d) | {"patch": {}})


@case("item_id_required", "a get without `item_id`")
def _(d):
    return d.ask({"op": "get_item", "vault_id": "v_personal"})


@case("revoked", "an ask after that", costs_grant=True)
def _(d):
    d.control("grants/revoke")
    d.ask()
    return d.ask()


@case("not_authorized", "there is no grant", costs_grant=True)
def _(d):
    d.operator("DELETE", "/admin/grant?local=true")
    return d.ask()


@case("clock_skew", "MimiKey's clock does not agree, also after a correction")
def _(d):
    d.answers("requests", 401, "timestamp_out_of_window", times=2)
    return d.ask()


# Last: after it the gateway makes no card for a while.
forced("requests", 429, "too_many_requests", "to a new request", lambda d: d.ask())

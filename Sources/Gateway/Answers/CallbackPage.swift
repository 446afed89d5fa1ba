import Core

/// What a browser is shown when it comes back from MimiKey. Fixed texts: nothing of the request is repeated.
enum CallbackPage {
    case completed, denied, failed, seen, stale, invalid

    private var status: HTTPStatus {
        switch self {
        case .completed, .denied, .seen: 200
        case .stale, .invalid: 400
        case .failed: 502
        }
    }

    private var sentence: StaticString {
        switch self {
        case .completed: "Countersign may now ask. You can close this page."
        case .denied: "You said no; nothing was stored. You can close this page."
        case .failed: "This login failed; the gateway's log says why. Start again."
        case .seen: "Thank you. You can close this page."
        case .stale: "This login is over, start again."
        case .invalid: "This link lacks what a login needs. Start again."
        }
    }

    /// What to look up in `docs/errors.md`.
    private var code: ErrorCode? {
        switch self {
        case .completed, .denied, .seen, .failed: nil
        case .stale: .staleCallback
        case .invalid: .invalidCallback
        }
    }

    var response: HTTPResponse {
        var fields = HTTPResponse.fields(contentType: "text/html; charset=utf-8")
        fields.append("referrer-policy", "no-referrer")
        fields.append("content-security-policy", "default-src 'none'; frame-ancestors 'none'")
        let shownCode = code.map { "<p><code>\($0)</code></p>" } ?? ""
        let html = """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><title>Countersign</title>
            <meta name="referrer" content="no-referrer"></head>
            <body><h1>Countersign</h1><p>\(sentence)</p>\(shownCode)</body></html>

            """
        return HTTPResponse(status: status, fields: fields, body: .bytes(Array(html.utf8)))
    }
}

import Core
import Strongbox

/// The text of a page. Whatever comes from outside is escaped; there is no script, and nothing is loaded.
enum HTML {
    /// As text, and as the value of an attribute in double quotes. What cannot be seen, or turns the line round, is shown
    /// by its number.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default:
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse:
                    result += "\\u{\(String(scalar.value, radix: 16))}"
                default: result.unicodeScalars.append(scalar)
                }
            }
        }
        return result
    }

    static let style = """
        body{font:16px/1.5 sans-serif;max-width:40em;margin:2em auto;padding:0 1em}
        section{border:1px solid #999;border-radius:8px;padding:1em;margin:1em 0}
        dt{color:#666}dd{margin:0 0 .5em;overflow-wrap:anywhere}form{display:inline}
        """

    /// Nothing but our one style sheet, and forms to ourselves.
    static let policy: String = {
        let digest = Base64URL.encode(SHA256.digest(Array(style.utf8)))
        let standard = String(digest.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }) + "="
        return "default-src 'none'; style-src 'sha256-\(standard)'; form-action 'self'; frame-ancestors 'none'; "
            + "base-uri 'none'"
    }()

    static func page(_ title: String, _ body: String) -> Reply {
        var reply = Reply(
            html: """
                <!DOCTYPE html>
                <html lang="en"><head><meta charset="utf-8"><title>\(escaped(title))</title>\
                <meta name="viewport" content="width=device-width"><style>\(style)</style></head>
                <body><h1>\(escaped(title))</h1>
                \(body)
                </body></html>

                """)
        reply.fields.append("content-security-policy", policy)
        reply.fields.append("referrer-policy", "no-referrer")
        reply.fields.append("x-content-type-options", "nosniff")
        return reply
    }
}

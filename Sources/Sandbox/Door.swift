import Core

/// Who may come in, and what a visitor is told.
enum Door {
    /// Our own name, and not one that was pointed at loopback from outside.
    static func isLocal(_ fields: HTTPFields) -> Bool {
        guard let host = fields.text("host")?.lowercased() else { return false }
        let name: Substring
        if host.hasPrefix("[") {
            name = host.prefix { $0 != "]" }.dropFirst()
        } else {
            name = host.prefix { $0 != ":" }
        }
        if name == "localhost" { return true }
        return IPAddress(String(name))?.isLoopback ?? false
    }

    /// A page of a browser that is not one of ours: it says so in `Origin` or in `Sec-Fetch-Site`.
    static func isForeignPage(_ fields: HTTPFields) -> Bool {
        if fields.contains("origin") {
            guard let host = fields.text("host"), fields.text("origin") == "http://\(host.lowercased())" else {
                return true
            }
        }
        guard fields.contains("sec-fetch-site") else { return false }
        switch fields.text("sec-fetch-site") {
        case "none", "same-origin": return false
        default: return true
        }
    }

    static let greeting = """
        This is the Countersign sandbox: a stand-in for MimiKey with made-up items and a scripted person.
        It listens on loopback only, keeps nothing, and protects nothing. The API is under /api/oauth/,
        the strings of the person under /_sandbox/.

        """
}

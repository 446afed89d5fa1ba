import Core

/// Who may come in, and what a visitor is told.
enum Door {
    /// Programs of this machine only: no page of a browser (they send `Origin`), and no name that was pointed at
    /// loopback from outside.
    static func isLocal(_ fields: HTTPFields) -> Bool {
        guard !fields.contains("origin"), let host = fields.text("host")?.lowercased() else { return false }
        let name: Substring
        if host.hasPrefix("[") {
            name = host.prefix { $0 != "]" }.dropFirst()
        } else {
            name = host.prefix { $0 != ":" }
        }
        if name == "localhost" { return true }
        return IPAddress(String(name))?.isLoopback ?? false
    }

    static let greeting = """
        This is the Countersign sandbox: a stand-in for MimiKey with made-up items and a scripted person.
        It listens on loopback only, keeps nothing, and protects nothing. The API is under /api/oauth/,
        the strings of the person under /_sandbox/.

        """
}

import Core

/// The configuration file that `init` writes: complete, and commented for who edits it next.
struct ConfigurationText: Sendable {
    var origin: String
    var clientID: String
    var port: UInt16
    var listensOnIPv6: Bool
    var adminSocket: String
    var state: String
    var keyFile: String
    var open: [String] = []
    var caller: CallerText

    var text: String {
        """
        # The configuration of a Countersign gateway. `countersign check` tells whether it is right.

        # Where agents and scripts ask. Only loopback addresses are listened on.
        listen:
          - tcp: 127.0.0.1:\(port)
        \(listensOnIPv6 ? "" : "  # This machine has no IPv6 loopback:\n")\
        \(listensOnIPv6 ? "  - " : "  # - ")tcp: "[::1]:\(port)"
          # A caller can have a Unix socket instead of a token:
          # - { unix: /run/countersign-\(caller.name)/\(caller.name).sock, caller: \(caller.name) }

        # The operator's socket: `countersign authorize` and `status` use it.
        admin:
          unix: \(adminSocket.inYAML)

        # What has to survive a restart: the grant, encrypted, and the open asks. Results are never written down.
        state: \(state.inYAML)

        # The master key of what is encrypted; made at the first start. Whoever has it and the state has the grant.
        key: { file: \(keyFile.inYAML) }

        mimikey:
          origin: \(origin.inYAML)
          client_id: \(clientID.inYAML)
          redirect_uri: http://127.0.0.1:\(port)/callback
        \(origin.hasPrefix("https:") ? "  # ca_file: /path/to/ca.pem         # believe these authorities, not this machine's\n" : "")\
        \(open.isEmpty
            ? "  # open: [xdg-open]               # opens a card on this machine as soon as there is one"
            : "  open: [\(open.map(\.inYAML).joined(separator: ", "))]")

        # Threads that serve connections: as many as there are cores, at most 4, unless it is said here (1 to 64).
        # loops: 2

        # Who may ask, and for what. The first rule that matches decides; what no rule allows is refused.
        callers:
        \(caller.text)

        """
    }
}

/// A caller with its first rule, as it stands below `callers:`.
struct CallerText: Sendable {
    var name: String
    /// `sha256:` and 64 hex digits.
    var hash: String
    /// Empty: any host.
    var hosts: [String]

    var text: String {
        """
          \(name):
            # The hash of the token, which itself is kept nowhere. `countersign caller new \(name)` makes another.
            tokens: [\(hash)]
            may:
              - ops: [pick_item]
                # Which sites: [bank.example.com, "*.shop.example"] lets the caller ask for these alone.
                hosts: \(hosts.isEmpty ? "any" : "[\(hosts.map(\.inYAML).joined(separator: ", "))]")
                # What comes back of an item that the person picked; `all` would be everything in it.
                fields: [title, url, username, password]
            # limits: { open: 3, longest_wait: 5m }
        """
    }
}

extension String {
    /// In double quotes where a plain scalar might be read as something else.
    fileprivate var inYAML: String {
        let isPlain = !isEmpty && utf8.first != UInt8(ascii: "-") && utf8.allSatisfy(\.isPlainInYAML)
        return isPlain ? self : String(decoding: JSON.string(self).encoded(), as: UTF8.self)
    }
}

extension UInt8 {
    fileprivate var isPlainInYAML: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "-"):
            true
        default: false
        }
    }
}

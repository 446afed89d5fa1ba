import Core

/// A URL that MimiKey came back with: what counts is its query, whose `state` says what it belongs to.
struct CallbackURL: Hashable, Sendable {
    let query: String

    /// The longest query that is handed on.
    private static let longest = 4096

    /// `nil` for what is none: no query, or one without `state`, or bytes that stand in no URL.
    init?(_ text: some StringProtocol) {
        guard let mark = text.firstIndex(of: "?") else { return nil }
        let query = text[text.index(after: mark)...].prefix { $0 != "#" }
        guard query.utf8.count <= Self.longest, query.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
            !text.hasPrefix("mimikey:"),
            query.split(separator: "&").contains(where: { $0.hasPrefix("state=") })
        else { return nil }
        self.query = String(query)
    }

    /// What somebody typed or pasted, with the blanks that came along.
    init?(typed line: [UInt8]) {
        let blanks: Set<UInt8> = [
            0x20, 0x09, 0x0D, UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"),
        ]
        let bytes = line.drop(while: blanks.contains).reversed().drop(while: blanks.contains).reversed()
        self.init(String(decoding: Array(bytes), as: UTF8.self))
    }
}

extension GatewayClient {
    /// Hands it to the gateway; throws unless something waits for it.
    func hand(_ callback: CallbackURL) async throws(Failure) {
        let response = try await exchange(.get, "/callback?\(callback.query)")
        switch response.status.code {
        case 200: return
        case 400:
            throw Failure(
                .failure, "nothing waits for this callback: it is an old one, or of another login",
                hint: "`countersign authorize` starts again")
        case 502: throw Failure(.failure, "this login failed; the gateway's log says why")
        default: throw Failure(response)
        }
    }
}

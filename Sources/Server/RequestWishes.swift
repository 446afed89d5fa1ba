import Core

/// What a request's head asks of the connection.
struct RequestWishes: Hashable {
    enum Expectation: Hashable {
        case none
        /// `Expect: 100-continue` (RFC 9110, section 10.1.1).
        case goAhead
        /// Something that we cannot promise.
        case unknown
    }

    /// The client will use the connection again (RFC 9112, section 9.3).
    let keepsConnection: Bool
    let expectation: Expectation

    init(_ head: RequestHead) {
        let options = head.fields.values("connection").flatMap(Self.listMembers)
        switch head.version {
        case .http11:
            keepsConnection = !options.contains("close")
            let expected = head.fields.values("expect").flatMap(Self.listMembers)
            expectation =
                if expected.isEmpty { .none } else if expected.allSatisfy({ $0 == "100-continue" }) { .goAhead } else {
                    .unknown
                }
        case .http10:
            keepsConnection = options.contains("keep-alive") && !options.contains("close")
            expectation = .none
        }
    }

    /// The members of a comma-separated list, in lower case, without white space and empty members.
    private static func listMembers(_ value: [UInt8]) -> [String] {
        value.split(separator: UInt8(ascii: ",")).compactMap { member in
            let isSpace = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
            let trimmed = member.drop(while: isSpace).reversed().drop(while: isSpace).reversed()
            return trimmed.isEmpty ? nil : String(decoding: trimmed.map(\.asciiLowercased), as: UTF8.self)
        }
    }
}

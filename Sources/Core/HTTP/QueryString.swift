/// A query of `name=value` pairs, percent-encoded (RFC 3986; `+` is a plus sign, not a space).
package struct QueryString: Sendable {
    package private(set) var pairs: [(name: String, value: String)] = []

    package init() {}

    /// Decodes exactly once; `nil` for a broken escape, a NUL or what is not UTF-8. A name without `=` has the value `""`;
    /// nothing between two `&` is no pair.
    package init?(parsing text: String) {
        for piece in text.utf8.split(separator: UInt8(ascii: "&")) {
            let equals = piece.firstIndex(of: UInt8(ascii: "=")) ?? piece.endIndex
            guard let name = PercentEncoding.decode(piece[..<equals]),
                let value = PercentEncoding.decode(piece[equals...].dropFirst())
            else { return nil }
            append(name, value)
        }
    }

    package mutating func append(_ name: String, _ value: String) { pairs.append((name, value)) }

    /// The value, when the name is there exactly once.
    package func value(_ name: String) -> String? {
        let found = pairs.filter { $0.name == name }
        return found.count == 1 ? found[0].value : nil
    }

    package func count(_ name: String) -> Int { pairs.count { $0.name == name } }

    /// Everything but `A-Z a-z 0-9 - . _ ~` percent-encoded.
    package var encoded: String {
        pairs.map { "\(PercentEncoding.encode($0.name))=\(PercentEncoding.encode($0.value))" }.joined(separator: "&")
    }
}

extension QueryString: Hashable {
    package static func == (left: QueryString, right: QueryString) -> Bool {
        left.pairs.elementsEqual(right.pairs) { $0 == $1 }
    }

    package func hash(into hasher: inout Hasher) {
        for pair in pairs {
            hasher.combine(pair.name)
            hasher.combine(pair.value)
        }
    }
}

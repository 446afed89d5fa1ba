/// A field name (RFC 9110, section 5.1), kept in lower case because names compare without case.
package struct HTTPFieldName: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// The name in lower case: a token of ASCII.
    package let canonical: String

    /// `nil` unless the bytes are a token: 1 or more `tchar`s (RFC 9110, section 5.6.2).
    package init?(_ bytes: some Collection<UInt8>) {
        guard !bytes.isEmpty, bytes.allSatisfy(\.isTokenCharacter) else { return nil }
        canonical = String(decoding: bytes.map(\.asciiLowercased), as: UTF8.self)
    }

    /// For names written in the code; a literal that is no token is a mistake of ours.
    package init(stringLiteral value: StaticString) {
        guard let name = HTTPFieldName(Array(value.description.utf8)) else {
            preconditionFailure("a field name in the code is no token")
        }
        self = name
    }

    package var description: String { canonical }
}

/// One field line: a name and the bytes of its value, without the white space around them.
package struct HTTPField: Hashable, Sendable {
    package let name: HTTPFieldName
    package let value: [UInt8]

    package init(_ name: HTTPFieldName, bytes: [UInt8]) {
        self.name = name
        self.value = bytes
    }

    package init(_ name: HTTPFieldName, _ text: String) {
        self.init(name, bytes: Array(text.utf8))
    }
}

/// The field lines of a message, in the order in which they came.
package struct HTTPFields: Hashable, Sendable, ExpressibleByArrayLiteral {
    package private(set) var lines: [HTTPField] = []

    package init() {}
    package init(arrayLiteral elements: HTTPField...) { lines = elements }

    package var isEmpty: Bool { lines.isEmpty }

    package mutating func append(_ field: HTTPField) { lines.append(field) }
    package mutating func append(_ name: HTTPFieldName, _ text: String) { lines.append(HTTPField(name, text)) }

    /// Removes every line of that name, then appends this one.
    package mutating func set(_ name: HTTPFieldName, _ text: String) {
        remove(name)
        append(name, text)
    }

    package mutating func remove(_ name: HTTPFieldName) { lines.removeAll { $0.name == name } }

    package func contains(_ name: HTTPFieldName) -> Bool { lines.contains { $0.name == name } }
    /// The values of all lines of that name, in order.
    package func values(_ name: HTTPFieldName) -> [[UInt8]] { lines.filter { $0.name == name }.map(\.value) }
    package func count(_ name: HTTPFieldName) -> Int { lines.count { $0.name == name } }

    /// The value as text, when there is exactly one line of that name and it is UTF-8.
    package func text(_ name: HTTPFieldName) -> String? {
        let found = values(name)
        guard found.count == 1 else { return nil }
        return String(validating: found[0], as: UTF8.self)
    }
}

extension UInt8 {
    /// `tchar` of RFC 9110, section 5.6.2.
    package var isTokenCharacter: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
            UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default: false
        }
    }

    package var asciiLowercased: UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self + 32 : self
    }
}

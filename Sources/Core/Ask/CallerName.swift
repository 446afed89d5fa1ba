/// The name of a caller as the config gives it: 1 to 64 of `a-z`, `0-9`, `-`, `_`, `.`, starting with a letter or
/// digit. It stands on the person's card, so it can hold nothing that could be mistaken for something else.
package struct CallerName: Hashable, Sendable, CustomStringConvertible {
    package let rawValue: String

    /// `nil` when it is not of that form.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard (1...64).contains(bytes.count), let first = bytes.first, first.isLowerAlphanumeric,
            bytes.allSatisfy({ $0.isLowerAlphanumeric || $0 == 0x2D || $0 == 0x5F || $0 == 0x2E })
        else { return nil }
        rawValue = text
    }

    package var description: String { rawValue }
}

extension UInt8 {
    fileprivate var isLowerAlphanumeric: Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
    }
}

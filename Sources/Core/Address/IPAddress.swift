/// An IP address literal.
package enum IPAddress: Hashable, Sendable {
    /// Four bytes.
    case v4([UInt8])
    /// Sixteen bytes.
    case v6([UInt8])

    /// 127.0.0.0/8 or ::1.
    package var isLoopback: Bool {
        switch self {
        case .v4(let bytes): bytes[0] == 127
        case .v6(let bytes): bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] == 1
        }
    }

    /// 0.0.0.0 or ::, which listen everywhere.
    package var isUnspecified: Bool {
        switch self {
        case .v4(let bytes), .v6(let bytes): bytes.allSatisfy { $0 == 0 }
        }
    }
}

extension IPAddress: CustomStringConvertible {
    /// A literal only: four decimal numbers without leading zeros, or an IPv6 literal (RFC 4291) without zone and brackets.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        if let v4 = Self.parseV4(bytes[...]) {
            self = .v4(v4)
        } else if let v6 = Self.parseV6(bytes) {
            self = .v6(v6)
        } else {
            return nil
        }
    }

    /// IPv6 in the form of RFC 5952, without brackets.
    package var description: String {
        switch self {
        case .v4(let bytes): Self.dotted(bytes[...])
        case .v6(let bytes): Self.describeV6(bytes)
        }
    }

    private static func parseV4(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var bytes: [UInt8] = []
        for part in parts {
            guard let number = UInt16(decimal: part), let byte = UInt8(exactly: number) else { return nil }
            bytes.append(byte)
        }
        return bytes
    }

    private static func parseV6(_ text: [UInt8]) -> [UInt8]? {
        let colon = UInt8(ascii: ":")
        let gap = text.indices.dropLast().first { text[$0] == colon && text[$0 + 1] == colon }
        guard let gap else {
            guard let bytes = parseGroups(text[...], mayEndDotted: true), bytes.count == 16 else { return nil }
            return bytes
        }
        guard let head = parseGroups(text[..<gap], mayEndDotted: false),
            let tail = parseGroups(text[(gap + 2)...], mayEndDotted: true), head.count + tail.count <= 14
        else { return nil }
        return head + [UInt8](repeating: 0, count: 16 - head.count - tail.count) + tail
    }

    /// Groups of 1 to 4 hex digits; the last one may be an IPv4 literal.
    private static func parseGroups(_ text: ArraySlice<UInt8>, mayEndDotted: Bool) -> [UInt8]? {
        guard !text.isEmpty else { return [] }
        let groups = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        var bytes: [UInt8] = []
        for (index, group) in groups.enumerated() {
            if mayEndDotted, index == groups.count - 1, let v4 = parseV4(group) {
                bytes += v4
                continue
            }
            guard (1...4).contains(group.count) else { return nil }
            var value: UInt16 = 0
            for digit in group {
                guard let digit = digit.hexDigitValue else { return nil }
                value = value << 4 | UInt16(digit)
            }
            bytes += [UInt8(value >> 8), UInt8(value & 0xFF)]
        }
        return bytes
    }

    private static func dotted(_ bytes: ArraySlice<UInt8>) -> String {
        bytes.map { String($0) }.joined(separator: ".")
    }

    private static func describeV6(_ bytes: [UInt8]) -> String {
        if bytes[..<10].allSatisfy({ $0 == 0 }), bytes[10] == 0xFF, bytes[11] == 0xFF {
            return "::ffff:" + dotted(bytes[12...])
        }
        let groups = stride(from: 0, to: 16, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
        let text = groups.map { String($0, radix: 16) }
        guard let zeros = longestZeros(groups) else { return text.joined(separator: ":") }
        return text[..<zeros.lowerBound].joined(separator: ":") + "::"
            + text[zeros.upperBound...].joined(separator: ":")
    }

    /// The first of the longest runs of zero groups, when it has two or more.
    private static func longestZeros(_ groups: [UInt16]) -> Range<Int>? {
        var longest = 0..<0
        var start = 0
        for index in groups.indices {
            if groups[index] != 0 { start = index + 1 }
            if index + 1 - start > longest.count { longest = start..<index + 1 }
        }
        return longest.count >= 2 ? longest : nil
    }
}

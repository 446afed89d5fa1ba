/// The bytes that a quoted JSON string stands for, unescaped one by one as UTF-8. The string has been validated.
struct JSONText {
    private var position: Int
    private let end: Int
    /// What an escape stands for: up to four bytes of UTF-8, lowest byte first, and how many are left.
    private var pending: UInt32 = 0
    private var pendingCount = 0

    /// `quoted`: the range of a string, quotes included.
    init(quoted: Range<Int>) {
        position = quoted.lowerBound + 1
        end = quoted.upperBound - 1
    }

    mutating func next(in bytes: Span<UInt8>) -> UInt8? {
        if pendingCount > 0 {
            defer {
                pending >>= 8
                pendingCount -= 1
            }
            return UInt8(truncatingIfNeeded: pending)
        }
        guard position < end else { return nil }
        let byte = bytes[position]
        guard byte == UInt8(ascii: "\\") else {
            position += 1
            return byte
        }
        let escape = bytes[position + 1]
        position += 2
        switch escape {
        case UInt8(ascii: "b"): return 0x08
        case UInt8(ascii: "t"): return 0x09
        case UInt8(ascii: "n"): return 0x0A
        case UInt8(ascii: "f"): return 0x0C
        case UInt8(ascii: "r"): return 0x0D
        case UInt8(ascii: "u"):
            encode(scalar(in: bytes))
            return next(in: bytes)
        default: return escape
        }
    }

    /// Reads the four digits behind `\u`, and the low surrogate behind a high one.
    private mutating func scalar(in bytes: Span<UInt8>) -> UInt32 {
        let unit = hexUnit(in: bytes)
        guard (0xD800...0xDBFF).contains(unit) else { return unit }
        position += 2
        return 0x10000 + (unit - 0xD800) << 10 + (hexUnit(in: bytes) - 0xDC00)
    }

    private mutating func hexUnit(in bytes: Span<UInt8>) -> UInt32 {
        var unit: UInt32 = 0
        for offset in 0..<4 { unit = unit << 4 | UInt32(bytes[position + offset].hexDigitValue ?? 0) }
        position += 4
        return unit
    }

    private mutating func encode(_ scalar: UInt32) {
        let rest = { (shift: UInt32) in 0x80 | (scalar >> shift & 0x3F) }
        switch scalar {
        case ..<0x80:
            (pending, pendingCount) = (scalar, 1)
        case ..<0x800:
            (pending, pendingCount) = (0xC0 | scalar >> 6 | rest(0) << 8, 2)
        case ..<0x10000:
            (pending, pendingCount) = (0xE0 | scalar >> 12 | rest(6) << 8 | rest(0) << 16, 3)
        default:
            (pending, pendingCount) = (0xF0 | scalar >> 18 | rest(12) << 8 | rest(6) << 16 | rest(0) << 24, 4)
        }
    }
}

extension JSONText {
    consuming func string(in bytes: Span<UInt8>) -> String {
        var text = self
        var unescaped: [UInt8] = []
        while let byte = text.next(in: bytes) { unescaped.append(byte) }
        return String(decoding: unescaped, as: UTF8.self)
    }

    consuming func equals(_ other: String, in bytes: Span<UInt8>) -> Bool {
        var text = self
        for expected in other.utf8 where text.next(in: bytes) != expected { return false }
        return text.next(in: bytes) == nil
    }

    consuming func equals(_ other: consuming JSONText, in bytes: Span<UInt8>) -> Bool {
        var left = self
        var right = other
        while let byte = left.next(in: bytes) {
            if right.next(in: bytes) != byte { return false }
        }
        return right.next(in: bytes) == nil
    }

    /// A hash under this process's random seed: who chooses the names cannot choose the collisions.
    consuming func hash(in bytes: Span<UInt8>) -> Int {
        var text = self
        var hasher = Hasher()
        while let byte = text.next(in: bytes) { hasher.combine(byte) }
        return hasher.finalize()
    }
}

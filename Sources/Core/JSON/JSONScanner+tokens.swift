/// The words of JSON: strings, numbers, `true`, `false`, `null`. Each begins at `position` and leaves it behind itself.
extension JSONScanner {
    /// Returns the range, quotes included. `limit` is for what stands between the quotes.
    mutating func string(
        _ bytes: Span<UInt8>, limit: Int, overLimit: String
    ) throws(JSONError) -> Range<Int> {
        let start = position
        position += 1
        while position < bytes.count {
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                return start..<position
            case UInt8(ascii: "\\"):
                try escape(bytes)
            case ..<0x20:
                throw JSONError(at: position, "A string holds a control character.")
            case ..<0x80:
                position += 1
            default:
                let length = utf8SequenceLength(bytes)
                if length == 0 { throw JSONError(at: position, "The text is not UTF-8.") }
                position += length
            }
            if position - start - 1 > limit { throw JSONError(.jsonLimit, at: start, overLimit) }
        }
        throw JSONError(at: position, "The text ends too early.")
    }

    private mutating func escape(_ bytes: Span<UInt8>) throws(JSONError) {
        let start = position
        position += 1
        guard position < bytes.count else { throw JSONError(at: position, "The text ends too early.") }
        switch bytes[position] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            position += 1
        case UInt8(ascii: "u"):
            let unit = try hexUnit(bytes)
            switch unit {
            case 0 where !limits.acceptsNUL:
                throw JSONError(at: start, "A string holds U+0000.")
            case 0xDC00...0xDFFF:
                throw JSONError(at: start, "A string holds a lone surrogate.")
            case 0xD800...0xDBFF:
                guard position + 1 < bytes.count, bytes[position] == UInt8(ascii: "\\"),
                    bytes[position + 1] == UInt8(ascii: "u")
                else { throw JSONError(at: start, "A string holds a lone surrogate.") }
                position += 1
                guard (0xDC00...0xDFFF).contains(try hexUnit(bytes)) else {
                    throw JSONError(at: start, "A string holds a lone surrogate.")
                }
            default: break
            }
        default:
            throw JSONError(at: position, "There is no such escape.")
        }
    }

    /// The four digits behind the `u` at `position`.
    private mutating func hexUnit(_ bytes: Span<UInt8>) throws(JSONError) -> UInt16 {
        guard position + 4 < bytes.count else { throw JSONError(at: position, "The text ends too early.") }
        var unit: UInt16 = 0
        for offset in 1...4 {
            guard let digit = bytes[position + offset].hexDigitValue else {
                throw JSONError(at: position + offset, "An escape needs four hexadecimal digits.")
            }
            unit = unit << 4 | UInt16(digit)
        }
        position += 5
        return unit
    }

    /// How many bytes the character beyond ASCII at `position` has; 0 when it is not well-formed (Unicode, table 3-7).
    private func utf8SequenceLength(_ bytes: Span<UInt8>) -> Int {
        let length: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch bytes[position] {
        case 0xC2...0xDF: length = 2
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: length = 3
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: length = 4
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        default: return 0
        }
        guard position + length <= bytes.count, second.contains(bytes[position + 1]) else { return 0 }
        for offset in 2..<max(length, 2) where !(0x80...0xBF).contains(bytes[position + offset]) { return 0 }
        return length
    }

    mutating func number(_ bytes: Span<UInt8>) throws(JSONError) {
        let start = position
        if bytes[position] == UInt8(ascii: "-") { position += 1 }
        if position < bytes.count, bytes[position] == UInt8(ascii: "0") {
            position += 1
        } else {
            try digits(bytes, from: start)
        }
        if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
            position += 1
            try digits(bytes, from: start)
        }
        if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
            position += 1
            if position < bytes.count, bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-") {
                position += 1
            }
            try digits(bytes, from: start)
        }
        if position - start > limits.numberCharacters {
            throw JSONError(.jsonLimit, at: start, "A number is too long.")
        }
    }

    /// One digit or more.
    private mutating func digits(_ bytes: Span<UInt8>, from start: Int) throws(JSONError) {
        let first = position
        while position < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[position]) {
            position += 1
            if position - start > limits.numberCharacters {
                throw JSONError(.jsonLimit, at: start, "A number is too long.")
            }
        }
        if position == first { throw JSONError(at: position, "A number lacks a digit.") }
    }

    mutating func literal(_ word: StaticString, _ bytes: Span<UInt8>) throws(JSONError) {
        let start = position
        for expected in word.description.utf8 {
            guard position < bytes.count, bytes[position] == expected else {
                throw JSONError(at: start, "No value begins like this.")
            }
            position += 1
        }
    }
}

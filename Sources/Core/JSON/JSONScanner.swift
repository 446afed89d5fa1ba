/// Walks once over a JSON text and notes what stands where. The open containers are a list, not the call stack:
/// nesting costs a refusal, never an overflow.
struct JSONScanner {
    /// What may come next, white space aside.
    private enum Expected {
        case value
        /// Behind `[`.
        case elementOrEnd
        /// Behind `{`.
        case nameOrEnd
        case name
        /// Behind a value inside a container.
        case commaOrEnd
        /// Behind the root.
        case nothing
    }

    /// A name in one object, by its hash.
    private struct NameKey: Hashable {
        let object: Int
        var hash: Int
    }

    let limits: JSONLimits
    var position = 0
    private(set) var nodes: [JSONIndex.Node] = []
    /// The positions of the containers that are not closed yet, outermost first.
    private var open: [Int] = []
    /// The name that the next value belongs to.
    private var name = 0..<0
    private var names: [NameKey: Range<Int>] = [:]
    private var members = 0

    init(limits: JSONLimits) { self.limits = limits }

    mutating func scan(_ bytes: Span<UInt8>) throws(JSONError) {
        if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF {
            throw JSONError(at: 0, "The text begins with a byte order mark.")
        }
        var expected = Expected.value
        while true {
            skipWhiteSpace(bytes)
            guard position < bytes.count else {
                if case .nothing = expected { return }
                throw JSONError(at: position, nodes.isEmpty ? "There is no value." : "The text ends too early.")
            }
            expected = try step(expected, bytes)
        }
    }

    private mutating func step(_ expected: Expected, _ bytes: Span<UInt8>) throws(JSONError) -> Expected {
        let byte = bytes[position]
        switch expected {
        case .nothing:
            throw JSONError(at: position, "Something follows the value.")
        case .value:
            return try value(bytes)
        case .elementOrEnd:
            return byte == UInt8(ascii: "]") ? close() : try element(bytes)
        case .nameOrEnd:
            return byte == UInt8(ascii: "}") ? close() : try memberName(bytes)
        case .name:
            if byte == UInt8(ascii: "}") { throw JSONError(at: position, "Nothing follows a comma.") }
            return try memberName(bytes)
        case .commaOrEnd:
            let isObject = nodes[open[open.count - 1]].kind == .object
            if byte == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) { return close() }
            guard byte == UInt8(ascii: ",") else { throw JSONError(at: position, "A comma or an end is missing.") }
            position += 1
            if isObject { return .name }
            skipWhiteSpace(bytes)
            guard position < bytes.count else { throw JSONError(at: position, "The text ends too early.") }
            if bytes[position] == UInt8(ascii: "]") { throw JSONError(at: position, "Nothing follows a comma.") }
            return try element(bytes)
        }
    }

    private mutating func element(_ bytes: Span<UInt8>) throws(JSONError) -> Expected {
        try countMember()
        name = 0..<0
        return try value(bytes)
    }

    private mutating func countMember() throws(JSONError) {
        members += 1
        if members > limits.members { throw JSONError(.jsonLimit, at: position, "There are too many members.") }
    }

    /// A name and its colon. A name that the object has already is refused, whichever way it is spelled.
    private mutating func memberName(_ bytes: Span<UInt8>) throws(JSONError) -> Expected {
        guard bytes[position] == UInt8(ascii: "\"") else { throw JSONError(at: position, "A member name is missing.") }
        try countMember()
        let range = try string(bytes, limit: limits.nameBytes, overLimit: "A member name is too long.")
        let text = JSONText(quoted: range)
        var key = NameKey(object: open[open.count - 1], hash: text.hash(in: bytes))
        while let other = names[key] {
            if JSONText(quoted: other).equals(text, in: bytes) {
                throw JSONError(at: range.lowerBound, "A member name stands twice in one object.")
            }
            key.hash &+= 1
        }
        names[key] = range
        name = range
        skipWhiteSpace(bytes)
        guard position < bytes.count, bytes[position] == UInt8(ascii: ":") else {
            throw JSONError(at: position, "A colon is missing.")
        }
        position += 1
        return .value
    }

    private mutating func value(_ bytes: Span<UInt8>) throws(JSONError) -> Expected {
        let start = position
        switch bytes[position] {
        case UInt8(ascii: "{"):
            try open(.object)
            return .nameOrEnd
        case UInt8(ascii: "["):
            try open(.array)
            return .elementOrEnd
        case UInt8(ascii: "\""):
            _ = try string(bytes, limit: limits.stringBytes, overLimit: "A string is too long.")
            return note(.string, from: start)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            try number(bytes)
            return note(.number, from: start)
        case UInt8(ascii: "t"):
            try literal("true", bytes)
            return note(.bool, from: start)
        case UInt8(ascii: "f"):
            try literal("false", bytes)
            return note(.bool, from: start)
        case UInt8(ascii: "n"):
            try literal("null", bytes)
            return note(.null, from: start)
        default:
            throw JSONError(at: position, "No value begins like this.")
        }
    }

    /// A value without parts has been read.
    private mutating func note(_ kind: JSONIndex.Kind, from start: Int) -> Expected {
        nodes.append(.init(kind: kind, name: name, start: start, end: position, next: nodes.count + 1))
        return open.isEmpty ? .nothing : .commaOrEnd
    }

    private mutating func open(_ kind: JSONIndex.Kind) throws(JSONError) {
        if open.count >= limits.depth { throw JSONError(.jsonLimit, at: position, "The nesting is too deep.") }
        open.append(nodes.count)
        nodes.append(.init(kind: kind, name: name, start: position, end: position, next: nodes.count + 1))
        position += 1
    }

    private mutating func close() -> Expected {
        position += 1
        let container = open.removeLast()
        nodes[container].end = position
        nodes[container].next = nodes.count
        return open.isEmpty ? .nothing : .commaOrEnd
    }

    private mutating func skipWhiteSpace(_ bytes: Span<UInt8>) {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return
            }
        }
    }
}

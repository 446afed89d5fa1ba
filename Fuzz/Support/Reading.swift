/// What a decoder made of some bytes. Consecutive pieces of a body count as one.
struct Reading<Event: Hashable>: Hashable {
    enum End: Hashable {
        /// All bytes are used and no message is open.
        case accepted
        /// The bytes end in the middle of a message.
        case waiting
        case refused(HTTP1DecodeError)
    }

    private(set) var events: [Event] = []
    var end = End.accepted
    private var body: [UInt8] = []
    private let makeBody: ([UInt8]) -> Event

    init(body: @escaping ([UInt8]) -> Event) { makeBody = body }

    mutating func add(_ event: Event) {
        flush()
        events.append(event)
    }

    mutating func add(body piece: [UInt8]) {
        require(!piece.isEmpty, "a piece of a body is empty")
        body += piece
    }

    mutating func flush() {
        if !body.isEmpty { events.append(makeBody(body)) }
        body = []
    }

    static func == (left: Reading, right: Reading) -> Bool { left.events == right.events && left.end == right.end }

    func hash(into hasher: inout Hasher) { hasher.combine(events) }
}

/// Other ways in which bytes may come than whole: in pieces, one by one.
func waysToCome(_ bytes: [UInt8]) -> [[Range<Int>]] {
    var dice = Dice(bytes)
    return [dice.split(bytes.count), bytes.indices.map { $0..<$0 + 1 }]
}

extension HTTP1Limits {
    /// So low that short inputs reach them.
    static let tight = HTTP1Limits(
        startLine: 24, fieldBlock: 64, fieldCount: 4, chunkExtensions: 8, chunkOverhead: 4, interimAnswers: 1)

    /// So high that no input reaches them: for what is written again, which may be longer.
    static let wide = HTTP1Limits(
        startLine: 1 << 20, fieldBlock: 1 << 20, fieldCount: 1 << 20, chunkExtensions: 1 << 20,
        chunkOverhead: 1 << 20, interimAnswers: 1 << 20)
}

extension HTTPFields {
    /// What must be true of the fields of every head that is let through.
    func requireSound() {
        for field in lines {
            let value = field.value
            require(!field.name.canonical.isEmpty, "a name is empty")
            require(field.name.canonical.utf8.allSatisfy(\.isTokenCharacter), "a name is no token")
            require(value.allSatisfy { $0 == 9 || ($0 >= 0x20 && $0 != 0x7F) }, "a value holds a control character")
            for edge in [value.first, value.last] { require(edge != 9 && edge != 0x20, "white space is left") }
        }
        let lengths = count("content-length")
        let codings = count("transfer-encoding")
        require(lengths + codings <= 1, "the framing is told \(lengths + codings) times")
    }
}

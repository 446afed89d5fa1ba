/// Answers are read the same whichever way they come, and read again as the same when they are written again. The first
/// byte says which requests they answer.
func checkResponse(_ input: [UInt8]) {
    guard let choice = input.first else { return }
    let methods: [HTTPMethod] = [[.get], [.head], [.get, .get], [.head, .get]][Int(choice % 4)]
    let bytes = Array(input.dropFirst())
    for limits in [HTTP1Limits.standard, .tight] {
        for closes in [false, true] {
            let whole = Cost.bounded { readAnswers(bytes, to: methods, limits: limits, closes: closes) }
            for way in waysToCome(bytes) {
                let other = readAnswers(bytes, in: way, to: methods, limits: limits, closes: closes)
                require(other == whole, "in \(way.count) pieces it reads otherwise")
            }
            requireSound(whole, to: methods)
        }
    }
    let reading = readAnswers(bytes, to: methods, limits: .standard, closes: false)
    let again = readAnswers(encode(reading.events), to: methods, limits: .wide, closes: false)
    require(again.events == reading.events, "what is written again is read otherwise")
    for limits in [HTTP1Limits.standard, .tight] { requireForgetful(bytes, to: methods, limits: limits) }
}

/// What follows an answer is read as if it came first.
private func requireForgetful(_ bytes: [UInt8], to methods: [HTTPMethod], limits: HTTP1Limits) {
    var decoder = HTTP1ResponseDecoder(limits: limits)
    decoder.expectAnswer(to: methods[0])
    decoder.append(bytes.span)
    while let event = try? decoder.next(), event != .end {}
    let whole = readAnswers(bytes, to: methods, limits: limits, closes: false)
    guard methods.count > 1, let end = whole.events.firstIndex(of: .end) else { return }
    let left = Array(bytes.suffix(decoder.bufferedCount))
    let rest = readAnswers(left, to: Array(methods[1...]), limits: limits, closes: false)
    require(rest.events.elementsEqual(whole.events[(end + 1)...]), "an answer changes how the next one is read")
    require(rest.end == whole.end, "an answer changes how the next one ends")
}

private func readAnswers(
    _ bytes: [UInt8], in pieces: [Range<Int>]? = nil, to methods: [HTTPMethod], limits: HTTP1Limits, closes: Bool
) -> Reading<HTTP1ResponseEvent> {
    var decoder = HTTP1ResponseDecoder(limits: limits)
    for method in methods { decoder.expectAnswer(to: method) }
    var reading = Reading(body: HTTP1ResponseEvent.body)
    var ends = 0
    func take() throws(HTTP1DecodeError) {
        while let event = try decoder.next() {
            if case .body(let bytes) = event { reading.add(body: bytes) } else { reading.add(event) }
            if event == .end { ends += 1 }
        }
    }
    do throws(HTTP1DecodeError) {
        for piece in pieces ?? [bytes.indices] {
            decoder.append(bytes.span.extracting(piece))
            try take()
        }
        if closes {
            try decoder.finish()
            try take()
            require(ends == methods.count, "an answer is owed after the close")
        }
        reading.end = ends < methods.count ? .waiting : .accepted
    } catch {
        reading.end = .refused(error)
        require(decoder.bufferedCount == 0, "bytes are kept after a refusal")
    }
    reading.flush()
    return reading
}

private func requireSound(_ reading: Reading<HTTP1ResponseEvent>, to methods: [HTTPMethod]) {
    var answers = methods[...]
    var mayHaveBody = false
    for event in reading.events {
        switch event {
        case .informational(let head):
            head.fields.requireSound()
            require(head.status.isInformational && head.status != 101, "\(head.status) is taken for an interim answer")
        case .head(let head, let framing):
            head.fields.requireSound()
            require((200..<600).contains(head.status.code), "the status \(head.status) is let through")
            mayHaveBody = answers.first != .head && !head.status.forbidsBody
            require(mayHaveBody || framing == .none, "an answer that has no body is given one")
        case .body: require(mayHaveBody, "an answer without a body has one")
        case .end: answers.removeFirst()
        }
    }
}

private func encode(_ events: [HTTP1ResponseEvent]) -> [UInt8] {
    var encoded: [UInt8] = []
    var isChunked = false
    for event in events {
        switch event {
        case .informational(let head):
            encoded += require(HTTP1Encoder.encode(head), "a head that was read cannot be written")
        case .head(let head, let framing):
            encoded += require(HTTP1Encoder.encode(head), "a head that was read cannot be written")
            isChunked = framing == .chunked
        case .body(let bytes): encoded += isChunked ? HTTP1Encoder.chunk(bytes) : bytes
        case .end: if isChunked { encoded += HTTP1Encoder.lastChunk }
        }
    }
    return encoded
}

/// A connection's bytes are read the same whichever way they come, what is let through is sound, and what is written
/// again is read as the same.
func checkRequest(_ bytes: [UInt8]) {
    for limits in [HTTP1Limits.standard, .tight] {
        let whole = Cost.bounded { readRequests(bytes, limits: limits, closes: true) }
        for way in waysToCome(bytes) {
            let other = readRequests(bytes, in: way, limits: limits, closes: true)
            require(other == whole, "in \(way.count) pieces it reads otherwise")
        }
        requireSound(whole, bytes)
    }
    let open = readRequests(bytes, limits: .standard, closes: false)
    let closed = readRequests(bytes, limits: .standard, closes: true)
    require(open.events == closed.events, "the close changes what came before it")
    switch open.end {
    case .accepted: require(closed.end == .accepted, "a whole message is refused at the close")
    case .waiting: require(closed.end == .refused(.cutShort), "a cut message is not refused")
    case .refused: require(closed.end == open.end, "the close changes the refusal")
    }
    let again = readRequests(encode(open.events), limits: .wide, closes: false)
    require(again.events == open.events, "what is written again is read otherwise")
    requireForgetful(bytes, open)
}

/// What follows a message is read as if it came first.
private func requireForgetful(_ bytes: [UInt8], _ whole: Reading<HTTP1RequestEvent>) {
    var decoder = HTTP1RequestDecoder()
    decoder.append(bytes.span)
    var count = 0
    while let event = try? decoder.next() {
        if event == .end { break }
        if case .body = event { continue }
        count += 1
    }
    guard let end = whole.events.firstIndex(of: .end), count > 0 else { return }
    let rest = readRequests(Array(bytes.suffix(decoder.bufferedCount)), limits: .standard, closes: false)
    require(rest.events.elementsEqual(whole.events[(end + 1)...]), "a message changes how the next one is read")
    require(rest.end == whole.end, "a message changes how the next one ends")
}

func readRequests(
    _ bytes: [UInt8], in pieces: [Range<Int>]? = nil, limits: HTTP1Limits, closes: Bool
) -> Reading<HTTP1RequestEvent> {
    var decoder = HTTP1RequestDecoder(limits: limits)
    var reading = Reading(body: HTTP1RequestEvent.body)
    do throws(HTTP1DecodeError) {
        for piece in pieces ?? [bytes.indices] {
            decoder.append(bytes.span.extracting(piece))
            while let event = try decoder.next() {
                if case .body(let bytes) = event { reading.add(body: bytes) } else { reading.add(event) }
            }
        }
        if closes { try decoder.finish() }
        reading.end = decoder.isMidMessage ? .waiting : .accepted
    } catch {
        reading.end = .refused(error)
        require(decoder.bufferedCount == 0, "bytes are kept after a refusal")
        decoder.append(Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8).span)
        do throws(HTTP1DecodeError) {
            _ = try decoder.next()
            fatalError("broken: it reads on after a refusal")
        } catch let second {
            require(second == error, "the second refusal is another one")
        }
    }
    reading.flush()
    return reading
}

private func requireSound(_ reading: Reading<HTTP1RequestEvent>, _ bytes: [UInt8]) {
    var room = bytes.count
    for event in reading.events {
        switch event {
        case .head(let head, let framing):
            head.fields.requireSound()
            let hosts = head.fields.count("host")
            require(hosts == 1 || (hosts == 0 && head.version == .http10), "\(hosts) hosts are let through")
            let isChunked = head.fields.contains("transfer-encoding")
            require((framing == .chunked) == isChunked, "the framing is not what the head says")
            require(framing != .untilClose, "a request cannot last until the close")
            require(!isChunked || head.version == .http11, "HTTP/1.0 is chunked")
        case .body(let bytes): room -= bytes.count
        case .end: break
        }
    }
    require(room >= 0, "more came out than went in")
}

private func encode(_ events: [HTTP1RequestEvent]) -> [UInt8] {
    var encoded: [UInt8] = []
    var isChunked = false
    for event in events {
        switch event {
        case .head(let head, let framing):
            encoded += require(HTTP1Encoder.encode(head), "a head that was read cannot be written")
            isChunked = framing == .chunked
        case .body(let bytes): encoded += isChunked ? HTTP1Encoder.chunk(bytes) : bytes
        case .end: if isChunked { encoded += HTTP1Encoder.lastChunk }
        }
    }
    return encoded
}

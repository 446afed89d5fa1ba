import Core
import Transport

extension HTTPConnection {
    /// The head of the next request; `nil` when the peer has ended its side between two requests.
    func nextHead(isFirst: Bool) async throws(Ending) -> (RequestHead, BodyFraming)? {
        let limits = service.limits
        let waitsSince = service.time.now()
        var headBegan = waitsSince
        var deadline =
            waitsSince
            + (isInPorch
                ? limits.porchHead : isFirst ? limits.firstByte : min(limits.idle, mischievousIdle ?? limits.idle))
        isIdle = true
        while true {
            switch try nextEvent() {
            case .head(let head, let framing):
                isIdle = false
                return (head, framing)
            case .body, .end: throw .silent
            case nil: break
            }
            if isIdle, decoder.isMidMessage {
                isIdle = false
                headBegan = service.time.now()
                if !isInPorch { deadline = headBegan + limits.head }
            }
            if let arrived = await stream.takeArrived() {
                decoder.append(arrived.span)
                continue
            }
            // Only from here on may it have to make room: whoever has sent a whole head is served.
            activity.become(isIdle ? .idle(since: waitsSince) : .head(since: headBegan))
            do {
                guard let bytes = try await stream.read(by: deadline) else {
                    try finishDecoder()
                    return nil
                }
                decoder.append(bytes.span)
            } catch let error as StreamError {
                throw error == .timedOut && !isIdle ? .refusal(.headTooSlow) : .silent
            } catch let error as Ending {
                throw error
            } catch {
                throw .silent
            }
        }
    }

    private func nextEvent() throws(Ending) -> HTTP1RequestEvent? {
        do { return try decoder.next() } catch { throw .refusal(error) }
    }

    private func finishDecoder() throws(Ending) {
        do { try decoder.finish() } catch { throw .refusal(error) }
    }

    /// After the head of a request without a body.
    func takeEndOfMessage() throws(Ending) {
        if case .end = try nextEvent() { exchange?.isOver = true }
    }

    /// The next bytes of the body of the exchange with that number, `nil` at its end.
    func nextPiece(of number: Int) async throws(RequestBodyError) -> [UInt8]? {
        guard let current = exchange, current.number == number, current.failure == nil, !current.isBeingRead else {
            throw .broken
        }
        if current.isOver { return nil }
        let deadline = current.bodyDeadline ?? service.time.now() + service.limits.body
        exchange?.bodyDeadline = deadline
        exchange?.isBeingRead = true
        defer { exchange?.isBeingRead = false }
        do {
            return try await readPiece(by: deadline)
        } catch let error as HTTP1DecodeError {
            exchange?.failure = error
        } catch let error as StreamError {
            exchange?.failure = error == .timedOut ? .bodyTooSlow : .cutShort
        } catch {
            exchange?.failure = .cutShort
        }
        throw .broken
    }

    private func readPiece(by deadline: Instant) async throws -> [UInt8]? {
        while true {
            switch try decoder.next() {
            case .body(let bytes):
                exchange?.hasBodyBegun = true
                return bytes
            case .end:
                exchange?.isOver = true
                return nil
            case .head: throw HTTP1DecodeError.cutShort
            case nil: break
            }
            if exchange?.owesContinue == true {
                exchange?.owesContinue = false
                if let arrived = await stream.takeArrived() {
                    decoder.append(arrived.span)
                    continue
                }
                let interim = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)
                try await stream.write(.bytes(interim), by: service.time.now() + service.limits.write)
            }
            guard let bytes = try await readPaced(by: deadline) else {
                try decoder.finish()
                throw HTTP1DecodeError.cutShort
            }
            decoder.append(bytes.span)
        }
    }

    /// Before the first byte of a body, the peer may still be told to go on; from there on it has to keep pace.
    private func readPaced(by deadline: Instant) async throws(StreamError) -> [UInt8]? {
        guard let current = exchange else { throw .closed }
        let begun = service.time.now()
        let limit = current.hasBodyBegun ? min(deadline, current.pace.deadline(from: begun)) : deadline
        let bytes = try await stream.read(by: limit)
        exchange?.pace.add(bytes?.count ?? 0, waited: service.time.now() - begun)
        exchange?.hasBodyBegun = true
        return bytes
    }

    /// Throws away what has come of a body that the responder left unread; a small one does not cost the connection.
    /// Who streams an answer may still be reading, so its body is left alone.
    func settleBody(before response: HTTPResponse) async {
        if case .stream = response.body { return }
        guard let current = exchange, !current.isOver, !current.isBeingRead else { return }
        exchange?.isBeingRead = true
        var budget = service.limits.discardedBody
        while budget > 0 {
            do throws(HTTP1DecodeError) {
                switch try decoder.next() {
                case .body(let bytes): budget -= bytes.count
                case .end:
                    exchange?.isOver = true
                    return
                case .head: return
                case nil:
                    guard let arrived = await stream.takeArrived() else { return }
                    decoder.append(arrived.span)
                }
            } catch { return }
        }
    }
}

/// How the bytes of a connection end, for a decoder of either role: with an error, or with the peer's close.
struct HTTP1InputEnd: Sendable {
    private enum State: Sendable {
        /// `isDrained`: `next` has given out all that the bytes so far hold.
        case open(isDrained: Bool)
        /// The peer has closed its side; some events may be left.
        case closed
        case failed(HTTP1DecodeError)
    }

    private var state = State.open(isDrained: true)

    var takesBytes: Bool {
        switch state {
        case .open: true
        case .closed, .failed: false
        }
    }

    var isClosed: Bool {
        switch state {
        case .closed: true
        case .open, .failed: false
        }
    }

    func checkNotFailed() throws(HTTP1DecodeError) {
        if case .failed(let error) = state { throw error }
    }

    mutating func bytesCame() { state = .open(isDrained: false) }

    mutating func fail(_ error: HTTP1DecodeError) { state = .failed(error) }

    /// No event is left.
    mutating func ranOut(isMidMessage: Bool) throws(HTTP1DecodeError) {
        switch state {
        case .open: state = .open(isDrained: true)
        case .closed: if isMidMessage { throw .cutShort }
        case .failed(let error): throw error
        }
    }

    mutating func close(isMidMessage: Bool) throws(HTTP1DecodeError) {
        switch state {
        case .open(let isDrained):
            state = .closed
            if isDrained, isMidMessage { throw .cutShort }
        case .closed: break
        case .failed(let error): throw error
        }
    }
}

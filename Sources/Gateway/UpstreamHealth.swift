import Core
import Synchronization

/// Whether MimiKey answered when it was last called; any answer counts.
final class UpstreamHealth: Sendable {
    enum State: String, Sendable {
        /// Not called yet.
        case unknown
        case ok
        case unreachable
        /// What answered could not prove that it is MimiKey.
        case untrusted
    }

    private struct Last {
        var state = State.unknown
        var fault: TLSFault?
    }

    private let last = Mutex(Last())
    private let log: LogSink

    init(log: @escaping LogSink) { self.log = log }

    var state: State { last.withLock { $0.state } }

    /// The same `send`, watched.
    func watching(_ send: @escaping Send) -> Send {
        { (request) async throws(SendFailure) -> InboundResponse in
            do throws(SendFailure) {
                let response = try await send(request)
                self.last.withLock { $0 = Last(state: .ok) }
                return response
            } catch {
                self.note(error.reason)
                throw error
            }
        }
    }

    /// A fault of TLS is logged when it is new, not with each poll.
    private func note(_ reason: SendFailure.Reason) {
        var now = Last(state: .unreachable)
        switch reason {
        case .cancelled: return
        case .tls(let fault):
            now.fault = fault
            if fault.isDistrust { now.state = .untrusted }
        case .nameNotFound, .connectFailed, .closed, .timedOut, .malformed, .answerTooLarge: break
        }
        let before = last.withLock { last in
            defer { last = now }
            return last
        }
        guard let fault = now.fault, fault != before.fault else { return }
        log(LogEvent(.error, "no TLS connection to MimiKey", [(.fault, .string(fault.rawValue))]))
    }
}

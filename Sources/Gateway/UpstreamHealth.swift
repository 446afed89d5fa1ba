import Core
import Synchronization

/// Whether MimiKey answered when it was last called; any answer counts.
final class UpstreamHealth: Sendable {
    enum State: String, Sendable {
        /// Not called yet.
        case unknown
        case ok
        case unreachable
    }

    private let last = Mutex(State.unknown)

    var state: State { last.withLock { $0 } }

    /// The same `send`, watched.
    func watching(_ send: @escaping Send) -> Send {
        { (request) async throws(SendFailure) -> InboundResponse in
            do throws(SendFailure) {
                let response = try await send(request)
                self.last.withLock { $0 = .ok }
                return response
            } catch {
                if error.reason != .cancelled { self.last.withLock { $0 = .unreachable } }
                throw error
            }
        }
    }
}

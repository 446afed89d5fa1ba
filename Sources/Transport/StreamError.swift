/// Why bytes could not be read or written.
package enum StreamError: Error, Hashable, Sendable {
    /// We have closed it, or the loop has stopped.
    case closed
    /// The connection broke: reset, timed out by the kernel, written to after the peer had gone.
    case lost(TransportError)
    /// The deadline passed.
    case timedOut
    /// The task was cancelled.
    case cancelled
}

/// What a server does to its client that no good one does. The sandbox plays MimiKey with bad manners; no other responder
/// touches it.
package struct Mischief: Hashable, Sendable {
    /// Nothing is written; the connection closes.
    package var isWithheld = false
    /// The connection closes once it was idle for that long, where the server's own limit is longer.
    package var idle: Duration?
    /// By how much `Date` is wrong.
    package var dateOffset: Duration = .zero
}

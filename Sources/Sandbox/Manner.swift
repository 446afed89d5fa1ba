/// A way in which a service can be rude.
enum Manner: String, CaseIterable, Hashable, Sendable {
    /// The connection ends before the request is read: nothing was done.
    case closeBefore = "close_before"
    /// `503` with `Retry-After`: nothing was done.
    case unavailable
    /// `429` with `Retry-After`: nothing was done.
    case tooMany = "too_many"
    /// A page of a proxy in front: nothing was done.
    case htmlError = "html_error"
    /// `500 database_error`: nothing was done.
    case databaseError = "database_error"
    /// A fresh nonce is said to be an old one: nothing was done.
    case nonceSeen = "nonce_seen"
    /// A refresh is carried out, and its answer is lost.
    case lostRefresh = "lost_refresh"
    /// The request is carried out, and nothing is answered.
    case closeAfter = "close_after"
    /// The request is carried out, and half of the answer's JSON comes.
    case truncated
    /// The answer comes 1 to 15 seconds late.
    case delay
    /// A new request is not found for 3 seconds.
    case replicaLag = "replica_lag"
    /// A new request is not found, ever.
    case vanish
    /// New access tokens live 90 seconds.
    case shortLife = "short_life"
    /// The connection ends when it was idle for some time up to 5 seconds.
    case idleClose = "idle_close"
    /// `Date` is off by the same up to 200 seconds, either way.
    case dateOff = "date_off"
    /// The members of an answer come in another order.
    case reordered = "shuffled_members"
    /// An answer has members that nobody knows.
    case unknownMembers = "unknown_members"

    /// How often, in percent, where nobody says otherwise and the sandbox is rude.
    var usualPercent: Int {
        switch self {
        case .nonceSeen, .delay: 5
        case .closeAfter, .closeBefore: 3
        case .unavailable, .replicaLag: 2
        case .tooMany, .htmlError, .truncated: 1
        case .shortLife: 20
        case .idleClose, .dateOff, .reordered, .unknownMembers: 100
        case .databaseError, .lostRefresh, .vanish: 0
        }
    }
}

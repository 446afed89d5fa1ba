import Core
import Synchronization

/// What a connection is doing, as far as it matters to which one makes room for another.
///
/// The connection writes it on its own loop; the doors, on theirs, read it and may claim a connection that waits. A claim
/// and the begin of a request exclude each other: a request that has begun is never cut to make room.
final class Activity: Sendable {
    enum State: Hashable, Sendable {
        /// Just accepted and not looked at yet, or a request is being answered. To `idle`, `head`.
        case busy
        /// Nothing of a request has come since then, or all that was to be said is said. To `head`, `busy`, `claimed`.
        case idle(since: Instant)
        /// A part of a head has come, the first byte then. To `busy`, `claimed`.
        case head(since: Instant)
        /// It is being closed to make room.
        case claimed

        /// `idle` is a positive number, `head` a negative one.
        fileprivate var encoded: Int64 {
            switch self {
            case .idle(let since): max(1, since.nanoseconds)
            case .head(let since): -max(1, since.nanoseconds)
            case .busy: 0
            case .claimed: .max
            }
        }

        fileprivate init(encoded: Int64) {
            switch encoded {
            case 0: self = .busy
            case .max: self = .claimed
            case 1...: self = .idle(since: Instant(nanoseconds: encoded))
            default: self = .head(since: Instant(nanoseconds: -encoded))
            }
        }
    }

    private let encoded = Atomic<Int64>(0)

    var state: State { State(encoded: encoded.load(ordering: .relaxed)) }

    /// `false` when it was claimed before.
    @discardableResult func become(_ new: State) -> Bool {
        var current = encoded.load(ordering: .relaxed)
        while current != State.claimed.encoded {
            let (exchanged, original) = encoded.weakCompareExchange(
                expected: current, desired: new.encoded, ordering: .relaxed)
            if exchanged { return true }
            current = original
        }
        return false
    }

    /// Takes a connection that still waits as it did when it was looked at.
    func claim(from seen: State) -> Bool {
        encoded.compareExchange(expected: seen.encoded, desired: State.claimed.encoded, ordering: .relaxed).exchanged
    }
}

import Core

/// Which asks a list shows: `?state=…&limit=…&cursor=…`.
struct AskQuery: Hashable, Sendable {
    enum States: Hashable, Sendable {
        case all
        case open
        case finished
        case only(AskState)

        /// `nil`: no such word.
        init?(_ word: String) {
            switch word {
            case "open": self = .open
            case "finished": self = .finished
            default:
                guard let state = AskState(rawValue: word) else { return nil }
                self = .only(state)
            }
        }

        func contain(_ state: AskState) -> Bool {
            switch self {
            case .all: true
            case .open: !state.isFinished
            case .finished: state.isFinished
            case .only(let one): state == one
            }
        }
    }

    static let limits = 1...100

    var states = States.all
    var limit = 50
    /// Only those that are older than this one.
    var cursor: AskID?

    init() {}

    /// - Parameter text: as it stands behind `?`. What is not in the contract is refused, and never repeated.
    init(_ text: String?) throws(Problem) {
        guard let query = QueryString(parsing: text ?? "") else {
            throw Problem(.invalidRequest, "The query is not percent-encoded text.")
        }
        for (name, value) in query.pairs {
            guard query.count(name) == 1 else {
                throw Problem(.invalidRequest, "The query has a member twice.")
            }
            switch name {
            case "state":
                guard let states = States(value) else {
                    throw Problem(.invalidRequest, "`state` is `open`, `finished` or a state of an ask.")
                }
                self.states = states
            case "limit":
                guard value.utf8.count <= 3, let limit = Int(value), Self.limits.contains(limit) else {
                    throw Problem(.invalidRequest, "`limit` is a number from 1 to 100.")
                }
                self.limit = limit
            case "cursor":
                guard let id = AskID(value) else {
                    throw Problem(.invalidRequest, "`cursor` is what `next_cursor` of an earlier page said.")
                }
                cursor = id
            default:
                throw Problem(.invalidRequest, "The query can have `state`, `limit` and `cursor`.")
            }
        }
    }
}

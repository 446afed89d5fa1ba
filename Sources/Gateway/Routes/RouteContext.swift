import Core

/// What a route's handler is given.
struct RouteContext: Sendable {
    let request: HTTPRequest
    /// Of the path, by the names of the template.
    let parameters: [String: String]
    let visitor: Visitor
    let services: Services

    /// Does the answer go out without its body? Then nothing is released for it.
    var isHead: Bool { request.head.method == .head }

    /// The user of a caller that came in by its socket.
    var uid: UInt32? {
        switch visitor {
        case .caller(_, let uid): uid
        case .unknown, .owner: nil
        }
    }

    /// The caller; routes for callers are only reached with one.
    var caller: CallerSettings {
        get throws(Problem) {
            switch visitor {
            case .caller(let caller, _): return caller
            case .unknown, .owner: throw Problem(.unauthorized, "This route is for callers.")
            }
        }
    }
}

/// Who is there, once the door is passed.
enum Visitor: Sendable {
    case unknown
    /// By its token; on a socket of its own, as that user.
    case caller(CallerSettings, uid: UInt32?)
    /// By the operator's socket: the gateway's own user, or root.
    case owner
}

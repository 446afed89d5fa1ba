import Core
import Strongbox
import Transport
import Upstream

extension StartFailure {
    init(_ error: any Error) {
        switch error {
        case let failure as StartFailure: self = failure
        case let error as StoreError:
            self.init(
                code: ErrorCode(error.reason.rawValue), detail: error.detail,
                hint: error.fix.map { "run `\($0)`" } ?? error.advice)
        case let error as TransportError:
            self.init(
                code: ErrorCode(error.name == "EADDRINUSE" ? "address_in_use" : "listen"),
                detail: "\(error.doing) failed with \(error.name)", hint: Self.hints[error.name])
        case let error as UpstreamClient.Refused:
            self.init(code: ErrorCode("origin"), detail: error.reason, hint: "see `mimikey.origin`")
        default:
            self.init(code: .internalError, detail: "the gateway could not start", hint: nil)
        }
    }

    /// By the kernel's name of what went wrong.
    private static let hints = [
        "EADDRINUSE": "another process listens there; end it, or name another address in `listen`",
        "EADDRNOTAVAIL": "this machine has no such address; name another in `listen`",
        "EEXIST": "something that is no socket is there; move it away, or name another path in `listen`",
        "EPERM": "make the gateway's user a member of that group, or name another `group`",
        "EACCES": "the gateway's user may not write there; name another address in `listen`",
    ]

    static func catching<Result>(_ body: () throws(StoreError) -> Result) throws(StartFailure) -> Result {
        do throws(StoreError) { return try body() } catch { throw StartFailure(error) }
    }
}

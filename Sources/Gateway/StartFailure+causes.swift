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
            let isTaken = error.name == "EADDRINUSE"
            self.init(
                code: ErrorCode(isTaken ? "address_in_use" : "listen"),
                detail: "\(error.doing) failed with \(error.name)",
                hint: isTaken ? "another process listens there; end it, or name another address in `listen`" : nil)
        case let error as UpstreamClient.Refused:
            self.init(code: ErrorCode("origin"), detail: error.reason, hint: "see `mimikey.origin`")
        default:
            self.init(code: .internalError, detail: "the gateway could not start", hint: nil)
        }
    }

    static func catching<Result>(_ body: () throws(StoreError) -> Result) throws(StartFailure) -> Result {
        do throws(StoreError) { return try body() } catch { throw StartFailure(error) }
    }
}

import Core

extension Failure {
    /// A problem that the gateway answered with.
    init(_ response: InboundResponse) {
        let value = try? JSONDocument(response.body).root
        let code = value?["error"]?.string.map { ErrorCode($0) } ?? .internalError
        let detail = value?["detail"]?.string ?? "the gateway answered \(response.status) without saying why"
        self.init(
            ExitStatus(of: code), "\(detail.asTalk) (\(code.rawValue.shownOnTerminal))", code: code,
            hint: value?["next_action"]?.string.flatMap { NextAction(rawValue: $0) }?.hint)
    }
}

extension NextAction {
    /// What it means for who sits before the command line.
    var hint: String? {
        switch self {
        case .authorize: "`countersign authorize` asks the person for a grant"
        case .askUser: "the person has to look at MimiKey"
        case .retry: "try again in a moment"
        case .readAgain: "read the item again, then ask once more"
        case .wait, .fixRequest, .stop: nil
        }
    }
}

extension String {
    /// A sentence of the gateway's as part of ours: without full stop, safe for a terminal.
    var asTalk: String { (hasSuffix(".") ? String(dropLast()) : self).shownOnTerminal }
}

import Core

extension Failure {
    /// A problem that the gateway answered with.
    init(_ response: InboundResponse) {
        let value = try? JSONDocument(response.body).root
        let code = value?["error"]?.string.map { ErrorCode($0) } ?? .internalError
        let detail = value?["detail"]?.string ?? "the gateway answered \(response.status) without saying why"
        let next = value?["next_action"]?.string.flatMap { NextAction(rawValue: $0) }
        self.init(
            ExitStatus(of: code), "\(detail.asTalk) (\(code.rawValue.shownOnTerminal))", code: code,
            hint: Self.hint(code, next, after: response.fields.text("retry-after").flatMap { Int64($0) }))
    }

    /// - Parameter seconds: how long to wait before the next try.
    private static func hint(_ code: ErrorCode, _ next: NextAction?, after seconds: Int64?) -> String? {
        switch (code, seconds) {
        case (.coolingDown, let seconds?):
            "that is over in \(seconds) s; `countersign forgive ID`, by the operator, lifts it at once"
        case (.identityKeyChanged, _): "compare it with what MimiKey shows; then `countersign trust-key` accepts it"
        case (_, let seconds?) where next == .retry: "try again in \(seconds) s"
        default: next?.hint
        }
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

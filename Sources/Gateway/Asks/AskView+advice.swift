import Core

/// What a state means for the caller and for the person.
extension AskView {
    /// Was anything read or written on the person's side?
    var isExecuted: Bool {
        switch ask.state {
        case .completed: true
        case .failed: ask.error.map(Self.failuresAfterCompletion.contains) ?? false
        case .draft, .pending, .approved, .denied, .cancelled, .expired: false
        }
    }

    /// The person had answered; what came of it was not let out or could not be read.
    private static let failuresAfterCompletion: Set<ErrorCode> = [
        .policyDeniedOnItem, .resultMissing, .resultOpenFailed, .resultMalformed, .updatedItemMissing,
    ]

    var isRetryable: Bool {
        switch ask.state {
        case .failed, .cancelled: ask.error.map { ErrorCatalogue.entry(for: $0).retryable } ?? false
        case .draft, .pending, .approved, .completed, .denied, .expired: false
        }
    }

    var nextAction: NextAction {
        switch ask.state {
        case .draft, .pending, .approved: appError == nil ? .wait : .askUser
        case .completed: .stop
        case .denied: ask.denyReason == Ask.conflict ? .readAgain : .stop
        case .expired: .askUser
        // A card that may still be open is not to be doubled by a loop: only when it is gone, its link is, too.
        case .cancelled where ask.error == .grantReplaced: ask.openURL == nil ? .retry : .askUser
        case .cancelled, .failed: ask.error.map { ErrorCatalogue.entry(for: $0).nextAction } ?? .stop
        }
    }

    /// One sentence for the agent to show to the person.
    var message: String {
        switch ask.state {
        case .draft, .pending: pendingMessage
        case .approved: approvedMessage
        case .completed: completedMessage
        case .denied where ask.denyReason == Ask.conflict: "The item was changed elsewhere in the meantime."
        case .denied where joined: "You said no to this a short time ago, so no card was made again."
        case .denied: "You have said no; nothing was shared."
        case .cancelled where ask.error == .grantReplaced && ask.openURL != nil:
            "The authorization was renewed. The old card may still be there; answering it shares nothing."
        case .cancelled: "The request was taken back; nothing was shared."
        case .expired where ask.error != nil:
            "MimiKey could not be asked in time how the request stands; nothing was shared."
        case .expired: "Nobody answered the request in time; nothing was shared."
        case .failed: failedMessage
        }
    }

    private var pendingMessage: String {
        if appError?.rawValue == "not_signed_in" { return "Sign in to MimiKey, then open the request again." }
        guard let url = ask.openURL else { return "The request is on its way to MimiKey." }
        return "Open this link where MimiKey is installed and answer the card: \(url)"
    }

    private var approvedMessage: String {
        guard let url = ask.openURL else { return "MimiKey must be opened to hand the item over." }
        return "Open this link where MimiKey is installed; it hands the item over without another question: \(url)"
    }

    private var completedMessage: String {
        if ask.updatedItem != nil { return "The item was changed." }
        if ask.isSavedOutOfScope { return "The new item was saved where this gateway cannot read it." }
        return switch resultState {
        case .held, nil: "The request was answered."
        case .released: "The request was answered, and its result was delivered; it is not kept."
        case .expired: "The request was answered, but its result was not fetched in time and is not kept."
        }
    }

    private var failedMessage: String {
        let title = ask.error.map { ErrorCatalogue.entry(for: $0).title } ?? "The request failed"
        return isExecuted ? "\(title); nothing was handed out." : "\(title); nothing was shared."
    }
}

import Core

/// `countersign watch`: every open ask as link and code, as they come and go.
enum WatchVerb {
    static let verb = Verb(
        ["watch"], "show every caller's asks as they come and end, each with its link and QR code",
        options: [.config, Option("--json", flag: "one line of JSON for each change")],
        notes:
            "Until Ctrl-C. Links and codes are for the device where MimiKey is. A gateway that restarts is found again.",
        run: run)

    private static func run(_ arguments: Arguments) async throws(Failure) -> ExitStatus {
        let gateway = try OperatorDoor.open(arguments)
        let isJSON = arguments.has("--json")
        return try await AskVerb.closing(gateway) { () async throws(Failure) in
            do throws(Failure) {
                try await Signals.cancelling { () async throws(Failure) in
                    var seen = Watched()
                    // The first time it has to be there. It may be killed before the stream has said anything.
                    _ = try await gateway.send(.get, "/admin/requests")
                    Output.talk("watching; Ctrl-C ends it")
                    try await follow(gateway) { ask throws(Failure) in
                        seen.show(ask, asJSON: isJSON)
                        // It would go on for ever for nobody.
                        if Output.isInVain { throw .interrupted }
                    }
                }
            } catch {
                // It is how one leaves.
                guard error.status == .interrupted else { throw error }
            }
            return .ok
        }
    }

    /// So long a gateway may be on its way back.
    private static let restart = Duration.seconds(60)
    private static let pause = Duration.seconds(1)

    /// The gateway ends the stream now and then; it is taken up again, and what is open told anew.
    private static func follow(
        _ gateway: GatewayClient, _ show: (AskShown) throws(Failure) -> Void
    ) async throws(Failure) {
        var failures = 0
        while true {
            do throws(Failure) {
                try await gateway.events("/admin/requests", awaitingStart: restart) { event throws(Failure) in
                    guard event.name == "ask" else { return }
                    try show(try AskShown(json: event.data))
                    failures = 0
                }
            } catch {
                failures += 1
                if error.status == .interrupted || failures > 3 { throw error }
            }
            do { try await Task.sleep(for: pause) } catch { throw .interrupted }
        }
    }
}

/// What was shown, so that nothing is shown twice; what had ended before is not shown at all.
private struct Watched {
    private var asks: [AskID: (state: AskState, message: String?)] = [:]

    mutating func show(_ ask: AskShown, asJSON isJSON: Bool) {
        let before = asks[ask.id]
        if ask.state.isFinished {
            guard asks.removeValue(forKey: ask.id) != nil else { return }
        } else {
            if let before, before == (ask.state, ask.message) { return }
            asks[ask.id] = (ask.state, ask.message)
        }
        if isJSON { return Output.result(ask.body) }
        Output.result("\(ask.createdAt)  \(ask.id)  \(ask.caller ?? "")  \(ask.operation)  \(ask.state.rawValue)")
        guard !ask.state.isFinished, let link = ask.link else { return }
        Output.result("  \(link.url)")
        link.draw()
    }
}

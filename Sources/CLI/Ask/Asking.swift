import Core

/// An ask of this program's, from the first request to its end. What the person has to do is said as it changes.
struct Asking: Sendable {
    let gateway: GatewayClient
    /// How long to wait for the person.
    let wait: Int64

    /// No connection has to last longer than this.
    private static let longestPiece: Int64 = 25

    /// Asks, and waits. Ctrl-C takes the ask back, also when it comes before the gateway has said that there is one.
    func run(_ body: [UInt8]) async throws(Failure) -> AskShown {
        try await Signals.cancelling { () async throws(Failure) in
            let begun = try await begin(body)
            do throws(Failure) {
                return try await finish(begun)
            } catch {
                throw error.status == .interrupted ? await takeBack(begun) : error
            }
        }
    }

    /// A task of its own, which no signal cancels: whoever has asked has to know the id, to take the ask back.
    private func begin(_ body: [UInt8]) async throws(Failure) -> AskShown {
        let asked = Task { () async -> Result<GatewayClient.Answer, Failure> in
            do throws(Failure) {
                return .success(try await gateway.send(.post, "/v1/requests", body: body, wait: 0))
            } catch { return .failure(error) }
        }
        return try AskShown(try await asked.value.get())
    }

    /// Waits until it has ended, or the time is over.
    func finish(_ begun: AskShown) async throws(Failure) -> AskShown {
        var ask = begun
        var tag: String?
        var said = Said()
        let end = Clock.source.now() + .seconds(wait)
        while !ask.state.isFinished {
            said.tell(ask)
            let rest = (end - Clock.source.now()).components.seconds
            if Task.isCancelled { throw .interrupted }
            if rest <= 0 { return ask }
            // Without a tag the answer comes at the end alone, and the link has to be seen before.
            let piece = min(rest, tag == nil && ask.link == nil ? 1 : Self.longestPiece)
            let answer = try await gateway.send(.get, ask.path, wait: piece, unless: tag)
            if answer.status == 304 { continue }
            tag = answer.fields.text("etag")
            ask = try AskShown(answer)
        }
        return ask
    }

    /// On the way out; says what became of the ask.
    private func takeBack(_ ask: AskShown) async -> Failure {
        // The signal has cancelled the task that we are in.
        let cancelled = Task { () async -> Result<AskShown, Failure> in
            do throws(Failure) {
                return .success(try AskShown(try await gateway.send(.delete, ask.path)))
            } catch { return .failure(error) }
        }
        switch await cancelled.value {
        case .success(let ended) where ended.state == .cancelled:
            return Failure(.interrupted, "interrupted: the ask \(ask.id) is cancelled")
        case .success(let ended):
            return Failure(.interrupted, "interrupted: the ask \(ask.id) had ended already (\(ended.state.rawValue))")
        case .failure(let failure):
            return Failure(
                .interrupted, "interrupted, and the ask \(ask.id) could not be cancelled: \(failure.sentence)",
                hint: "`countersign cancel \(ask.id)` tries again")
        }
    }
}

extension Asking {
    /// What the person was told, so that nothing is told twice.
    private struct Said {
        private var message: String?
        private var link: Link?

        mutating func tell(_ ask: AskShown) {
            if ask.message != message {
                message = ask.message
                if let message { Output.talk(message) }
                if ask.openError != nil {
                    Output.talk("MimiKey could not be opened on this machine")
                    if let url = ask.downloadURL { Output.hint("MimiKey can be had at \(url)") }
                }
            }
            if let link = ask.link, link != self.link {
                self.link = link
                link.draw()
            }
        }
    }
}

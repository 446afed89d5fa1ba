package import Core
import Strongbox

extension MimiKeyClient {
    /// Makes a request. `reason` is the text for the card.
    ///
    /// It is sent once: when it cannot be known whether MimiKey made a card, this throws `outcome_unknown`. Only an
    /// answer that says that nothing was done (`database_error`) is followed by another attempt, three times at most.
    ///
    /// - Parameter grantID: no card is made under another grant than this one: `grant_replaced`. `nil`: under the one in use.
    package func create(
        _ call: Call, reason: String?, under grantID: String? = nil
    ) async throws(Problem) -> RequestSnapshot {
        guard Operation.supported.contains(call.op) else {
            throw Problem(.unsupportedOperation, "This version does not carry out this operation.")
        }
        return try await submit(call, reason: reason, under: grantID).snapshot
            .orExpiring(at: serverTime + Wire.usualPatience)
    }

    /// A request that MimiKey has made.
    struct Submitted {
        let snapshot: RequestSnapshot
        /// When it was sent: MimiKey did not make it before.
        let sentAt: Instant
        /// The grant that it belongs to.
        let ticket: AccessTicket
    }

    func submit(_ call: Call, reason: String?, under grantID: String?) async throws(Problem) -> Submitted {
        if let grantID, let held, held.stored.grantID != grantID { throw Self.grantReplaced }
        let signed = SignedCall(
            method: .post, path: Wire.Path.requests, body: Wire.createBody(call, reason: reason), mayRepeat: false,
            sentPoint: .requestSubmitted, epoch: grantID == nil ? nil : held?.epoch)
        var retries = Retries()
        while true {
            let sentAt = time.now()
            do throws(CallFailure) {
                let (response, ticket) = try await answer(to: signed)
                try FaultPoint.requestAnswered.reached(orThrow: CallFailure.transport(.injected))
                guard let snapshot = try? reading(response) else { throw CallFailure.ours(.outcomeUnknown) }
                return Submitted(snapshot: snapshot, sentAt: sentAt, ticket: ticket)
            } catch {
                guard let pause = retries.pause(after: error) else { throw error.ofCreating }
                try await rest(pause)
            }
        }
    }

    package func request(_ id: String) async throws(Problem) -> RequestSnapshot {
        do throws(CallFailure) { return try reading(await look(id), of: id) } catch { throw error.problem }
    }

    /// Cancels; gives the final state.
    package func cancelRequest(_ id: String) async throws(Problem) -> RequestSnapshot {
        guard Wire.isIdentifier(id) else { throw Self.notAnIdentifier }
        let cancel = SignedCall(
            method: .post, path: Wire.Path.cancel(id), body: Wire.cancelBody, mayRepeat: true)
        do throws(CallFailure) {
            return try reading(await call(cancel), of: id)
        } catch {
            guard case .refused(let refusal) = error, refusal.code == Wire.Code.requestNotPending else {
                throw error.problem
            }
            return try await request(id)
        }
    }

    func look(_ id: String) async throws(CallFailure) -> InboundResponse {
        guard Wire.isIdentifier(id) else { throw .ours(Self.notAnIdentifier) }
        return try await call(SignedCall(method: .get, path: Wire.Path.request(id), mayRepeat: true))
    }

    /// - Parameter id: what was asked about; `nil` for a new request. What is said of another one changes nothing here.
    func reading(_ response: InboundResponse, of id: String? = nil) throws(CallFailure) -> RequestSnapshot {
        do throws(Problem) {
            let snapshot = try Wire.snapshot(response.body, now: serverTime)
            guard id == nil || snapshot.id == id else { throw Wire.malformed }
            return snapshot
        } catch {
            throw .ours(error)
        }
    }

    static let notAnIdentifier = Problem(.notFound, "This is no id that MimiKey gives.")
}

extension CallFailure {
    /// What was called for may have been done.
    var mayHaveActed: Bool {
        switch self {
        case .transport(let failure): failure.bytesMayHaveLeft
        case .refused(let refusal): refusal.code == nil && refusal.status.code >= 500
        case .ours(let problem): problem == Wire.malformed
        }
    }

    /// A request that may have been made must not be made again.
    fileprivate var ofCreating: Problem { mayHaveActed ? .outcomeUnknown : problem }
}

extension Problem {
    static let outcomeUnknown = Problem(
        .outcomeUnknown,
        "MimiKey's answer was lost: nobody here knows whether a card was made, so none is made again.")
}

extension RequestSnapshot {
    func orExpiring(at time: UnixTime) -> RequestSnapshot {
        if expiresAt != nil || state.isFinished { return self }
        var snapshot = self
        snapshot.expiresAt = time
        return snapshot
    }
}

extension MimiKeyClient {
    /// `mimikey://request?…` with our `state` appended; only a `mimikey:` URL is taken from the server, else one is built.
    package nonisolated static func openURL(
        of snapshot: RequestSnapshot, clientID: String, state: String
    ) -> String {
        Wire.openURL(snapshot.openURL, requestID: snapshot.id, clientID: clientID, state: state)
    }
}

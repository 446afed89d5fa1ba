package import Core
package import Strongbox

extension MimiKeyClient {
    /// Makes a draft, seals the patch to the account's pinned identity key and hands it over: the card is there when this
    /// returns. A draft that has run out before is replaced once.
    ///
    /// - Parameters:
    ///   - patch: `{"patch":{…}}`, at most 49,104 bytes.
    ///   - grantID: see `create`.
    ///   - drafted: is told of each draft before its patch is sealed, so that it can be written down.
    package func update(
        _ call: Call, reason: String?, patch: SecretBody, under grantID: String? = nil,
        drafted: @escaping @Sendable (RequestSnapshot) async -> Void
    ) async throws(Problem) -> RequestSnapshot {
        guard call.op == .updateItem else {
            throw Problem(.unsupportedOperation, "Only an update has a patch.")
        }
        guard call.patch?.names.isEmpty == false, patch.count > 0 else {
            throw Problem(.emptyPatch, "The patch has no members.")
        }
        guard patch.count <= Wire.PatchBox.longestPlaintext else {
            throw Problem(
                .invalidPatch, "The patch is larger than MimiKey takes: \(Wire.PatchBox.longestPlaintext) bytes.")
        }
        var isSecond = false
        while true {
            let draft = try await submit(call, reason: reason, under: grantID)
            guard draft.snapshot.state == .draft else { throw .outcomeUnknown }
            await drafted(draft.snapshot.orExpiring(at: serverTime + Wire.draftLife))
            do throws(Problem) {
                try FaultPoint.draftCreated.reached(orThrow: Problem.draftLost)
                if let card = try await handOver(patch, to: draft, isSecond: isSecond) { return card }
            } catch {
                // Nobody follows it: it would count among the unfinished ones until it runs out.
                _ = try? await cancelRequest(draft.snapshot.id)
                throw error
            }
            log(LogEvent(.warning, "a draft ran out before its patch was handed over; another one is made"))
            isSecond = true
        }
    }

    /// Gives the card that the draft has become; `nil` when it never will.
    private func handOver(
        _ patch: SecretBody, to draft: Submitted, isSecond: Bool
    ) async throws(Problem) -> RequestSnapshot? {
        let id = draft.snapshot.id
        var steps = DraftSteps(madeAt: draft.sentAt, isSecond: isSecond)
        let key = try await identityKey(for: draft, &steps)
        let upload = SignedCall(
            method: .put, path: Wire.Path.patch(id), body: try sealed(patch, to: key, for: draft),
            // A second one finds no draft any more, which tells that the first one arrived.
            mayRepeat: true, epoch: draft.ticket.epoch)
        var step = steps.step(at: time.now())
        while true {
            switch step {
            case .upload(let pause):
                if pause > .zero { try await rest(pause) }
                let answer = await outcome(of: upload, id)
                step = steps.uploaded(answer, at: time.now())
            case .look(let pause):
                if pause > .zero { try await rest(pause) }
                let look = SignedCall(
                    method: .get, path: Wire.Path.request(id), mayRepeat: true, epoch: draft.ticket.epoch)
                let answer = await outcome(of: look, id)
                step = steps.looked(answer, at: time.now())
            case .retract:
                let cancel = SignedCall(
                    method: .post, path: Wire.Path.cancel(id), body: Wire.cancelBody, mayRepeat: true,
                    epoch: draft.ticket.epoch)
                let answer = await outcome(of: cancel, id)
                step = steps.retracted(answer, at: time.now())
            case .replace: return nil
            case .done(let snapshot): return snapshot.orExpiring(at: serverTime + Wire.usualPatience)
            case .fail(let problem): throw problem
            }
        }
    }

    private func identityKey(for draft: Submitted, _ steps: inout DraftSteps) async throws(Problem) -> [UInt8] {
        while true {
            do throws(Problem) {
                return try await account(of: draft.ticket.epoch).identityKey
            } catch {
                guard error.retryable, let pause = steps.pause(at: time.now()) else { throw error }
                try await rest(pause)
            }
        }
    }

    /// The body of the upload. Of the patch there is no copy in it but the sealed one.
    private func sealed(_ patch: SecretBody, to key: [UInt8], for draft: Submitted) throws(Problem) -> [UInt8] {
        do throws(SealedBox.BadRecipient) {
            return Wire.PatchBox.body(
                try SealedBox.seal(
                    patch, to: key, info: Wire.PatchBox.info,
                    aad: Wire.PatchBox.aad(grantID: draft.ticket.grant.grantID, requestID: draft.snapshot.id)))
        } catch {
            throw Wire.malformed
        }
    }

    private func outcome(of call: SignedCall, _ id: String) async -> Result<RequestSnapshot, CallFailure> {
        do throws(CallFailure) { return .success(try reading(await self.call(call), of: id)) } catch {
            return .failure(error)
        }
    }
}

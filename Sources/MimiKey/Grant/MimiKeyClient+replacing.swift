package import Core
import Strongbox

extension MimiKeyClient {
    /// Keeps the keys of one replaced grant, in memory, for the cards that are open under it.
    func keep(replaced grant: StoredGrant) {
        replaced = grant
        newGrantChanges.yield(.replaced(grantID: grant.grantID))
    }

    /// Takes a card back that belongs to the grant that was replaced last, with its keys. Its tokens are not renewed any
    /// more. Gives the final state; throws `not_authorized` when the keys of that grant are not kept.
    package func cancelRequest(_ id: String, ofReplacedGrant grantID: String) async throws(Problem) -> RequestSnapshot {
        guard Wire.isIdentifier(id) else { throw Self.notAnIdentifier }
        guard let grant = replaced, grant.grantID == grantID else {
            throw Problem(.notAuthorized, "The keys of that grant are not kept.")
        }
        do throws(CallFailure) {
            let cancel = SignedCall(method: .post, path: Wire.Path.cancel(id), body: Wire.cancelBody, mayRepeat: true)
            return try reading(await callApart { $0.signed(cancel, with: grant) }, of: id)
        } catch {
            guard case .refused(let refusal) = error, refusal.code == Wire.Code.requestNotPending else {
                throw error.problem
            }
        }
        do throws(CallFailure) {
            let look = SignedCall(method: .get, path: Wire.Path.request(id), mayRepeat: true)
            return try reading(await callApart { $0.signed(look, with: grant) }, of: id)
        } catch {
            throw error.problem
        }
    }

    /// Nothing is left to be taken back: the keys of the replaced grant go.
    package func forgetReplacedGrant() { replaced = nil }

    /// A call apart from the grant in use: no token is renewed for it, and no grant is lost by its answer. Gives a 2xx
    /// answer.
    /// - Parameter request: is made anew for each attempt.
    func callApart(
        _ request: (isolated MimiKeyClient) -> OutboundRequest
    ) async throws(CallFailure) -> InboundResponse {
        var attempts = CallAttempts()
        while true {
            let response: InboundResponse
            do throws(SendFailure) { response = try await send(request(self)) } catch { throw .transport(error) }
            if response.status.isSuccess { return response }
            let refusal = Refusal(response, now: time.wall())
            switch attempts.step(after: refusal) {
            case .learnTime:
                guard learnTime(from: response) else { throw .ours(clockSkew(response)) }
            case .clockSkew:
                throw .ours(clockSkew(response))
            case .signAnew:
                log(LogEvent(.warning, "MimiKey has seen a nonce before; the call is signed anew"))
            case .refresh, .revoked, .fail:
                throw .refused(refusal)
            }
        }
    }
}

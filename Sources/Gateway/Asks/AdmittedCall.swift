import Core
import MimiKey
import Strongbox

/// A call that policy lets pass to the person.
struct AdmittedCall: Sendable {
    /// With the vault that the rule says, where the caller said none.
    let call: Call
    let permission: Permission
    /// The values of an `update_item`.
    let patch: SecretBody?
}

extension AskBook {
    /// Puts an ask to policy, before anything is made of it. Without a grant nothing can be asked.
    func admit(_ body: AskBody, uid: UInt32?, by caller: CallerSettings) async throws(Problem) -> AdmittedCall {
        let grant = await client.grantStatus()
        try Self.check(grant.state)
        var call = body.call
        call.uid = uid
        if let patch = body.patch {
            call.patch = PatchOutline(names: patch.names, fingerprint: await store.fingerprint(of: patch.body))
        }
        switch caller.policy.decide(call, granted: grant.vaults) {
        case .denied(let denial): throw denial.problem(for: call.op)
        case .allowed(let permission):
            call.vaultID = permission.vaultID
            return AdmittedCall(call: call, permission: permission, patch: body.patch?.body)
        }
    }
}

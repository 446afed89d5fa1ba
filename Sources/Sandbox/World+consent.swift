import Core

/// `GET /api/oauth/authorize/info`, `POST /api/oauth/authorize`: the app's own calls, for the one who is signed in.
extension World {
    func consentInfo(_ call: APICall, at now: UnixTime) throws(Refusal) -> JSON {
        let accountID = try signedIn(call, at: now)
        guard let query = QueryString(parsing: call.query ?? "") else { throw .invalidInput }
        let (client, link) = try checkedLink(AuthorizeParameters(query))
        return [
            "client_id": .string(client.id), "name": .string(client.name), "redirect_uri": .string(link.redirectURI),
            "approval_key_fingerprint": .string(Wire.fingerprint(ofApprovalKey: link.approvalKey)),
            "vaults": .array(SampleVault.all.filter { $0.ownerID == accountID }.map(\.json)),
        ]
    }

    mutating func consent(_ call: APICall, at now: UnixTime) throws(Refusal) -> JSON {
        let body = try call.structuredBody()
        let parameters = try AuthorizeParameters(body)
        guard parameters.clientID != nil, parameters.redirectURI != nil, parameters.approvalKey != nil,
            let selections = body["selections"], selections.kind == .array
        else { throw .wrongStructure }
        let policyName = try body.text("policy", orRefuse: .wrongStructure) ?? SampleVault.Policy.ask.rawValue
        let accountID = try signedIn(call, at: now)
        let (_, link) = try checkedLink(parameters)
        guard let policy = SampleVault.Policy(rawValue: policyName) else { throw .invalidPolicy }
        let vaults = try selected(selections.elements, policy, by: accountID)
        let code = newCode(for: link, vaults: vaults, accountID: accountID, at: now)
        return ["code": .string(code), "redirect_uri": .string(link.redirectURI), "state": .text(link.state)]
    }

    func checkedLink(_ parameters: AuthorizeParameters) throws(Refusal) -> (Client, AuthorizeLink) {
        guard let client = parameters.clientID.flatMap({ clients[$0] }) else { throw .clientNotFound }
        return (client, try AuthorizeLink(parameters, of: client))
    }

    mutating func newCode(
        for link: AuthorizeLink, vaults: [SampleVault], accountID: String, at now: UnixTime
    ) -> String {
        let code = newToken("pmk_sandbox_")
        codes.insert(
            AuthorizationCode(link: link, vaults: vaults, accountID: accountID, issuedAt: now), for: code)
        return code
    }

    /// `[{"vault_id","mode"}]`; the retired mode is named before all else.
    private func selected(
        _ elements: [JSONValue], _ policy: SampleVault.Policy, by accountID: String
    ) throws(Refusal) -> [SampleVault] {
        var wanted: [String] = []
        var modes: [Int64] = []
        for element in elements {
            guard let id = element["vault_id"]?.string, let mode = element["mode"]?.integer else {
                throw .wrongStructure
            }
            wanted.append(id)
            modes.append(mode)
        }
        guard !modes.contains(2) else { throw .modeRetired }
        guard (1...32).contains(wanted.count), Set(wanted).count == wanted.count, modes.allSatisfy({ $0 == 1 }) else {
            throw .invalidSelections
        }
        var vaults: [SampleVault] = []
        for id in wanted {
            guard var vault = SampleVault.all.first(where: { $0.id == id && $0.ownerID == accountID }) else {
                throw .vaultNotOwned
            }
            vault.policy = policy
            vaults.append(vault)
        }
        return vaults
    }
}

import Core

/// What a test looks for where it must not be: everything that a client of ours has to keep to itself, and items with
/// values of the test's own, which stand in no program. Nothing in here is worth keeping; the sandbox protects nothing.
extension World {
    /// Verifiers that are remembered.
    private static let rememberedVerifiers = 1000
    static let mostItems = 1000

    mutating func remember(verifier: String) {
        if verifiers.count == World.rememberedVerifiers { verifiers.removeFirst() }
        verifiers.append(verifier)
    }

    /// `GET /_sandbox/secrets`
    func secrets(at now: UnixTime) -> JSON {
        [
            "codes": .array(codes.keys.map { .string($0) }),
            "verifiers": .array(verifiers.map { .string($0) }),
            "access_tokens": World.tokens(accessTokens) { now < $0.expiresAt },
            "refresh_tokens": World.tokens(refreshTokens) { !$0.isRotated },
        ]
    }

    private static func tokens<Token>(_ tokens: BoundedMap<Token>, isLive: (Token) -> Bool) -> JSON {
        .array(
            tokens.keys.compactMap { key in
                tokens[key].map { ["token": .string(key), "live": .bool(isLive($0))] }
            })
    }

    /// `POST /_sandbox/items`: a login in the first vault. `{"url","password","one_time_code"?,"extra"?}`; gives its id.
    /// `extra` may have a name that the record has as well, which no client can read.
    mutating func addItem(_ body: JSONValue) throws(Refusal) -> String {
        guard items.count < World.mostItems else { throw .tooManyRequests }
        guard let url = try body.text("url", orRefuse: .invalidInput),
            let password = try body.text("password", orRefuse: .invalidInput)
        else { throw .invalidInput }
        let code = try body.text("one_time_code", orRefuse: .invalidInput)
        var extra = code.map { [("one_time_code", $0)] } ?? []
        for member in body["extra"]?.members ?? [] {
            guard let value = member.value.string else { throw .invalidInput }
            extra.append((member.name, value))
        }
        let item = SampleItem(
            id: newID("it_"), vaultID: "v_personal", kind: "login", revision: 1, title: "An item of a test", url: url,
            username: "sam", password: password, extra: extra)
        items.append(item)
        return item.id
    }
}

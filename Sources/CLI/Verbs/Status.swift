import Core
import Gateway

/// `countersign status`: is there a grant, and is the gateway ready?
enum StatusVerb {
    static let verb = Verb(
        ["status"], "tell whether the gateway runs, is ready and has a grant", options: [.config, .json],
        notes: "Exit status 0 with a live grant, 5 without one.", run: run)

    private static func run(_ arguments: Arguments) async throws(Failure) -> ExitStatus {
        let configuration = try Configuration.inUse(arguments)
        let gateway = try GatewayClient(adminSocket: configuration.adminSocket)
        let grant = try await GrantShown.fetch(gateway)
        let readiness = try await readiness(gateway)
        await gateway.close()
        if arguments.has("--json") {
            Output.result(
                Array("{\"grant\":".utf8) + grant.value.raw + Array(",\"readiness\":".utf8) + readiness.raw
                    + Array("}".utf8))
        } else {
            show(grant)
            for line in lines(readiness) { Output.result(line) }
            for warning in readiness["warnings"]?.elements ?? [] {
                Output.result("warning: \((warning["detail"]?.string ?? "").asTalk)")
            }
        }
        for hint in hints(grant, readiness) { Output.hint(hint) }
        return grant.isAuthorized ? .ok : .notAuthorized
    }

    /// What to do about what is not as it should be.
    private static func hints(_ grant: GrantShown, _ readiness: JSONValue) -> [String] {
        var hints: [String] = []
        switch grant.state {
        case "none", "revoked": hints.append("`countersign authorize` asks the person for a grant")
        case "refresh_unknown": hints.append(GrantShown.waysOutOfRefreshUnknown)
        default: break
        }
        switch readiness["upstream"]?.string {
        case "unreachable":
            hints.append("MimiKey did not answer the last call: is this machine online, and is `mimikey.origin` right?")
        case "untrusted":
            hints.append(
                "what answers could not prove that it is MimiKey: look at `mimikey.origin`, `mimikey.ca_file` and the clock"
            )
        default: break
        }
        if readiness["clock"]?.string == "off" { hints.append("set this machine's clock") }
        if grant.offeredKeyFingerprint != nil {
            hints.append("if the person sees the other key in MimiKey, `countersign trust-key FINGERPRINT` accepts it")
        }
        return hints
    }

    /// 503 is an answer here as well: it says which part is not ready.
    private static func readiness(_ gateway: GatewayClient) async throws(Failure) -> JSONValue {
        try await gateway.send(.get, "/readyz", alsoAccepting: 503).value
    }

    private static func show(_ grant: GrantShown) {
        Output.result("grant: \(grant.state)")
        if let id = grant.id { Output.result("grant id: \(id)") }
        if let fingerprint = grant.fingerprint { Output.result("approval key: \(fingerprint)") }
        if let fingerprint = grant.keyFingerprint { Output.result("account key: \(fingerprint)") }
        if let other = grant.offeredKeyFingerprint { Output.result("account key that MimiKey shows now: \(other)") }
        if !grant.vaults.isEmpty { Output.result("vaults: \(grant.vaults.joined(separator: ", "))") }
        if let time = grant.expiresAt { Output.result("access token until: \(time)") }
    }

    /// `name: word` for each part of `/readyz`, but for the grant, which was shown.
    private static func lines(_ readiness: JSONValue) -> [String] {
        readiness.members.filter { $0.name != "grant" }.compactMap { member in
            let word =
                member.value.string ?? member.value["state"]?.string ?? member.value.bool.map { $0 ? "yes" : "no" }
            return word.map { "\(member.name.shownOnTerminal): \($0.shownOnTerminal)" }
        }
    }
}

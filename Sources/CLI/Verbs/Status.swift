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
        return grant.isAuthorized ? .ok : .notAuthorized
    }

    /// 503 is an answer here as well: it says which part is not ready.
    private static func readiness(_ gateway: GatewayClient) async throws(Failure) -> JSONValue {
        try await gateway.send(.get, "/readyz", alsoAccepting: 503).value
    }

    private static func show(_ grant: GrantShown) {
        Output.result("grant: \(grant.state)")
        if let id = grant.id { Output.result("grant id: \(id)") }
        if let fingerprint = grant.fingerprint { Output.result("approval key: \(fingerprint)") }
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

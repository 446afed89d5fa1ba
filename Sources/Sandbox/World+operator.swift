import Core

/// What an operator of the platform does, under `/_sandbox/operator/`: the documents name the errors of these calls and
/// not their paths.
extension World {
    /// `parts`: the path behind `operator/`.
    mutating func decideOperator(_ parts: [Substring], _ call: APICall, at now: UnixTime) throws(Refusal) -> JSON {
        guard call.method == .post, parts.count == 3, parts[0] == "clients" else { throw .notFound }
        try checkOperator(call, at: now)
        let standing: Client.Standing
        switch parts[2] {
        case "disable": standing = .disabledByPlatform
        case "enable": standing = .active
        default: throw .notFound
        }
        let body = call.body.isEmpty ? nil : try call.signedBody()
        guard let reason = body?["reason"]?.string, (1...500).contains(reason.count) else { throw .reasonRequired }
        let id = String(parts[1])
        guard clients[id] != nil else { throw .clientNotFound }
        clients[id]?.standing = standing
        return ["ok": true]
    }
}

import Core
import Gateway

/// An authorization that the running gateway was asked for, as the operator sees it.
struct Authorization: Sendable {
    let id: String
    /// The deep link that shows the consent card.
    let url: String

    /// How long a gateway may take to start: `serve &` and `authorize` stand in one script.
    private static let start = Duration.seconds(5)

    /// Begins one; it takes the place of one that still waits.
    static func begin(_ gateway: GatewayClient) async throws(Failure) -> Authorization {
        let answer = try await gateway.send(.post, "/admin/authorize", json: .object([]), awaitingStart: start)
        guard let id = answer.value["id"]?.string, let url = answer.value["url"]?.string, url.hasPrefix("mimikey://")
        else { throw Failure(.failure, "the gateway answered without a link") }
        return Authorization(id: id, url: url)
    }

    /// Waits until the person has answered; `progress` is called about every `pause` seconds while nothing happens.
    /// Throws unless it was completed.
    func wait(_ gateway: GatewayClient, pause: Int64, progress: () -> Void) async throws(Failure) {
        var saidOpenError = false
        while true {
            let answer = try await gateway.send(.get, "/admin/authorize/\(id)", wait: pause)
            if answer.value["open_error"]?.string != nil, !saidOpenError {
                saidOpenError = true
                Output.talk("the gateway could not open MimiKey: open the link by hand")
                if let url = answer.value["download_url"]?.string {
                    Output.hint("MimiKey can be had at \(url.shownOnTerminal)")
                }
            }
            let error = answer.value["error"]?.string.map { ErrorCode($0) }
            switch answer.value["status"]?.string {
            case "waiting": progress()
            case "completed": return
            case "denied": throw Failure(.denied, "the person did not consent")
            case "cancelled": throw Failure(.cancelled, "the authorization was cancelled")
            case "expired":
                throw Failure(.expired, "nobody answered in time", hint: "`countersign authorize` starts again")
            default:
                let code = error ?? .internalError
                throw Failure(
                    ExitStatus(of: code),
                    "the authorization failed: \(ErrorCatalogue.entry(for: code).title) "
                        + "(\(code.rawValue.shownOnTerminal))")
            }
        }
    }

    func cancel(_ gateway: GatewayClient) async {
        _ = try? await gateway.send(.delete, "/admin/authorize/\(id)")
    }
}

/// The grant, as the operator may see it.
struct GrantShown: Sendable {
    let value: JSONValue

    static func fetch(_ gateway: GatewayClient) async throws(Failure) -> GrantShown {
        GrantShown(value: try await gateway.send(.get, "/admin/grant").value)
    }

    /// The two that the operator can choose from.
    static let waysOutOfRefreshUnknown =
        "`countersign authorize` asks for a new grant; `countersign refresh --try-once` risks the one there is"

    var isAuthorized: Bool { value["authorized"]?.bool ?? false }
    var state: String { (value["state"]?.string ?? "unknown").shownOnTerminal }
    var id: String? { value["grant_id"]?.string?.shownOnTerminal }
    var fingerprint: String? { value["approval_key_fingerprint"]?.string?.shownOnTerminal }
    /// Of the account key that updates are sealed to.
    var keyFingerprint: String? { value["identity_key_fingerprint"]?.string?.shownOnTerminal }
    /// Of another one that MimiKey has shown since.
    var offeredKeyFingerprint: String? { value["offered_identity_key_fingerprint"]?.string?.shownOnTerminal }
    var expiresAt: String? { value["access_token_expires_at"]?.string?.shownOnTerminal }
    var vaults: [String] {
        (value["vaults"]?.elements ?? []).compactMap { vault in
            vault["name"]?.string.map { name in
                "\(name.shownOnTerminal) (\((vault["policy"]?.string ?? "ask").shownOnTerminal))"
            }
        }
    }
}

import Core
import Upstream

/// Plays the phone: hands a `mimikey://` URL to a sandbox, then fetches the redirect that comes back.
struct SandboxPhone: Sendable {
    let sandbox: Origin

    /// `true` when the app came back with a callback, `false` when the person has not answered yet.
    func open(_ url: String) async throws(Failure) -> Bool {
        let door = try GatewayClient(sandbox)
        let answer: GatewayClient.Answer
        do throws(Failure) {
            answer = try await door.send(.post, "/_sandbox/open", json: ["url": .string(url)])
        } catch {
            await door.close()
            throw Failure(
                error.status, "the sandbox did not open it: \(error.sentence)",
                hint: "`countersign sandbox` starts one; `--sandbox` or $COUNTERSIGN_SANDBOX names it")
        }
        await door.close()
        guard let callback = answer.value["callback"]?.string else { return false }
        guard let address = WebAddress(callback) else {
            throw Failure(.failure, "the sandbox came back with a callback that is no web address")
        }
        try await fetch(address)
        return true
    }

    /// What a browser would do.
    private func fetch(_ address: WebAddress) async throws(Failure) {
        guard address.origin.isLoopbackLiteral else {
            throw Failure(.failure, "the callback does not lead to this machine")
        }
        let client: UpstreamClient
        do { client = try UpstreamClient(.origin(address.origin)) } catch {
            throw Failure(.failure, "the callback cannot be fetched")
        }
        let response: InboundResponse
        do throws(SendFailure) {
            response = try await client.send(
                OutboundRequest(method: .get, target: address.target, mayRepeat: false))
        } catch {
            await client.close()
            throw Failure(.failure, "the callback was not answered: is the gateway running?")
        }
        await client.close()
        guard response.status.isSuccess else {
            throw Failure(.failure, "the gateway answered the callback with \(response.status)")
        }
    }
}

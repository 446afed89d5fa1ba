import Core
import Upstream

/// Sends requests to one program, without a process for each. What the program's death cut short is `nil`.
struct HTTPCaller: Sendable {
    struct Reply: Sendable {
        let status: Int
        let fields: HTTPFields
        let json: JSONValue?

        var id: String? { json?["id"]?.string }
        var state: String? { json?["state"]?.string }
        var error: String? { json?["error"]?.string }
        var hasRecord: Bool { json?["result"]?["item"]?["record"]?["password"] != nil }
    }

    private let client: UpstreamClient
    private let token: String?

    init(port: UInt16, token: String? = nil) throws {
        client = try UpstreamClient(.origin(Origin(scheme: .http, host: "127.0.0.1", port: port)))
        self.token = token
    }

    init(socket: String) throws {
        client = try UpstreamClient(.unix(path: socket))
        token = nil
    }

    func send(_ method: HTTPMethod, _ target: String, _ body: String? = nil, wait: Int? = nil) async -> Reply? {
        var fields = HTTPFields()
        if let token { fields.append("authorization", "Bearer \(token)") }
        if body != nil { fields.append("content-type", "application/json") }
        if let wait { fields.append("prefer", "wait=\(wait)") }
        let request = OutboundRequest(
            method: method, target: target, fields: fields, body: Array((body ?? "").utf8), mayRepeat: false,
            limits: ExchangeLimits(connect: .seconds(5), firstByte: .seconds(90), total: .seconds(90), body: 1 << 20))
        guard let response = try? await client.send(request) else { return nil }
        return Reply(
            status: response.status.code, fields: response.fields, json: try? JSONDocument(response.body).root)
    }

    func close() async { await client.close() }
}

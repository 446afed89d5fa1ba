import Core
import Foundation
import TestSupport
import Testing

/// Every file of `BadInput` gets its status and code, and the process stays up.
@Suite(.timeLimit(.minutes(5))) struct BadInputTests {
    @Test func `there are files of each kind`() {
        #expect(BadInput.all.count >= 60)
        for kind: Substring in ["http", "json", "ask", "callback", "config"] {
            #expect(BadInput.all(kind).count >= 10, "\(kind)")
        }
    }

    @Test func `what is refused gets its status and code, and the gateway stays up`() async throws {
        let stage = try await Stage(person: "none", hosts: ["bank.example.com"], manners: .polite)
        for input in BadInput.all("http", "json", "ask", "callback") {
            let answer = try await send(input, to: stage)
            #expect(input.expects(status: answer.status), "\(input.name): \(answer.status)")
            let code = try answer.code(of: input.kind)
            #expect(input.expects(code: code), "\(input.name): \(code)")
        }
        let whoami = try await stage.look("/v1/whoami", wait: 0)
        #expect(whoami.status == 200)
        #expect(try await stage.sandboxStatistic("requests_created") == 0, "something of it made a card")
        #expect(await stage.gateway.end().status == 0)
        await stage.end()
    }

    @Test(arguments: BadInput.all("config"))
    func `a wrong configuration is refused with its place`(_ input: BadInput) async throws {
        let home = try Home()
        let file = try home.write(input.text, to: "countersign.yaml")
        let check = try await home.countersign("check", "--config", file)
        #expect(check.status == 7, "\(check.errors)")
        let lines = (check.output + check.errors).split(separator: "\n").filter { $0.contains(file + ":") }
        let place = input.expectation.first.map(String.init) ?? ""
        let expected = place == "any" ? file + ":" : "\(file):\(place): "
        #expect(lines.first?.contains(expected) == true, "\(input.name): \(lines)")
    }

    private func send(_ input: BadInput, to stage: Stage) async throws -> RawAnswer {
        let text = input.payload.replacing("{{port}}", with: "\(stage.port)").replacing("{{token}}", with: stage.token)
        let payload = try #require(EscapedBytes.unescape(Substring(text)), "\(input.name)")
        let host = "Host: 127.0.0.1:\(stage.port)\r\n"
        let bytes: [UInt8]
        switch input.kind {
        case "http": bytes = payload
        case "callback": bytes = Array("GET /callback?".utf8) + payload + Array(" HTTP/1.1\r\n\(host)\r\n".utf8)
        default:
            let head = """
                POST /v1/requests HTTP/1.1\r\n\(host)Authorization: Bearer \(stage.token)\r
                Content-Type: application/json\r\nPrefer: wait=0\r\nContent-Length: \(payload.count)\r\n\r\n
                """
            bytes = Array(head.utf8) + payload
        }
        let socket = try await RawSocket.connect(port: stage.port)
        try await socket.send(bytes)
        socket.endWriting()
        return RawAnswer(try await socket.receiveAll())
    }
}

/// The first answer that came over a raw connection.
private struct RawAnswer {
    let status: Int
    let body: String

    init(_ text: String) {
        status = Int(text.dropFirst(9).prefix(3)) ?? 0
        body = text.range(of: "\r\n\r\n").map { String(text[$0.upperBound...]) } ?? ""
    }

    /// The code of a problem, or the one that a callback page shows. What is no request at all is a problem everywhere.
    func code(of kind: Substring) throws -> String {
        if kind == "callback", !body.hasPrefix("{") {
            let mark = body.range(of: "<code>").map { body[$0.upperBound...] } ?? ""
            return String(mark.prefix { $0 != "<" })
        }
        return try JSONDocument(Array(body.utf8)).root["error"]?.string ?? ""
    }
}

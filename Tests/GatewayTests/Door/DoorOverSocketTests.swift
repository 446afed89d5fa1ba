import Core
import TestSupport
import Testing

@testable import Gateway

/// What only shows on a connection: what is read when, and what a connection remembers.
struct DoorOverSocketTests {
    private static func withPort(_ body: @Sendable @escaping (TestGateway, UInt16) async throws -> Void) async throws {
        try await withGateway(.init(overSocket: true)) { gateway in
            try await body(gateway, try #require(gateway.wire?.port))
        }
    }

    private static func isForbidden(_ answer: String) -> Bool {
        answer.hasPrefix("HTTP/1.1 403 ") && answer.contains(#""error":"host_not_allowed""#)
    }

    @Test func `BR-01 a wrong Host is 403 before token, routing and body, which never comes`() async throws {
        try await Self.withPort { gateway, port in
            let token = "Authorization: Bearer \(TestGateway.token)\r\n"
            for target in ["/v1/requests", "/nowhere", "/healthz", "/admin/authorize", "/callback?state=x"] {
                for credentials in ["", token, "Authorization: Bearer cs_wrong\r\n"] {
                    for more in ["", "Expect: 100-continue\r\n"] {
                        let client = try await RawSocket.connect(port: port)
                        try await client.send(
                            "POST \(target) HTTP/1.1\r\nHost: evil.test:\(port)\r\n\(credentials)\(more)"
                                + "Content-Type: application/json\r\nContent-Length: 400000\r\n\r\n")
                        // The server has nothing more to wait for, and does not ask for the body.
                        let answer = try await client.receive(through: "}")
                        #expect(Self.isForbidden(answer), "\(target): \(answer)")
                        #expect(
                            answer.contains("\r\nConnection: close\r\n") || answer.contains("\r\nconnection: close"))
                    }
                }
            }
            #expect(gateway.mimiKey.calls.isEmpty)
        }
    }

    @Test func `BR-01 the allowed names are exact once they are in lower case`() async throws {
        try await Self.withPort { _, port in
            func status(_ host: String) async throws -> Substring {
                let client = try await RawSocket.connect(port: port)
                try await client.send("GET /healthz HTTP/1.1\r\nHost:\(host)\r\nConnection: close\r\n\r\n")
                return try await client.receiveAll().dropFirst(9).prefix(3)
            }
            for host in ["127.0.0.1:\(port)", "LocalHost:\(port)", "[::1]:\(port)", "\tlocalhost:\(port) "] {
                let found = try await status(host)
                #expect(found == "200", "\(host)")
            }
            for host in [
                "", "127.0.0.1", "localhost", "0.0.0.0:\(port)", "[::]:\(port)", "127.1:\(port)", "2130706433:\(port)",
                "localhost.:\(port)", "a.localhost:\(port)",
                "127.0.0.1.evil.test:\(port)", "[::ffff:127.0.0.1]:\(port)", "[0:0:0:0:0:0:0:1]:\(port)", "127.0.0.1:1",
            ] {
                let found = try await status(host)
                #expect(found == "403", "\(host)")
            }
            // What names no host at all is no request.
            for host in ["127.0.0.1:\(port).", "localhost:0\(port)", "localhost:", "a@localhost:\(port)"] {
                let found = try await status(host)
                #expect(found == "400", "\(host)")
            }
        }
    }

    @Test func `CP-04 one connection never mixes callers, and forgets each with its request`() async throws {
        try await Self.withPort { _, port in
            let client = try await RawSocket.connect(port: port)
            func ask(
                _ target: String, _ token: String?, post body: String = ""
            ) async throws -> (status: Substring, json: JSONValue) {
                let line = token.map { "Authorization: Bearer \($0)\r\n" } ?? ""
                let more = "Prefer: wait=0\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
                try await client.send(
                    "\(body.isEmpty ? "GET" : "POST") \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\(line)"
                        + "\(body.isEmpty ? "" : more)\r\n\(body)")
                var text = ""
                // An answer is a head and, on one line, a JSON document that ends it.
                while !text.hasSuffix("}") {
                    let bytes = try await client.receive()
                    try #require(!bytes.isEmpty, "the connection has ended after \(text)")
                    text += String(decoding: bytes, as: UTF8.self)
                }
                let blank = try #require(text.firstRange(of: "\r\n\r\n"))
                return (text.dropFirst(9).prefix(3), try JSONDocument(Array(text[blank.upperBound...].utf8)).root)
            }
            let made = try await ask("/v1/requests", TestGateway.token, post: #"{"op":"pick_item"}"#)
            let id = try #require(made.json["id"]?.string)
            for _ in 0..<3 {
                #expect(try await ask("/v1/whoami", TestGateway.token).json["caller"]?.string == "agent")
                #expect(try await ask("/v1/requests/\(id)", TestGateway.token).status == "200")
                #expect(try await ask("/v1/whoami", TestGateway.otherToken).json["caller"]?.string == "other")
                #expect(try await ask("/v1/requests/\(id)", TestGateway.otherToken).status == "404")
                #expect(try await ask("/v1/whoami", nil).status == "401")
                #expect(try await ask("/v1/requests/\(id)", nil).status == "401")
                #expect(try await ask("/v1/requests/\(id)", "cs_wrong").status == "401")
            }
        }
    }
}

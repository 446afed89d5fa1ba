import Core
import Server
import TestSupport
import Testing

/// Every request vector against the running server, over sockets: in one piece and byte by byte, with a request behind it.
struct VectorConversationTests {
    /// Says back what it was asked.
    private static let echo: @Sendable (HTTPRequest) async -> HTTPResponse = { request in
        let head = request.head
        let target =
            switch head.target {
            case .origin(let path, let query?): "\(path)?\(query)"
            case .origin(let path, nil): path
            case .authority(let authority): authority
            case .asterisk: "*"
            }
        var body: [UInt8] = []
        do { while let piece = try await request.body.next() { body += piece } } catch {
            return .text("broken", status: 500)
        }
        let version = head.version == .http10 ? "HTTP/1.0" : "HTTP/1.1"
        return .text("\(head.method) \(target) \(version) \(EscapedBytes.escape(body))")
    }

    private static let follower = Array("GET /follower HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
    private static let followersAnswer = "GET /follower HTTP/1.1 "

    @Test(.timeLimit(.minutes(3)))
    func
        `H1-01 H1-02 H1-03 H1-04 H1-05 H1-06 H1-07 H1-08 H1-09 H1-10 H1-11 H1-12 H1-14 H1-16 H1-17 H1-19 H1-21 H1-42 H1-44 each vector is answered over a socket as it says, whole and byte by byte`()
        async throws
    {
        let vectors = try HTTP1Vector.load().filter { $0.role == .request }
        #expect(vectors.count >= 290)
        var limits = ServerLimits.patient
        limits.connections = 4096
        try await withServer(limits: limits, loops: 2, Self.echo) { port in
            try await withThrowingTaskGroup(of: Void.self) { group in
                // So many conversations at one time, each on a thread.
                for (index, vector) in vectors.enumerated() {
                    if index >= 16 { try await group.next() }
                    group.addTask { try await Self.check(vector, port) }
                }
                try await group.waitForAll()
            }
        }
    }

    private static func check(_ vector: HTTP1Vector, _ port: UInt16) async throws {
        let expected = Expectation(vector)
        for isSplit in [false, true] {
            let pieces: ([UInt8]) -> [[UInt8]] = { isSplit ? $0.map { [$0] } : [$0] }
            let way = isSplit ? "byte by byte" : "whole"
            var runs: [(Conversation, hasFollower: Bool)] = []
            switch vector.verdict {
            case "accept" where vector.closes, "wait":
                runs.append((Conversation(pieces: pieces(vector.bytes), endsWriting: true), false))
            case "accept" where expected.survives:
                runs.append((Conversation(pieces: pieces(vector.bytes + follower), until: followersAnswer), true))
            case "accept":
                // The client keeps its side open: the end must come from the server.
                runs.append((Conversation(pieces: pieces(vector.bytes + follower)), false))
            default:
                if !vector.closes { runs.append((Conversation(pieces: pieces(vector.bytes)), false)) }
                let all = vector.closes ? vector.bytes : vector.bytes + follower
                runs.append((Conversation(pieces: pieces(all), endsWriting: vector.closes), false))
            }
            for (conversation, hasFollower) in runs {
                do {
                    let received = try await conversation.run(port: port)
                    try expected.check(received, hasFollower: hasFollower, "\(vector.name), \(way)")
                } catch {
                    Issue.record("\(vector.name), \(way): \(error)")
                }
            }
        }
    }
}

/// What a vector says about the answers: its events, which were found by reading, are the only source.
private struct Expectation {
    /// What is said back to each whole message; `nil` where the file does not tell.
    private var echoes: [String?] = []
    private var methods: [String] = []
    /// The status of a last answer, after which the server ends the connection.
    private let refusal: Int?
    let survives: Bool

    init(_ vector: HTTP1Vector) {
        switch vector.verdict {
        case "accept": refusal = nil
        case "wait": refusal = 400
        default: refusal = Int(vector.verdict)
        }
        let text = String(decoding: vector.bytes, as: UTF8.self).lowercased()
        survives = !text.contains("http/1.0\r\n") && !text.contains("connection: close")
        guard let events = vector.expected else {
            if vector.verdict == "accept" {
                echoes = [nil]
                methods = [String(text.prefix { $0 != " " }).uppercased()]
            }
            return
        }
        var head = ""
        var body = ""
        for event in events {
            let words = event.split(separator: " ", omittingEmptySubsequences: false)
            switch words[0] {
            case "head":
                head = words[1...3].joined(separator: " ")
                body = ""
                methods.append(String(words[1]))
            case "body": body = words.dropFirst().joined(separator: " ")
            case "end": echoes.append("\(head) \(body)")
            default: break
            }
        }
        methods.removeLast(methods.count - echoes.count)
    }

    func check(_ received: [UInt8], hasFollower: Bool, _ comment: String) throws {
        let answers = try WireAnswer.all(received, to: methods)
        let final = answers.filter { $0.status >= 200 }
        #expect(answers.count - final.count <= methods.count, "\(comment): interim answers")
        let statuses = echoes.map { _ in 200 } + (refusal.map { [$0] } ?? []) + (hasFollower ? [200] : [])
        #expect(final.map(\.status) == statuses, "\(comment)")
        guard final.count == statuses.count else { return }
        for (index, echo) in echoes.enumerated() where echo != nil && methods[index] != "HEAD" {
            #expect(String(decoding: final[index].body, as: UTF8.self) == echo, "\(comment)")
        }
        for answer in final {
            #expect(answer.values("content-length").count == 1, "\(comment)")
            #expect(answer.values("transfer-encoding").isEmpty, "\(comment)")
        }
        let isOver = refusal != nil || !survives
        #expect(final.last?.values("connection").contains("close") == isOver, "\(comment): Connection")
        for answer in final.dropLast() { #expect(answer.values("connection").isEmpty, "\(comment)") }
        if refusal != nil { #expect(final.last?.values("content-type") == ["application/problem+json"], "\(comment)") }
    }
}

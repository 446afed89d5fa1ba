import Foundation
import TestSupport
import Testing

/// Peers that are slow, silent or gone, beside one that is healthy.
@Suite(.serialized, .timeLimit(.minutes(5))) struct SlowPeerMatrixTests {
    /// Each of twenty calls, with a connection of its own, is answered, at the median in less than 100 ms. On a machine
    /// that other tests keep busy it gets up to five rounds for that.
    private static func healthyCalls(_ stage: Stage, _ path: String, _ circumstance: String) async throws {
        var medians: [Duration] = []
        for _ in 0..<5 {
            var times: [Duration] = []
            for _ in 0..<20 {
                let begun = ContinuousClock.now
                let client = try await RawSocket.connect(port: stage.port)
                try await client.send(
                    "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(stage.port)\r\nAuthorization: Bearer \(stage.token)\r\n"
                        + "Connection: close\r\n\r\n")
                let answer = try await client.receiveAll()
                #expect(answer.hasPrefix("HTTP/1.1 200"), "\(answer)")
                times.append(ContinuousClock.now - begun)
            }
            times.sort()
            medians.append(times[10])
            print("GET \(path) \(circumstance): \(times[10]) at the median, \(times[19]) at most")
            if times[10] < .milliseconds(100) { return }
        }
        Issue.record("GET \(path) \(circumstance) takes \(medians) at the median")
    }

    private static func descriptors(_ running: Running) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(running.processID)/fd").count
    }

    /// Processor time that it has used, in all its threads.
    private static func processorTime(_ running: Running) throws -> Duration {
        let file = try FileHandle(forReadingFrom: URL(filePath: "/proc/\(running.processID)/stat"))
        let text = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
        let words = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
        let ticks = (Int(words[12]) ?? 0) + (Int(words[13]) ?? 0)
        return .milliseconds(ticks * 1000 / sysconf(Int32(_SC_CLK_TCK)))
    }

    @Test func `H1-31 five hundred heads that come byte by byte are cut at ten seconds, and others are served`()
        async throws
    {
        try #require(Crowd.allowDescriptors(8192))
        let stage = try await Stage(person: "none", authorized: false, manners: .polite)
        let crowd = Crowd(port: stage.port)
        try await crowd.join(500, saying: "GET /healthz HTTP/1.1\r\nX")
        async let ends = crowd.untilEnded(within: .seconds(60), saying: "x", every: .seconds(5))
        try await Self.healthyCalls(stage, "/v1/whoami", "beside 500 slow heads")
        let cut = try await ends
        #expect(cut.count == 500)
        for end in cut {
            #expect(end.received.hasPrefix("HTTP/1.1 408 ") && end.received.contains("connection: close\r\n"))
            #expect(end.after > .milliseconds(9900) && end.after < .seconds(40))
        }
        await stage.end()
    }

    @Test func `a healthy caller is served beside 3000 idle connections and 400 slow ones`() async throws {
        try #require(Crowd.allowDescriptors(8192))
        let stage = try await Stage(person: "none", authorized: false, manners: .polite)
        try await Self.healthyCalls(stage, "/v1/whoami", "alone")
        let before = try Self.descriptors(stage.gateway)
        let crowd = Crowd(port: stage.port)
        let host = "Host: 127.0.0.1:\(stage.port)\r\nAuthorization: Bearer \(stage.token)\r\n"
        let get = "GET /healthz HTTP/1.1\r\n\(host)\r\n"
        let post = "POST /v1/requests HTTP/1.1\r\n\(host)Content-Type: application/json\r\nContent-Length: 999\r\n\r\n{"
        try await crowd.join(3000, saying: get)
        try await crowd.join(134, saying: "GET / HTTP/1.1\r\nX")
        try await crowd.join(60, saying: post)
        try await crowd.join(206)
        for path in ["/v1/whoami", "/healthz"] {
            try await crowd.say("x")
            try await Self.healthyCalls(stage, path, "beside 3000 idle and 400 slow connections")
        }
        #expect(try Self.descriptors(stage.gateway) < before + 700)
        crowd.leave()
        while try Self.descriptors(stage.gateway) > before + 2 { try await Task.sleep(for: .milliseconds(20)) }
        await stage.end()
    }

    @Test func `H1-36 accepting does not spin when the descriptors have run out, and goes on when there are some`()
        async throws
    {
        try #require(Crowd.allowDescriptors(8192))
        let stage = try await Stage(person: "none", authorized: false, manners: .polite)
        await stage.gateway.end()
        let gateway = try Running("sh", ["-c", "ulimit -n 80; exec countersign serve"], in: stage.home)
        try await gateway.says("listening on http://127.0.0.1:\(stage.port)")
        try await gateway.says("fewer descriptors are allowed than all connections need")
        // Silent ones would make room, and so would those that are refused: these are being served, and keep their places.
        let crowd = Crowd(port: stage.port)
        let host = "Host: 127.0.0.1:\(stage.port)\r\nAuthorization: Bearer \(stage.token)\r\n"
        try await crowd.join(
            512,
            saying: "POST /v1/requests HTTP/1.1\r\n\(host)Content-Type: application/json\r\nContent-Length: 9\r\n\r\n")
        try await gateway.says("accepting rests: no descriptors left")
        while try Self.descriptors(gateway) < 79 { try await Task.sleep(for: .milliseconds(10)) }
        let begun = ContinuousClock.now
        let used = try Self.processorTime(gateway)
        try await Task.sleep(for: .seconds(3))
        let share = (try Self.processorTime(gateway) - used) / (ContinuousClock.now - begun)
        print("accepting at rest: \((share * 1000).rounded() / 10) % of a core")
        #expect(share < 0.05)
        crowd.leave()
        try await Self.healthyCalls(stage, "/healthz", "after the descriptors had run out")
        await gateway.end()
        await stage.end()
    }
}

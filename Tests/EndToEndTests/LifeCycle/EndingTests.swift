import Core
import Foundation
import TestSupport
import Testing

/// SIGTERM and SIGINT with everything under way.
@Suite(.timeLimit(.minutes(5))) struct EndingTests {
    private static func ask(_ name: String) -> String {
        #"{"op":"pick_item","hint":{"url":"https://\#(name).example.com"}}"#
    }

    private static func scene() async throws -> (CrashScene, CrashScene.Life) {
        let scene = try await CrashScene(person: "none")
        let life = try await scene.start()
        #expect(try await scene.authorize())
        return (scene, life)
    }

    @Test
    func `LC-08 SIGTERM with idle, half-sent and waiting requests and a refresh under way: each is told, and it ends`()
        async throws
    {
        let (scene, life) = try await Self.scene()
        var ids: [String] = []
        for number in 0..<30 {
            ids.append(try #require(await life.caller.send(.post, "/v1/requests", Self.ask("w\(number)"), wait: 0)?.id))
        }
        let idle = try await RawSocket.connect(port: scene.port)
        try await idle.send("GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:\(scene.port)\r\n\r\n")
        _ = try await idle.receive(through: "ok")
        let silent = try await RawSocket.connect(port: scene.port)
        let half = try await RawSocket.connect(port: scene.port)
        try await half.send("GET /healthz HTTP/1.1\r\nHost: 127.0.0.1")

        let before = try await scene.refreshes()
        let callers = try (0..<3).map { _ in try HTTPCaller(port: scene.port, token: scene.token) }
        async let answers = withTaskGroup(of: HTTPCaller.Reply?.self) { group in
            for id in ids {
                for caller in callers { group.addTask { await caller.send(.get, "/v1/requests/\(id)", wait: 80) } }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        // The polls of the asks find the token expired, and the answer to the refresh takes its time.
        try await scene.control("faults", #"{"name":"delay_next","path":"/api/oauth/token","ms":4000}"#)
        try await scene.control("access-tokens/expire")
        while try await scene.refreshes() == before { try Task.checkCancellation() }

        let begun = ContinuousClock.now
        life.process.signal(SIGTERM)
        #expect(try await idle.receive() == [])
        #expect(ContinuousClock.now - begun < .seconds(8), "an idle connection is closed at once")
        #expect(try await silent.receive() == [])
        for answer in await answers {
            #expect(answer?.status == 503)
            #expect(answer?.error == "shutting_down")
            #expect(answer?.fields.contains("retry-after") == true)
            #expect(answer?.json?["ask_id"]?.string.map(ids.contains) == true)
        }
        #expect(await life.process.finished().status == 0)
        #expect(ContinuousClock.now - begun < .seconds(75))
        for caller in callers { await caller.close() }
        half.close()

        let next = try await scene.start()
        #expect(await next.caller.send(.get, "/readyz")?.json?["grant"]?.string == "active")
        #expect(try await scene.refreshes() == before + 1)
        for id in ids { #expect(await next.caller.send(.get, "/v1/requests/\(id)")?.state == "pending") }
        #expect(await next.end() == 0)
        await scene.end()
    }

    @Test func `LC-08 SIGTERM while a TLS handshake with MimiKey stands still: the gateway ends`() async throws {
        let (silent, silentPort) = try RawSocket.listen()
        let port = try Ports.free()
        let home = try Home()
        let made = try await home.countersign(
            "init", "--origin", "https://127.0.0.1:\(silentPort)", "--client-id", "pmc_x", "--port", "\(port)")
        #expect(made.status == 0, "\(made.errors)")
        let gateway = try home.start("serve")
        try await gateway.says("listening on http://127.0.0.1:\(port)")
        let operatorDoor = try HTTPCaller(socket: home.state + "/run/admin.sock")
        let begun = try #require(await operatorDoor.send(.post, "/admin/authorize", "{}"))
        let url = try #require(begun.json?["url"]?.string)
        let state = try #require(url.split(separator: "&").first { $0.contains("state=") }?.split(separator: "=").last)
        let browser = try HTTPCaller(port: port)
        async let page = browser.send(.get, "/callback?code=pmk_x&state=\(state)")
        // The handshake has begun: its first bytes are here, and nothing answers them.
        let handshake = try await silent.accept()
        #expect(try await handshake.receive().first == 0x16)
        let ended = ContinuousClock.now
        #expect(await gateway.end().status == 0)
        #expect(ContinuousClock.now - ended < .seconds(75))
        _ = await page
        await operatorDoor.close()
        await browser.close()
    }

    @Test func `LC-09 a request that comes on an old connection after SIGTERM is told so, and the connection closed`()
        async throws
    {
        let (scene, life) = try await Self.scene()
        let idle = try await RawSocket.connect(port: scene.port)
        let old = try await RawSocket.connect(port: scene.port)
        for socket in [idle, old] {
            try await socket.send("GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:\(scene.port)\r\n\r\n")
            _ = try await socket.receive(through: "ok")
        }
        // The next request has begun, so that the connection is not idle.
        try await old.send("GET /v1/whoami HTTP/1.1\r\nHost: 127.0.0.1:\(scene.port)\r\n")
        try await Self.untilRead(scene.port, old)
        life.process.signal(SIGTERM)
        #expect(try await idle.receive() == [])
        try await old.send("Authorization: Bearer \(scene.token)\r\n\r\n")
        let answer = try await old.receiveAll()
        #expect(answer.hasPrefix("HTTP/1.1 503 "))
        #expect(answer.lowercased().contains("connection: close"))
        #expect(answer.contains("shutting_down"))
        #expect(await life.process.finished().status == 0)
        await scene.end()
    }

    /// Another request is answered: what was sent before it has been read.
    private static func untilRead(_ port: UInt16, _ socket: RawSocket) async throws {
        for _ in 0..<3 {
            let other = try await RawSocket.connect(port: port)
            try await other.send("GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n\r\n")
            _ = try await other.receiveAll()
        }
    }

    @Test(arguments: [[SIGTERM, SIGTERM], [SIGINT]])
    func `LC-10 a second SIGTERM, or SIGINT, ends it quickly, whatever is under way`(_ signals: [Int32]) async throws {
        let (scene, life) = try await Self.scene()
        let half = try await RawSocket.connect(port: scene.port)
        try await half.send("GET /healthz HTTP/1.1\r\nHost: 127.0.0.1")
        try await scene.control("faults", #"{"name":"delay_next","path":"/api/oauth/requests","ms":30000}"#)
        async let asked = life.caller.send(.post, "/v1/requests", Self.ask("slow"), wait: 60)
        while try await scene.cards().isEmpty { try Task.checkCancellation() }
        let begun = ContinuousClock.now
        for number in signals {
            life.process.signal(number)
            try await life.process.says(number == signals.first ? "ending" : "ending at once")
            if signals.count > 1, number == signals.first { _ = await asked }
        }
        let ended = await life.process.finished()
        #expect(ended.status == 0)
        // A half-sent request alone would take 10 s, a card 35 s.
        #expect(ContinuousClock.now - begun < .seconds(9))
        #expect(ended.errors.contains("ended while cards were being made"))
        _ = await asked
        await scene.end()
    }

    @Test(arguments: [[SIGTERM, SIGTERM], [SIGINT, SIGTERM]])
    func `LC-10 however quickly it is to end, the answer to a token refresh is waited for and stored`(
        _ signals: [Int32]
    )
        async throws
    {
        let (scene, life) = try await Self.scene()
        try await scene.control("access-tokens/expire")
        try await scene.control("faults", #"{"name":"delay_next","path":"/api/oauth/token","ms":3000}"#)
        async let asked = life.caller.send(.post, "/v1/requests", Self.ask("refresh"), wait: 0)
        while try await scene.refreshes() == 0 { try Task.checkCancellation() }
        life.process.signal(signals[0])
        try await life.process.says("ending")
        life.process.signal(signals[1])
        try await life.process.says("ending at once")
        let ended = await life.process.finished()
        #expect(ended.status == 0)
        #expect(ended.errors.contains("the end waits for the answer"))
        _ = await asked
        let next = try await scene.start()
        #expect(await next.caller.send(.get, "/readyz")?.json?["grant"]?.string == "active")
        #expect(await next.caller.send(.post, "/v1/requests", Self.ask("again"), wait: 0)?.status == 202)
        #expect(try await scene.refreshes() == 1)
        #expect(await next.end() == 0)
        await scene.end()
    }

    @Test func `LC-10 a third signal ends it where it stands`() async throws {
        let (scene, life) = try await Self.scene()
        try await scene.control("access-tokens/expire")
        try await scene.control("faults", #"{"name":"delay_next","path":"/api/oauth/token","ms":30000}"#)
        async let asked = life.caller.send(.post, "/v1/requests", Self.ask("refresh"), wait: 0)
        while try await scene.refreshes() == 0 { try Task.checkCancellation() }
        life.process.signal(SIGTERM)
        try await life.process.says("ending")
        life.process.signal(SIGTERM)
        try await life.process.says("ending at once")
        life.process.signal(SIGTERM)
        #expect(await life.process.finished().status == 128 + SIGTERM)
        _ = await asked
        await scene.end()
    }
}

import Core
import Foundation
import Server
import Synchronization
import TestSupport
import Testing
import Transport
import Upstream

struct PoolTests {
    @Test func `a connection is used again`() async throws {
        try await withService { listener, client in
            async let first = client.send(.get("/a"))
            let connection = try await listener.accept()
            try await answer(connection, emptyAnswer)
            _ = try await first
            async let second = client.send(.get("/b"))
            #expect(try await connection.receive(through: "\r\n\r\n").hasPrefix("GET /b "))
            try await connection.send(emptyAnswer)
            _ = try await second
        }
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
        "HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nlater",
    ])
    func `a connection that cannot serve again is not kept`(_ text: String) async throws {
        try await withService { listener, client in
            async let first = client.send(.get("/a"))
            let connection = try await listener.accept()
            try await answer(connection, text)
            #expect(try await first.body.isEmpty)
            async let second = client.send(.get("/b"))
            try await answer(try await listener.accept(), "HTTP/1.1 204 No Content\r\n\r\n")
            #expect(try await second.status == 204)
        }
    }

    @Test func `bytes that nobody asked for end a kept connection`() async throws {
        try await withService { listener, client in
            async let first = client.send(.get("/a"))
            let connection = try await listener.accept()
            try await answer(connection, emptyAnswer)
            _ = try await first
            try await connection.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged")
            async let second = client.send(.get("/b"))
            try await answer(try await listener.accept(), "HTTP/1.1 204 No Content\r\n\r\n")
            #expect(try await second.status == 204)
        }
    }

    @Test func `PX-09 a kept connection that has ended is replaced before anything is sent`() async throws {
        try await withService { listener, client in
            async let first = client.send(.get("/a"))
            let connection = try await listener.accept()
            try await answer(connection, emptyAnswer)
            _ = try await first
            connection.close()
            async let second = client.send(.post("{}"))
            try await answer(try await listener.accept(), emptyAnswer)
            _ = try await second
        }
    }

    @Test func `PX-09 a request that dies on a kept connection is sent again only if it may be repeated`() async throws
    {
        for mayRepeat in [false, true] {
            try await withService { listener, client in
                async let first = client.send(.get("/a"))
                let connection = try await listener.accept()
                try await answer(connection, emptyAnswer)
                _ = try await first
                let second = Task { try await client.send(.post("{}", mayRepeat: mayRepeat)) }
                _ = try await connection.receive(through: "{}")
                connection.close()
                if mayRepeat {
                    try await answer(try await listener.accept(), emptyAnswer)
                    #expect(try await second.value.status == 200)
                } else {
                    await #expect(throws: SendFailure(.closed, bytesMayHaveLeft: true)) { _ = try await second.value }
                }
            }
        }
    }

    @Test func `a service that ends kept connections costs a request nothing that goes over a new one`() async throws {
        try await withService { listener, client in
            async let first = client.send(.get("/a"))
            let kept = try await listener.accept()
            try await answer(kept, emptyAnswer)
            _ = try await first
            // The kept connection looks alive, and would be ended by whatever is sent on it.
            for _ in 0..<3 {
                async let dear = client.send(.dear())
                let connection = try await listener.accept()
                #expect(try await connection.receive(through: "{}").hasPrefix("POST / "))
                try await connection.send(emptyAnswer)
                #expect(try await dear.status == 200)
            }
        }
    }

    @Test func `a connection that was made for one request serves others afterwards`() async throws {
        try await withService { listener, client in
            async let dear = client.send(.dear())
            let connection = try await listener.accept()
            _ = try await connection.receive(through: "{}")
            try await connection.send(emptyAnswer)
            _ = try await dear
            async let second = client.send(.get("/b"))
            #expect(try await connection.receive(through: "\r\n\r\n").hasPrefix("GET /b "))
            try await connection.send(emptyAnswer)
            _ = try await second
        }
    }

    @Test func `kept connections give way to new ones, so that there are never more than the limit`() async throws {
        try await withService(connections: 1) { listener, client in
            async let first = client.send(.get("/a"))
            let kept = try await listener.accept()
            try await answer(kept, emptyAnswer)
            _ = try await first
            async let dear = client.send(.dear())
            #expect(try await kept.receive().isEmpty)
            let made = try await listener.accept()
            _ = try await made.receive(through: "{}")
            try await made.send(emptyAnswer)
            _ = try await dear
        }
    }

    @Test func `a request that dies on a new connection is not sent again`() async throws {
        try await withService { listener, client in
            let first = Task { try await client.send(.get("/a", mayRepeat: true)) }
            let connection = try await listener.accept()
            _ = try await connection.receive(through: "\r\n\r\n")
            connection.close()
            await #expect(throws: SendFailure(.closed, bytesMayHaveLeft: true)) { _ = try await first.value }
        }
    }

    @Test func `an unused connection is ended in the end`() async throws {
        try await withService(idle: .milliseconds(50)) { listener, client in
            async let first = client.send(.get("/a"))
            let connection = try await listener.accept()
            try await answer(connection, emptyAnswer)
            _ = try await first
            #expect(try await connection.receive().isEmpty)
        }
    }

    @Test func `a connection that grew old while the program stood still is not used again`() async throws {
        let (listener, port) = try RawSocket.listen(backlog: 8)
        let loop = try EventLoop(name: "test client")
        let client = try UpstreamClient(.loopback(port), on: loop, idle: .milliseconds(100))
        async let first = client.send(.get("/a"))
        let connection = try await listener.accept()
        try await answer(connection, emptyAnswer)
        _ = try await first
        let second = Task(executorPreference: loop) {
            usleep(300_000)
            return try await client.send(.get("/b"))
        }
        let sentOnOld = try await connection.receive()
        #expect(sentOnOld.isEmpty)
        if sentOnOld.isEmpty {
            try await answer(try await listener.accept(), emptyAnswer)
        } else {
            try await connection.send(emptyAnswer)
        }
        _ = try await second.value
        await client.close()
        await loop.stop()
    }

    @Test func `fifty requests share eight connections`() async throws {
        // The first eight are held until all of them are there; a ninth connection would show as nine at once.
        let running = Mutex((now: 0, most: 0, held: [CheckedContinuation<Void, Never>]()))
        let loop = try EventLoop(name: "test")
        let server = HTTPServer(
            loops: [loop],
            responder: Closure { _ in
                await withCheckedContinuation { continuation in
                    let released = running.withLock { state -> [CheckedContinuation<Void, Never>] in
                        state.now += 1
                        state.most = max(state.most, state.now)
                        state.held.append(continuation)
                        guard state.most >= 8 else { return [] }
                        defer { state.held = [] }
                        return state.held
                    }
                    for continuation in released { continuation.resume() }
                }
                running.withLock { $0.now -= 1 }
                return HTTPResponse(status: 200)
            })
        guard case .tcp(let bound) = try await server.listen(.tcp(TCPAddress(ip: .v4([127, 0, 0, 1]), port: 0))) else {
            return
        }
        let client = try UpstreamClient(.loopback(bound.port), on: loop, connections: 8)
        let answered = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<50 { group.addTask { try await client.send(.post("{}")).status.code } }
            return try await group.reduce(0) { $0 + ($1 == 200 ? 1 : 0) }
        }
        #expect(answered == 50 && running.withLock { $0.most } == 8)
        await client.close()
        await server.shutDown(grace: .seconds(1))
        await loop.stop()
    }

    @Test func `who waits for a connection too long gives up with nothing sent`() async throws {
        try await withService(connections: 1) { listener, client in
            async let first = client.send(.get("/a"))
            let connection = try await listener.accept()
            await #expect(throws: SendFailure(.connectFailed, bytesMayHaveLeft: false)) {
                try await client.send(.get("/b", limits: .with { $0.connect = .milliseconds(50) }))
            }
            try await answer(connection, emptyAnswer)
            _ = try await first
        }
    }

    @Test func `a cancelled exchange ends with its connection, and its place is free again`() async throws {
        try await withService(connections: 1) { listener, client in
            let first = Task { try await client.send(.get("/a")) }
            let connection = try await listener.accept()
            _ = try await connection.receive(through: "\r\n\r\n")
            first.cancel()
            await #expect(throws: SendFailure(.cancelled, bytesMayHaveLeft: true)) { _ = try await first.value }
            #expect(try await connection.receive().isEmpty)
            async let second = client.send(.get("/b"))
            try await answer(try await listener.accept(), emptyAnswer)
            _ = try await second
        }
    }

    @Test func `who is cancelled while waiting for a connection has sent nothing`() async throws {
        try await withService(connections: 1) { listener, client in
            async let first = client.send(.get("/a"))
            let connection = try await listener.accept()
            _ = try await connection.receive(through: "\r\n\r\n")
            let second = Task { try await client.send(.get("/b")) }
            second.cancel()
            await #expect(throws: SendFailure(.cancelled, bytesMayHaveLeft: false)) { _ = try await second.value }
            try await connection.send(emptyAnswer)
            _ = try await first
        }
    }
}

struct Closure: Responder {
    let body: @Sendable (HTTPRequest) async -> HTTPResponse

    init(_ body: @escaping @Sendable (HTTPRequest) async -> HTTPResponse) { self.body = body }

    func respond(to request: HTTPRequest) async -> HTTPResponse { await body(request) }
}

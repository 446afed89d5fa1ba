import Core
import TestSupport
import Testing
import Upstream

struct BadServiceTests {
    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello": SendFailure.Reason.closed,
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel": .closed,
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n": .closed,
        "HTTP/1.1 200 OK\r\nContent-": .closed,
        "": .closed,
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n": .malformed,
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello": .malformed,
        "SSH-2.0-OpenSSH_9.2\r\n\r\n": .malformed,
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n": .malformed,
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n": .malformed,
        "HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n": .answerTooLarge,
    ])
    func `PX-11 PX-12 a broken answer is never taken for one`(
        _ text: String, _ reason: SendFailure.Reason
    ) async throws {
        try await withService { listener, client in
            let response = Task { try await client.send(.get(limits: .with { $0.body = 1000 })) }
            let connection = try await listener.accept()
            try await answer(connection, text)
            connection.endWriting()
            await #expect(throws: SendFailure(reason, bytesMayHaveLeft: true)) { _ = try await response.value }
        }
    }

    @Test func `an answer that grows too long is refused`() async throws {
        try await withService { listener, client in
            let response = Task { try await client.send(.get(limits: .with { $0.body = 1000 })) }
            let connection = try await listener.accept()
            try await answer(
                connection,
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3e9\r\n"
                    + String(repeating: "a", count: 1001) + "\r\n")
            await #expect(throws: SendFailure(.answerTooLarge, bytesMayHaveLeft: true)) { _ = try await response.value }
        }
    }

    @Test func `a service that never answers is given up at the first-byte limit`() async throws {
        try await withService { listener, client in
            let response = Task { try await client.send(.get(limits: .with { $0.firstByte = .milliseconds(50) })) }
            let connection = try await listener.accept()
            await #expect(throws: SendFailure(.timedOut, bytesMayHaveLeft: true)) { _ = try await response.value }
            // The connection is not kept for the next one.
            _ = try await connection.receive(through: "\r\n\r\n")
            #expect(try await connection.receive().isEmpty)
        }
    }

    @Test func `an answer that trickles is given up at the total limit`() async throws {
        try await withService { listener, client in
            let response = Task { try await client.send(.get(limits: .with { $0.total = .milliseconds(100) })) }
            let connection = try await listener.accept()
            try await answer(connection, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello")
            await #expect(throws: SendFailure(.timedOut, bytesMayHaveLeft: true)) { _ = try await response.value }
        }
    }

    @Test func `nobody there means that nothing has left`() async throws {
        try await withService { listener, client in
            listener.stop()
            await #expect(throws: SendFailure(.connectFailed, bytesMayHaveLeft: false)) {
                try await client.send(.post("{}"))
            }
        }
    }

    @Test func `a connection that nobody takes is given up at the connect limit`() async throws {
        try await withService(backlog: 0) { listener, client in
            // With this one the kernel's queue is full, and it lets further attempts wait.
            let first = try await RawSocket.connect(port: listener.port)
            let limits = ExchangeLimits.with {
                $0.connect = .milliseconds(50)
                $0.total = .seconds(10)
            }
            await #expect(throws: SendFailure(.connectFailed, bytesMayHaveLeft: false)) {
                try await client.send(.get(limits: limits))
            }
            first.close()
        }
    }

    @Test func `an early answer to a request that is still being sent is taken`() async throws {
        try await withService { listener, client in
            async let response = client.send(.post(String(repeating: "a", count: 200_000)))
            let connection = try await listener.accept()
            _ = try await connection.receive(through: "\r\n\r\n")
            try await connection.send(
                "HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            connection.endWriting()
            _ = try await connection.receiveAll()
            #expect(try await response.status == 413)
        }
    }
}

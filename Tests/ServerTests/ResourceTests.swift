import Core
import Foundation
import Server
import TestSupport
import Testing
import Transport

@Suite(.serialized) struct ResourceTests {
    /// How many threads of this process have the name.
    private static func threads(named name: String) -> Int {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        return tasks.count { task in
            let comm = try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8)
            return comm == name + "\n"
        }
    }

    /// How many descriptors of epoll this process has; each loop has one.
    private static func epolls() -> Int {
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return numbers.count { number in
            let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")
            return link == "anon_inode:[eventpoll]"
        }
    }

    @Test func `LC-12 loops that were stopped leave no thread and no descriptor`() async throws {
        // One left of each would show, whatever loops other tests have meanwhile.
        let before = Self.epolls()
        for _ in 0..<200 {
            let loop = try EventLoop(name: "counted")
            let server = HTTPServer(loops: [loop], responder: Answering { _ in .text("hello") })
            let address = try await server.listen(.tcp(TCPAddress(ip: .v4([127, 0, 0, 1]), port: 0)))
            guard case .tcp(let bound) = address else { return }
            let client = try await RawSocket.connect(port: bound.port)
            try await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            _ = try await client.receive(through: "hello")
            // Neither the listener nor the connection is closed by hand.
            await loop.stop()
            #expect(try await client.receive().isEmpty)
        }
        #expect(Self.threads(named: "counted") == 0)
        #expect(Self.epolls() < before + 150)
    }
}

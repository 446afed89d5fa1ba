import Core
import Foundation
import Server
import TestSupport
import Testing
import Transport

struct ListenerTests {
    /// The option of the socket, in this process, that has the port and is connected to the client's.
    private static func option(_ level: Int32, _ name: Int32, ofPeer client: RawSocket) throws -> Int32 {
        var ours = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        withUnsafeMutablePointer(to: &ours) { pointer in
            _ = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(client.descriptor, $0, &size) }
        }
        for number in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap(Int32.init) {
            var peer = sockaddr_storage()
            var peerSize = socklen_t(MemoryLayout<sockaddr_storage>.size)
            let found = withUnsafeMutablePointer(to: &peer) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(number, $0, &peerSize) } == 0
            }
            // Family, port and address stand in the first 28 bytes.
            let isPeer = withUnsafeBytes(of: &peer) { peer in
                withUnsafeBytes(of: &ours) { Array(peer.prefix(28)) == Array($0.prefix(28)) }
            }
            guard found, isPeer else { continue }
            var value: Int32 = -1
            var length = socklen_t(4)
            guard getsockopt(number, level, name, &value, &length) == 0 else { continue }
            return value
        }
        throw RawSocket.Failure(code: ENOENT, doing: "finding the accepted socket")
    }

    @Test(arguments: [IPAddress.v4([127, 0, 0, 1]), IPAddress.v4([127, 0, 0, 9])])
    func `no packet of a loopback listener passes a router, and what is kept for a peer is bounded`(
        _ ip: IPAddress
    ) async throws {
        let server = try HTTPServer(responder: Answering { _ in .text("<>") })
        let bound = try await server.listen(.tcp(TCPAddress(ip: ip, port: 0)))
        guard case .tcp(let address) = bound else { return }
        let client = try await RawSocket.connect(to: ip.description, port: address.port)
        try await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        _ = try await client.receive(through: "<>")
        #expect(try Self.option(Int32(IPPROTO_IP), IP_TTL, ofPeer: client) == 1)
        #expect(try Self.option(SOL_SOCKET, SO_SNDBUF, ofPeer: client) <= 256 << 10)
        await server.shutDown(grace: .zero)
    }

    @Test func `no packet of an IPv6 loopback listener passes a router`() async throws {
        let server = try HTTPServer(responder: Answering { _ in .text("<>") })
        let loopback = IPAddress.v6([UInt8](repeating: 0, count: 15) + [1])
        let bound = try await server.listen(.tcp(TCPAddress(ip: loopback, port: 0)))
        guard case .tcp(let address) = bound else { return }
        // What it accepts inherits the option.
        var limits: [Int32] = []
        for number in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap(Int32.init) {
            var local = sockaddr_in6()
            var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
            let found = withUnsafeMutablePointer(to: &local) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(number, $0, &size) } == 0
            }
            guard found, local.sin6_family == sa_family_t(AF_INET6), UInt16(bigEndian: local.sin6_port) == address.port
            else { continue }
            var value: Int32 = -1
            var length = socklen_t(4)
            if getsockopt(number, Int32(IPPROTO_IPV6), IPV6_UNICAST_HOPS, &value, &length) == 0 { limits.append(value) }
        }
        #expect(limits == [1])
        await server.shutDown(grace: .zero)
    }

    @Test(arguments: [1, 3]) func `every loop's connections end with the server`(_ count: Int) async throws {
        let gate = Event<Void>()
        let started = Event<Void>()
        let loops = try (1...count).map { try EventLoop(name: "test server \($0)") }
        let server = HTTPServer(
            loops: loops,
            responder: Answering { request in
                guard request.head.path == "/slow" else { return .text("<>") }
                started.happened(())
                _ = await gate.next()
                return .text("</slow>")
            })
        let bound = try await server.listen(.tcp(TCPAddress(ip: .v4([127, 0, 0, 1]), port: 0)))
        guard case .tcp(let address) = bound else { return }
        var idle: [RawSocket] = []
        var busy: [RawSocket] = []
        for number in 0..<12 {
            let client = try await RawSocket.connect(port: address.port)
            if number.isMultiple(of: 2) {
                try await client.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n")
                await started.next()
                busy.append(client)
            } else {
                try await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
                _ = try await client.receive(through: "<>")
                idle.append(client)
            }
        }
        async let closing: Void = server.shutDown(grace: .seconds(60))
        for client in idle { #expect(try await client.receiveAll() == "") }
        for _ in busy { gate.happened(()) }
        for client in busy { #expect(try await client.receiveAll().hasSuffix("</slow>")) }
        await closing
        for loop in loops { await loop.stop() }
    }

    @Test func `connections are shared out between the loops`() async throws {
        let loops = try (1...3).map { try EventLoop(name: "test server \($0)") }
        let server = HTTPServer(
            loops: loops,
            responder: Answering { _ in .text("<\(loops.firstIndex { $0.isCurrent } ?? -1)>") })
        let bound = try await server.listen(.tcp(TCPAddress(ip: .v4([127, 0, 0, 1]), port: 0)))
        guard case .tcp(let address) = bound else { return }
        var clients: [RawSocket] = []
        var homes: [String] = []
        for _ in 0..<9 {
            let client = try await RawSocket.connect(port: address.port)
            var seen: Set<String> = []
            for _ in 0..<3 {
                try await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
                seen.insert(try await client.receive(through: ">").body)
            }
            #expect(seen.count == 1, "a connection stays on its loop")
            homes += seen
            clients.append(client)
        }
        for home in ["<0>", "<1>", "<2>"] { #expect(homes.count { $0 == home } == 3) }
        #expect(homes.first == "<0>")
        await server.shutDown(grace: .zero)
        for loop in loops { await loop.stop() }
    }
}

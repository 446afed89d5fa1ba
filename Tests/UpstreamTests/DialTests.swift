import Core
import Foundation
import Synchronization
import TestSupport
import Testing
import Transport
import Upstream

/// From a name to a connection.
struct DialTests {
    private static let here = IPAddress.v4([127, 0, 0, 1])
    /// Nobody listens there.
    private static let refused = IPAddress.v6([UInt8](repeating: 0, count: 15) + [1])

    @Test func `a name that is not found means that nothing has left`() async throws {
        let pki = try await TestPKI.standard()
        try await withClient(of: "mimikey.test", 1, trusting: pki.trust(), resolving: { _ in [] }) { client in
            await #expect(throws: SendFailure(.nameNotFound, bytesMayHaveLeft: false)) {
                try await client.send(.post("{}"))
            }
        }
    }

    @Test func `the machine's own look-up knows localhost, and not what does not exist`() {
        #expect(HostLookup.addresses(of: "localhost").allSatisfy { $0.isLoopback })
        #expect(!HostLookup.addresses(of: "localhost").isEmpty)
        #expect(HostLookup.addresses(of: "no such name").isEmpty)
    }

    @Test func `a look-up that hangs is given up at the connect limit, and is the only one`() async throws {
        let pki = try await TestPKI.standard()
        let asked = Mutex(0)
        let mayEnd = DispatchSemaphore(value: 0)
        defer { mayEnd.signal() }
        let lookUp: LookUp = { _ in
            asked.withLock { $0 += 1 }
            mayEnd.wait()
            return []
        }
        try await withClient(of: "mimikey.test", 1, trusting: pki.trust(), resolving: lookUp) { client in
            for _ in 0..<3 {
                await #expect(throws: SendFailure(.connectFailed, bytesMayHaveLeft: false)) {
                    try await client.send(.get(limits: .with { $0.connect = .milliseconds(30) }))
                }
            }
            #expect(asked.withLock { $0 } == 1)
        }
    }

    @Test func `a look-up that hangs does not keep a cancelled request`() async throws {
        let pki = try await TestPKI.standard()
        let asked = Event<Void>()
        let mayEnd = DispatchSemaphore(value: 0)
        defer { mayEnd.signal() }
        let lookUp: LookUp = { _ in
            asked.happened(())
            mayEnd.wait()
            return []
        }
        try await withClient(of: "mimikey.test", 1, trusting: pki.trust(), resolving: lookUp) { client in
            let request = Task { try await client.send(.get()) }
            _ = await asked.next()
            request.cancel()
            await #expect(throws: SendFailure(.cancelled, bytesMayHaveLeft: false)) { _ = try await request.value }
        }
    }

    @Test func `an address that refuses is passed over`() async throws {
        let pki = try await TestPKI.standard()
        let nginx = try await Nginx(pki, certificate: "good")
        let addresses = [Self.refused, Self.here]
        try await withClient(
            of: "mimikey.test", nginx.port, trusting: pki.trust(), resolving: { _ in addresses }
        ) { client in
            let status = try await client.send(.get()).status
            #expect(status == 200)
        }
    }

    @Test func `an address that does not answer is overtaken, and its attempt ended`() async throws {
        let pki = try await TestPKI.standard()
        let nginx = try await Nginx(pki, certificate: "good")
        // Its queue is full, so that it lets further attempts wait.
        let silent = IPAddress.v4([127, 0, 0, 2])
        let listener = try RawSocket.listen(on: "127.0.0.2", port: nginx.port, backlog: 0)
        let filling = try await RawSocket.connect(to: "127.0.0.2", port: nginx.port)
        let limits = ExchangeLimits.with { $0.connect = .seconds(30) }
        try await withClient(
            of: "mimikey.test", nginx.port, trusting: pki.trust(), resolving: { _ in [silent, Self.here] }
        ) { client in
            let status = try await client.send(.get(limits: limits)).status
            #expect(status == 200)
        }
        filling.close()
        listener.listener.stop()
    }

    @Test func `when no address takes a connection nothing has left`() async throws {
        let pki = try await TestPKI.standard()
        let port = try Ports.free()
        let addresses = [Self.refused, Self.here, IPAddress.v4([127, 0, 0, 2])]
        try await withClient(of: "mimikey.test", port, trusting: pki.trust(), resolving: { _ in addresses }) { client in
            await #expect(throws: SendFailure(.connectFailed, bytesMayHaveLeft: false)) {
                try await client.send(.post("{}"))
            }
        }
    }
}

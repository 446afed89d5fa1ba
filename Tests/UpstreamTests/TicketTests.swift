import Core
import Foundation
import TestSupport
import Testing

@testable import Transport

/// Which tickets of earlier handshakes are used; nginx gives them.
struct TicketTests {
    /// The context after some connections at one time, each of which left its tickets in it.
    private func context(after count: Int, protocols: String) async throws -> TLSContext {
        let pki = try await TestPKI.standard()
        let nginx = try await Nginx(pki, certificate: "good", protocols: protocols)
        let authorities = try TLSAuthorities(pem: pki.bytes(of: "root.pem"))
        let context = try TLSContext(for: .dns("mimikey.test"), trusting: authorities)
        let loop = try EventLoop(name: "test client")
        let address = DialAddress.tcp(TCPAddress(ip: .v4([127, 0, 0, 1]), port: nginx.port))
        try await withTaskExecutorPreference(loop) {
            let deadline = Clocks.monotonic() + .seconds(60)
            var open: [TLSStream] = []
            for _ in 0..<count {
                let stream = try await ByteStream.dial(address, on: loop, by: deadline)
                open.append(try await TLSStream.open(over: stream, with: context, by: deadline))
            }
            for secured in open {
                let request = Array("GET / HTTP/1.0\r\nHost: mimikey.test\r\n\r\n".utf8)
                try await secured.write(.bytes(request), more: false, by: deadline)
                while try await secured.read(by: deadline) != nil {}
                await secured.close()
            }
        }
        await loop.stop()
        return context
    }

    @Test func `a ticket of TLS 1.3 is for one use, one of TLS 1.2 for more`() async throws {
        let now = Clocks.monotonic()
        let newer = try await context(after: 1, protocols: "TLSv1.3").tickets
        var count = 0
        while newer.take(at: now) != nil { count += 1 }
        #expect((1...TLSTickets.most).contains(count))
        let older = try await context(after: 1, protocols: "TLSv1.2").tickets
        #expect(older.take(at: now) != nil)
        #expect(older.take(at: now) != nil)
    }

    @Test func `a ticket is used for an hour, so that the chain is checked again`() async throws {
        let tickets = try await context(after: 1, protocols: "TLSv1.2").tickets
        let now = Clocks.monotonic()
        #expect(tickets.take(at: now + .seconds(3500)) != nil)
        #expect(tickets.take(at: now + .seconds(3600)) == nil)
    }

    @Test func `eight tickets are kept`() async throws {
        let tickets = try await context(after: 6, protocols: "TLSv1.3").tickets
        var count = 0
        while tickets.take(at: Clocks.monotonic()) != nil { count += 1 }
        #expect(count == 8)
    }
}

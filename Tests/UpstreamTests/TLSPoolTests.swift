import Core
import Foundation
import TestSupport
import Testing
import Upstream

/// Connections through TLS that are kept for later.
struct TLSPoolTests {
    @Test(arguments: ["/then-end", "/then-cut", "/then-bytes"])
    func `PX-09 a kept connection that has died is replaced before anything is sent`(_ target: String) async throws {
        try await withTLSService { service, client in
            #expect(try await client.send(.get(target)).text == "1")
            try await doIt(service, on: 1)
            // A request that must not be sent twice, so it was sent once, on a connection of its own.
            #expect(try await client.send(.post("{}")).text == "2")
        }
    }

    @Test(arguments: ["/then-ticket", "/then-keys"])
    func `what concerns TLS alone leaves a kept connection usable`(_ target: String) async throws {
        try await withTLSService { service, client in
            for times in 1...3 {
                #expect(try await client.send(.get(target)).text == "1")
                try await doIt(service, on: 1, times: times)
            }
            #expect(try await client.send(.post("{}")).text == "1")
        }
    }

    @Test func `a ticket that came after the handshake resumes the next one`() async throws {
        try await withTLSService { service, client in
            #expect(try await client.send(.get("/then-end")).text == "1")
            try await doIt(service, on: 1)
            #expect(try await client.send(.get("/then-end")).text == "2")
            try await doIt(service, on: 2)
            #expect(service.outputSoFar.contains("connection 1 full"))
            #expect(service.outputSoFar.contains("connection 2 reused"))
        }
    }

    @Test func `a connection that is made for one request resumes TLS too`() async throws {
        try await withTLSService { service, client in
            #expect(try await client.send(.get("/then-ticket")).text == "1")
            try await doIt(service, on: 1)
            #expect(try await client.send(.dear()).text == "2")
            #expect(service.outputSoFar.contains("connection 1 full"))
            #expect(service.outputSoFar.contains("connection 2 reused"))
        }
    }

    @Test func `PX-09 a request that was handed to TLS and dies is sent again only if it may be repeated`() async throws
    {
        for mayRepeat in [false, true] {
            try await withTLSService { service, client in
                let text = try await client.send(.get()).text
                #expect(text == "1")
                // The connection is cut by the request itself, so the pool cannot have seen it coming.
                let request = OutboundRequest.get("/kill-first", mayRepeat: mayRepeat)
                if mayRepeat {
                    let text = try await client.send(request).text
                    #expect(text == "2")
                } else {
                    await #expect(throws: SendFailure(.closed, bytesMayHaveLeft: true)) {
                        try await client.send(request)
                    }
                }
            }
        }
    }
}

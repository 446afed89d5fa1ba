import Core
import Foundation
import Strongbox
import Synchronization
import TestSupport
import Testing

@testable import MimiKey

struct NonceTests {
    @Test func `SG-05 a million nonces of 16 threads are all different`() throws {
        struct Nonce: Hashable {
            let high: UInt64
            let low: UInt64
        }
        let perThread = 62_500
        let made = Mutex<[[Nonce]]>([])
        let threads = DispatchGroup()
        for _ in 0..<16 {
            threads.enter()
            Thread {
                var nonces: [Nonce] = []
                nonces.reserveCapacity(perThread)
                for _ in 0..<perThread {
                    let bytes = Base64URL.decode(Wire.makeNonce()) ?? []
                    let words = [bytes.prefix(8), bytes.dropFirst(8)].map {
                        $0.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
                    }
                    nonces.append(Nonce(high: words[0], low: words[1]))
                }
                made.withLock { $0.append(nonces) }
                threads.leave()
            }.start()
        }
        threads.wait()
        let all = Set(made.withLock { $0.flatMap { $0 } })
        #expect(all.count == 1_000_000)
    }

    @Test func `SG-05 a thousand restarts under one grant use no nonce twice`() async throws {
        let house = try await House.authorized()
        for _ in 0..<1000 {
            let again = try await house.restarted()
            _ = try await again.client.account()
            #expect(again.log.count(.warning) == 0)
        }
        #expect(house.fake.state.withLock { $0.nonces.count } == 1000)
    }
}

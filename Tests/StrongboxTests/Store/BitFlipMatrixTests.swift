import Core
import Foundation
import Glibc
import Testing

@testable import Strongbox

/// A database with one byte changed, wherever it may be.
struct BitFlipMatrixTests {
    @Test func `DB-11 Flipped bits at a thousand offsets give the grant as it was, or a clear refusal, never a crash`()
        async throws
    {
        let directory = try TemporaryDirectory()
        let grant = try Sample.grant()
        try await directory.makeStore(with: grant)
        let intact = try Array(Data(contentsOf: URL(fileURLWithPath: directory.database)))
        for offset in stride(from: 0, to: intact.count, by: max(1, intact.count / 1000)).prefix(1000) {
            var bytes = intact
            bytes[offset] ^= 0x55
            try write(bytes, to: directory.database)
            chmod(directory.database, 0o600)
            do {
                let store = try directory.openStore()
                let loaded = try await store.loadGrant()
                // Only what is not sealed can differ: ids, names and times are not bound by the key.
                if let loaded {
                    #expect(loaded.tokens.refresh.isEqual(to: grant.tokens.refresh) == true, "offset \(offset)")
                }
                await store.close()
            } catch {
                let reasons: [StoreError.Reason] = [.damaged, .keyWrong, .unavailable, .newerVersion]
                #expect(reasons.contains(error.reason), "offset \(offset)")
                #expect(error.detail.contains(directory.path), "offset \(offset)")
                // Refused, and kept as it is: what is in it is not thrown away.
                #expect(
                    try Array(Data(contentsOf: URL(fileURLWithPath: directory.database))) == bytes, "offset \(offset)")
            }
            for companion in ["-wal", "-shm"] { unlink(directory.database + companion) }
        }
    }
}

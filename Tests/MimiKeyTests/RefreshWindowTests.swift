import Core
import Foundation
import Strongbox
import Synchronization
import TestSupport
import Testing

@testable import MimiKey

/// How long new tokens are in memory alone: a process that dies in that time has lost the grant.
struct RefreshWindowTests {
    /// From the answer's last byte, as the client gets it, to the first call with the new token, which goes out after the
    /// store's fsync: so a little more than the window itself, less what it takes to read the answer from the socket.
    @Test func `TK-05 the window between the answer and the disk is measured`() async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "window-\(UUID().uuidString)").path()
        try FileManager.default.createDirectory(
            atPath: root, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(atPath: root) }
        let house = try House(store: Store(.directory(root + "/state"), keyFile: root + "/key"))
        try await house.authorize()
        let stopwatch = Stopwatch()
        house.fake.set {
            $0.onRefresh = { stopwatch.begin() }
            $0.onSigned = { _ in stopwatch.end() }
        }
        let id = try await house.ask().id
        let count = ProcessInfo.processInfo.environment["REFRESHES"].flatMap { Int($0) } ?? 100
        for _ in 0..<count {
            house.outliveAccessToken()
            _ = try await house.client.request(id)
        }
        await house.store.close()
        let sorted = stopwatch.times.sorted()
        #expect(sorted.count == count && house.fake.refreshes == count)
        guard let last = sorted.last else { return }
        print(
            """
            TK-05: \(count) refreshes: the new tokens were in memory alone for \(sorted[count / 2]) (median), \
            \(sorted[min(count - 1, count * 99 / 100)]) (p99), \(last) (longest)
            """)
    }
}

private final class Stopwatch: Sendable {
    private let state = Mutex((begun: ContinuousClock.Instant?.none, times: [Duration]()))

    var times: [Duration] { state.withLock { $0.times } }

    func begin() { state.withLock { $0.begun = ContinuousClock.now } }

    func end() {
        state.withLock { state in
            if let begun = state.begun { state.times.append(ContinuousClock.now - begun) }
            state.begun = nil
        }
    }
}

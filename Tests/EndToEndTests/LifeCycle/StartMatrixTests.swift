import Foundation
import Testing

/// Starts and ends, many times.
@Suite(.timeLimit(.minutes(30))) struct StartMatrixTests {
    /// 1,000 with `STARTS=1000`.
    private static let starts = ProcessInfo.processInfo.environment["STARTS"].flatMap { Int($0) } ?? 200

    @Test func `LC-12 after many starts and ends no socket, lock or temporary file is left over`() async throws {
        let scene = try await CrashScene(person: "none")
        await scene.end()
        func files() throws -> Set<String> {
            Set(try FileManager.default.subpathsOfDirectory(atPath: scene.home.directory))
        }
        var first: Set<String>?
        for _ in 0..<Self.starts {
            let process = try scene.launch()
            try await process.says("listening on http://127.0.0.1:\(scene.port)")
            #expect(await process.end().status == 0)
            if first == nil { first = try files() }
        }
        let left = try files()
        #expect(left == first)
        #expect(!left.contains { $0.hasSuffix(".sock") || $0.hasSuffix(".new") || $0.hasSuffix("-wal") }, "\(left)")
        print("starts and ends: \(Self.starts)")
    }
}

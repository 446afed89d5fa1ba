import Core
import Foundation
import TestSupport
import Testing

/// Very many who wait for the person.
@Suite(.timeLimit(.minutes(5))) struct WaitingLoadMatrixTests {
    private static let asks = 90
    private static let waiters = 1000

    @Test func `SK-03 a thousand callers wait on ninety asks, and MimiKey is polled as if each ask had one`()
        async throws
    {
        try #require(Crowd.allowDescriptors(8192))
        let stage = try await Stage(person: "none", open: Self.asks, manners: .polite) { text in
            text.replacing("limits: { open: \(Self.asks),", with: "limits: { open: \(Self.asks), connections: 1200,")
                + "\nlimits: { connections: 2000, open: \(Self.asks) }\n"
        }
        let caller = try HTTPCaller(port: stage.port, token: stage.token)
        var ids: [String] = []
        for number in 0..<Self.asks {
            let body = #"{"op":"pick_item","hint":{"url":"https://site\#(number).example.com"}}"#
            ids.append(try #require(await caller.send(.post, "/v1/requests", body, wait: 0)?.id))
        }
        let before = try Resources(of: stage.gateway)
        let crowd = Crowd(port: stage.port)
        for number in 0..<Self.waiters {
            let id = ids[number % ids.count]
            try await crowd.join(
                1,
                saying: "GET /v1/requests/\(id) HTTP/1.1\r\nHost: 127.0.0.1:\(stage.port)\r\n"
                    + "Authorization: Bearer \(stage.token)\r\nPrefer: wait=120\r\nConnection: close\r\n\r\n")
        }
        // Everyone waits once the gateway serves as many requests at once.
        while await caller.send(.get, "/v1/whoami")?.status != 200 { try Task.checkCancellation() }

        let begun = ContinuousClock.now
        let polls = try await stage.sandboxStatistic("polls")
        let used = try Resources(of: stage.gateway)
        try await Task.sleep(for: .seconds(20))
        let after = try Resources(of: stage.gateway)
        let elapsed = ContinuousClock.now - begun
        let rate = Double(try await stage.sandboxStatistic("polls") - polls) / (elapsed / .seconds(1))
        #expect(rate <= 45)
        // Not because nobody asks: each ask is polled every 2 to 2.5 s, and the answer takes its time.
        #expect(rate >= 10)

        // The person says no to all of them: each of the thousand is told.
        try await stage.control("person", #"{"script":"deny"}"#)
        let ends = try await crowd.untilEnded(within: .seconds(100))
        #expect(ends.count == Self.waiters)
        #expect(ends.allSatisfy { $0.received.contains(#""state":"denied""#) })
        let share = (after.processorTime - used.processorTime) / elapsed
        let figures = [
            "\((rate * 10).rounded() / 10) polls/s", "\((share * 1000).rounded() / 10) % of a core",
            "RSS \(before.residentKiB / 1024) MiB before, \(after.residentKiB / 1024) MiB with them",
        ]
        print("\(Self.waiters) wait on \(Self.asks) asks: \(figures.joined(separator: ", "))")
        await caller.close()
        await stage.end()
    }

    /// What the kernel says of a process.
    private struct Resources {
        let processorTime: Duration
        let residentKiB: Int

        init(of running: Running) throws {
            let stat = try Self.read("/proc/\(running.processID)/stat")
            let words = stat[(stat.lastIndex(of: ")") ?? stat.startIndex)...].split(separator: " ")
            let ticks = (Int(words[12]) ?? 0) + (Int(words[13]) ?? 0)
            processorTime = .milliseconds(ticks * 1000 / sysconf(Int32(_SC_CLK_TCK)))
            let line = try Self.read("/proc/\(running.processID)/status").split(separator: "\n").first {
                $0.hasPrefix("VmRSS:")
            }
            residentKiB = try #require(line?.split(separator: " ").dropFirst().first.flatMap { Int($0) })
        }

        private static func read(_ path: String) throws -> String {
            let file = try FileHandle(forReadingFrom: URL(filePath: path))
            return String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
        }
    }
}

import Core
import Testing

/// Every call that a disk can refuse, in every operation that needs it.
@Suite(.timeLimit(.minutes(20))) struct DiskFaultMatrixTests {
    /// Gateways at one time.
    private static let width = 4

    @Test func `DB-03 the Nth call of each kind fails, for every N: an error that is said, and a store that is whole`()
        async throws
    {
        let rounds = DiskFaultRound.Operation.allCases.flatMap { operation in
            DiskFaults.Call.allCases.map { DiskFaultRound(operation: operation, call: $0) }
        }
        let lines = try await withThrowingTaskGroup(of: String.self) { group in
            var lines: [String] = []
            for (number, round) in rounds.enumerated() {
                if number >= Self.width, let line = try await group.next() { lines.append(line) }
                group.addTask { "\(round.operation) \(round.call): \(try await round.run())" }
            }
            for try await line in group { lines.append(line) }
            return lines
        }
        print("calls that were made to fail: " + lines.sorted().joined(separator: ", "))
    }
}

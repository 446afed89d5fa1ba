/// What a test wants to go wrong, as an environment variable says it: `POINT:ACTION[:N]`, several separated by commas.
///
/// `refresh.sent:kill:2` kills at the second time that the point is reached. The actions are `kill`, `sleep=MILLISECONDS`,
/// `throw`, `disk-full` and `disk-full=WRITES`.
struct FaultPlan: Sendable {
    enum Action: Hashable, Sendable {
        case kill
        case sleep(Duration)
        /// The operation that got there fails.
        case fail
        /// So many writes of the store fail from now on; `nil`: all.
        case fillDisk(writes: Int?)
    }

    private struct Step: Sendable {
        let point: FaultPoint
        let action: Action
        let turn: Int
    }

    private let steps: [Step]
    private var visits: [FaultPoint: Int] = [:]
    private var failingWrites: Int?
    private var isDiskFull = false

    /// `nil` when the text is no plan.
    init?(_ text: String) {
        var steps: [Step] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let words = part.split(separator: ":", omittingEmptySubsequences: false)
            guard (2...3).contains(words.count), let point = FaultPoint(rawValue: String(words[0])),
                let action = Action(words[1]), let turn = words.count == 3 ? Int(words[2]) : 1, turn > 0
            else { return nil }
            steps.append(Step(point: point, action: action, turn: turn))
        }
        self.steps = steps
    }

    /// What is to be done now that the point is reached once more.
    mutating func visit(_ point: FaultPoint) -> [Action] {
        let turn = visits[point, default: 0] + 1
        visits[point] = turn
        let actions = steps.filter { $0.point == point && $0.turn == turn }.map(\.action)
        for case .fillDisk(let writes) in actions {
            isDiskFull = true
            failingWrites = writes
        }
        return actions
    }

    /// May the store write now? Each question counts as a write.
    mutating func takesWrite() -> Bool {
        guard isDiskFull else { return true }
        guard let left = failingWrites else { return false }
        failingWrites = left - 1
        isDiskFull = left > 1
        return left < 1
    }
}

extension FaultPlan.Action {
    fileprivate init?(_ text: Substring) {
        let words = text.split(separator: "=", omittingEmptySubsequences: false)
        switch (words[0], words.count) {
        case ("kill", 1): self = .kill
        case ("throw", 1): self = .fail
        case ("disk-full", 1): self = .fillDisk(writes: nil)
        case ("disk-full", 2):
            guard let writes = Int(words[1]), writes > 0 else { return nil }
            self = .fillDisk(writes: writes)
        case ("sleep", 2):
            guard let milliseconds = Int(words[1]), milliseconds >= 0 else { return nil }
            self = .sleep(.milliseconds(milliseconds))
        default: return nil
        }
    }
}

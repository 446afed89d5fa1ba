import Core
import Synchronization

/// What the kills of a run came to.
final class KillFigures: Sendable {
    struct Line: Sendable {
        var kills = 0
        var wishes = 0
        var cards = 0
        var mostCardsOfAWish = 0
        var delivered = 0
        var unknown = 0
        var reuses: Int64 = 0
        var damaged = 0
    }

    private let lines = Mutex<[String: Line]>([:])

    func add(_ name: String, _ change: (inout Line) -> Void) {
        lines.withLock { change(&$0[name, default: Line()]) }
    }

    var total: Line {
        lines.withLock { lines in
            lines.values.reduce(into: Line()) { sum, line in
                sum.kills += line.kills
                sum.wishes += line.wishes
                sum.cards += line.cards
                sum.mostCardsOfAWish = max(sum.mostCardsOfAWish, line.mostCardsOfAWish)
                sum.delivered += line.delivered
                sum.unknown += line.unknown
                sum.reuses += line.reuses
                sum.damaged += line.damaged
            }
        }
    }

    func kills(at name: String) -> Int { lines.withLock { $0[name]?.kills ?? 0 } }

    var table: String {
        let all = lines.withLock { $0 }.sorted { $0.key < $1.key } + [(key: "all", value: total)]
        let rows = all.map { name, line in
            ([name.padded(to: 26)]
                + [
                    line.kills, line.damaged, line.wishes, line.cards, line.mostCardsOfAWish, line.delivered,
                    line.unknown,
                    Int(line.reuses),
                ].map { "\($0)".padded(to: 10) }).joined()
        }
        let head =
            (["point".padded(to: 26)]
            + ["kills", "damaged", "wishes", "cards", "per wish", "delivered", "unknown", "reuses"].map {
                $0.padded(to: 10)
            }).joined()
        return ([head] + rows).joined(separator: "\n")
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}

/// Saves the person from being asked until they give in: after three refusals within a minute, a caller makes no card for
/// five minutes from the third one on.
///
/// It is derived from the refusals alone, so that a restart comes to the same. One that the operator has forgiven takes
/// along those within a minute of it.
package struct CoolDown: Hashable, Sendable {
    package static let refusals = 3
    package static let window = Duration.seconds(60)
    package static let pause = Duration.seconds(300)
    /// A refusal that is older decides nothing any more.
    package static let memory = window + pause

    private struct Refusal: Hashable {
        let id: AskID
        let instant: Instant
        var isForgiven: Bool
    }

    /// By time.
    private var refused: [Refusal] = []

    package init() {}

    /// The person said no. Refusals come in the order of their instants.
    package mutating func refuse(_ id: AskID, at instant: Instant, isForgiven: Bool = false) {
        refused.removeAll { instant - $0.instant > Self.memory }
        refused.append(Refusal(id: id, instant: instant, isForgiven: isForgiven))
    }

    package mutating func forgive(_ id: AskID) {
        for index in refused.indices where refused[index].id == id { refused[index].isForgiven = true }
    }

    /// How long it lasts from now on; `nil` when there is none.
    package func remaining(at now: Instant) -> Duration? {
        let pardons = refused.filter(\.isForgiven).map(\.instant)
        let counted = refused.map(\.instant).filter { instant in
            pardons.allSatisfy { max(instant - $0, $0 - instant) > Self.window }
        }
        guard counted.count >= Self.refusals else { return nil }
        let last = (Self.refusals - 1..<counted.count).last {
            counted[$0] - counted[$0 - Self.refusals + 1] <= Self.window
        }
        guard let last else { return nil }
        let end = counted[last] + Self.pause
        return now < end ? end - now : nil
    }
}

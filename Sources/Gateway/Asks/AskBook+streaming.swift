import Core
import MimiKey
import Strongbox

/// Asks as streams of events. There is no queue: what is written is how things stand when the reader is ready for more, and
/// never a result.
extension AskBook {
    /// A stream is not silent for longer.
    static let heartbeat = Duration.seconds(15)

    /// Writes the ask at once, at each change and at its end, which is the stream's.
    func stream(_ id: AskID, of caller: CallerName, until end: Instant, to writer: any BodyWriter) async throws {
        enter(id)
        defer { leave(id) }
        entries[id]?.hints?.yield()
        var known = EntityTags.listed([])
        var spokeAt = time.now()
        while true {
            try Task.checkCancellation()
            let view = try await view(id, of: caller, joined: false)
            if !known.match(view.tag) {
                try await writer.write(ServerSentEvent.event("state", view.json))
                if view.ask.state.isFinished { return }
                known = .listed([view.tag])
                spokeAt = time.now()
            } else if isDraining {
                return try await writer.write(ServerSentEvent.comment("shutting_down"))
            } else if time.now() >= end {
                return try await writer.write(ServerSentEvent.comment("the wait is over, the ask goes on"))
            } else if time.now() >= spokeAt + Self.heartbeat {
                try await writer.write(ServerSentEvent.comment("waiting"))
                spokeAt = time.now()
            } else {
                await wait(for: .change(from: known), of: id, until: min(end, spokeAt + Self.heartbeat))
            }
        }
    }

    /// Writes every open ask, whoever's, and each that changes; it ends with the gateway, or when nobody reads any more.
    func streamAll(_ states: AskQuery.States, to writer: any BodyWriter) async throws {
        let number = newWatcher()
        let open = entries.values.filter(\.isOpen).sorted { $0.ask.createdAt < $1.ask.createdAt }
        overviews[number] = Overview(changed: open.map(\.ask.id))
        defer { overviews[number] = nil }
        var known: [AskID: String] = [:]
        var spokeAt = time.now()
        while true {
            try Task.checkCancellation()
            if let id = overviews[number]?.take() {
                guard let view = try await anyView(id), known[id] != view.tag else { continue }
                known[id] = view.ask.state.isFinished ? nil : view.tag
                guard states.contain(view.ask.state) else { continue }
                try await writer.write(ServerSentEvent.event("ask", view.operatorJSON))
                spokeAt = time.now()
            } else if isDraining {
                return try await writer.write(ServerSentEvent.comment("shutting_down"))
            } else if time.now() >= spokeAt + Self.heartbeat {
                try await writer.write(ServerSentEvent.comment("waiting"))
                spokeAt = time.now()
            } else {
                // Nothing else runs between the look at what has changed and the hanging up of the bell.
                let (news, bell) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
                overviews[number]?.bell = bell
                await rest(until: spokeAt + Self.heartbeat, or: news)
            }
        }
    }

    private func anyView(_ id: AskID) async throws(Problem) -> AskView? {
        if let entry = entries[id] { return view(of: entry) }
        return try await journalledAsk(id).map(view(journalled:))
    }
}

/// What a reader of everybody's asks has not been told yet.
struct Overview {
    /// More than can be open at once; what is beyond is not told.
    private static let most = 1000

    private(set) var changed: [AskID]
    var bell: AsyncStream<Void>.Continuation?

    init(changed: [AskID]) { self.changed = changed }

    mutating func note(_ id: AskID) {
        if changed.count < Self.most, !changed.contains(id) { changed.append(id) }
        bell?.yield()
    }

    mutating func take() -> AskID? { changed.isEmpty ? nil : changed.removeFirst() }
}

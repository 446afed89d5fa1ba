import Core
import Strongbox

extension AskBook {
    /// Rows of the journal that are read at a time, and how often for one page: a search for what is rare comes back with a
    /// cursor, not late.
    private static let rowsAtOnce = 100
    private static let mostReads = 10

    struct Page: Sendable {
        var views: [AskView] = []
        /// Where the next page begins; `nil` at the end.
        var next: AskID?
    }

    /// Newest first; of everybody when no caller is given. No result is among it.
    func list(_ query: AskQuery, of caller: CallerName?) async throws(Problem) -> Page {
        var page = Page()
        var cursor = query.cursor
        for _ in 0..<Self.mostReads {
            let rows = try await journalled(of: caller, before: cursor)
            for (index, ask) in rows.enumerated() {
                cursor = ask.id
                // What is in memory is newer than the journal.
                let view = entries[ask.id].map { self.view(of: $0) } ?? self.view(journalled: ask)
                guard query.states.contain(view.ask.state) else { continue }
                page.views.append(view)
                if caller != nil { entries[ask.id]?.reachedSomeone = true }
                guard page.views.count == query.limit else { continue }
                let isLast = index == rows.count - 1 && rows.count < Self.rowsAtOnce
                page.next = isLast ? nil : ask.id
                return page
            }
            if rows.count < Self.rowsAtOnce { return page }
        }
        page.next = cursor
        return page
    }

    private func journalled(of caller: CallerName?, before cursor: AskID?) async throws(Problem) -> [Ask] {
        do throws(StoreError) {
            return try await store.asks(
                of: caller, before: cursor, finishedSince: time.wall() + (.zero - Self.readable),
                limit: Self.rowsAtOnce)
        } catch {
            throw unreadable(error)
        }
    }
}

import Core
import MimiKey
import Synchronization

/// Shows the consent cards of authorizations by the configured program, beside the requests that ask for it.
final class AuthorizationLinks: Sendable {
    private struct Link: Sendable {
        let id: String
        let url: String
    }

    /// [ours] As many as the client remembers authorizations.
    private static let remembered = 16

    /// `nil`: there is no program.
    private let opener: Opener?
    private let log: LogSink
    /// Whose last opening failed, newest last.
    private let failed = Mutex<[String]>([])
    private let links: AsyncStream<Link>
    private let newLinks: AsyncStream<Link>.Continuation

    init(opener: Opener?, log: @escaping LogSink) {
        self.opener = opener
        self.log = log
        (links, newLinks) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(Self.remembered))
    }

    /// Does not wait for the program.
    func open(_ authorization: AuthorizationStatus) {
        if opener != nil { newLinks.yield(Link(id: authorization.id, url: authorization.url)) }
    }

    /// Why the person does not see the card.
    func error(of id: String) -> ErrorCode? { failed.withLock { $0.contains(id) } ? .notInstalled : nil }

    /// Starts programs until the task is cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            for await link in links { group.addTask { await self.show(link) } }
            group.cancelAll()
        }
    }

    private func show(_ link: Link) async {
        guard let opener else { return }
        let isShown = await opener.open(link.url)
        if !isShown { log(LogEvent(.warning, "the opener failed at the link of an authorization")) }
        failed.withLock { failed in
            failed.removeAll { $0 == link.id }
            if !isShown { failed.append(link.id) }
            if failed.count > Self.remembered { failed.removeFirst() }
        }
    }
}

import Core
import Gateway

/// `countersign authorize`: asks the person for a grant, and waits for the consent.
enum AuthorizeVerb {
    static let verb = Verb(
        ["authorize"], "ask the person for a grant, and wait until they consent",
        options: [
            .config,
            Option(
                "--open", "COMMAND", "a program that opens the link; split at spaces, the link is its last argument"),
        ],
        notes: """
            The link goes to standard output: open it on the device where MimiKey is, or photograph the code that a
            terminal shows. A callback URL that ends up on that device can be pasted here, where this is a terminal. On this
            machine, without code and pasting, and where the configuration has no `open`, which opens the link as well:
              countersign authorize --open xdg-open
            """,
        run: run)

    private static func run(_ arguments: Arguments) async throws(Failure) -> ExitStatus {
        let configuration = try Configuration.inUse(arguments)
        let opener = arguments.value("--open")?.split(separator: " ").map(String.init)
        if let opener, opener.isEmpty { throw .usage("`--open` names no program", verb: verb) }
        let gateway = try GatewayClient(adminSocket: configuration.adminSocket)
        let authorization = try await Authorization.begin(gateway)
        do throws(Failure) {
            try await Signals.cancelling { () async throws(Failure) in
                Output.result(authorization.url)
                // Where a program opens the link nobody has to do it by hand, and what is typed is not meant for us.
                if opener == nil { Link(url: authorization.url).draw() }
                // A task of its own: a program that never ends does not keep us when the wait is over early.
                let opening = opener.flatMap { open(authorization.url, with: $0) }.map { child in
                    Task { await tellFailure(of: child) }
                }
                Output.talk("waiting for the consent in MimiKey")
                if opener == nil, Terminal.canAsk {
                    Output.hint("if MimiKey comes back on another device, paste the URL that it opens there here")
                }
                async let _ = opener == nil ? takePasted(gateway) : ()
                try await authorization.wait(gateway, pause: 15) {
                    Output.talk("still waiting for the consent in MimiKey")
                }
                await opening?.value
            }
        } catch {
            if error.status == .interrupted { await authorization.cancel(gateway) }
            await gateway.close()
            throw error
        }
        // Said only after what was stored has been read back.
        let grant = try await GrantShown.fetch(gateway)
        await gateway.close()
        guard grant.isAuthorized else { throw Failure(.notAuthorized, "the person consented, but there is no grant") }
        Output.talk("authorized: \(grant.id ?? "a grant"), vaults: \(grant.vaults.joined(separator: ", "))")
        return .ok
    }

    /// Hands on what is pasted while the consent is waited for: whichever comes first ends the wait.
    private static func takePasted(_ gateway: GatewayClient) async {
        var lines = TypedLines()
        while let line = await lines.next() {
            if line.isEmpty { continue }
            guard let callback = CallbackURL(typed: line) else {
                Output.talk("that is no callback: it is a URL with `state` in its query")
                continue
            }
            do throws(Failure) { try await gateway.hand(callback) } catch {
                if error.status != .interrupted { Output.talk(error.sentence) }
            }
        }
    }

    /// Waits for the program's end.
    private static func tellFailure(of child: Int32) async {
        let status = await Spawn.end(of: child)
        if status == 0 { return }
        Output.talk(
            status.map { "the program that was to open the link ended with status \($0)" }
                ?? "the program that was to open the link was killed")
        Output.hint("open the link by hand")
    }

    /// The link can be opened by hand all the same, so that a failure is only said.
    private static func open(_ url: String, with opener: [String]) -> Int32? {
        switch Spawn.start(opener + [url]) {
        case .started(let pid): return pid
        case .failed(let reason):
            Output.talk("\(opener[0].shownOnTerminal) could not be started: \(reason)")
            Output.hint("open the link by hand")
            return nil
        }
    }
}

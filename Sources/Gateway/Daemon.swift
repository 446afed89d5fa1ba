package import Core

/// The gateway as a running thing: configuration, store, listeners, open asks.
package final class Daemon: Sendable {
    /// Reads the configuration file, opens the store, binds the listeners, picks up open asks. Throws a `StartFailure`.
    package init(configurationFile: String, log: @escaping LogSink) async throws { fatalError() }

    /// Every address that is listened on, as bound.
    package var addresses: [ListenAddress] { fatalError() }

    /// Lets running answers end (waits are answered at once), then returns.
    package func shutDown() async { fatalError() }
}

/// Why the gateway did not start: one sentence, and how to mend it.
package struct StartFailure: Error, Sendable {
    package let code: ErrorCode
    package let detail: String
    package let hint: String?

    package init(code: ErrorCode, detail: String, hint: String?) {
        self.code = code
        self.detail = detail
        self.hint = hint
    }
}

/// What the kernel, or libuv on its behalf, answered.
package struct TransportError: Error, Hashable, Sendable {
    /// The name of the error, such as `EADDRINUSE`.
    package let name: String
    /// What was being done, such as `listening on 127.0.0.1:7447`.
    package let doing: String

    package init(name: String, doing: String) {
        self.name = name
        self.doing = doing
    }

    /// Work was asked of a loop that is stopping or has stopped.
    static func loopStopped(_ doing: String) -> TransportError {
        TransportError(name: "ECANCELED", doing: doing)
    }
}

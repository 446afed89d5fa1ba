import Core
import Gateway

extension Configuration {
    /// Reads the configuration that the arguments and the environment point to.
    static func inUse(_ arguments: Arguments) throws(Failure) -> Configuration {
        try read(try Places.configuration(arguments))
    }

    /// Reads a file; the failure holds every problem of it.
    static func read(_ file: String) throws(Failure) -> Configuration {
        do throws(ConfigurationError) { return try load(file: file) } catch { throw Failure(error) }
    }

    /// Where callers reach the gateway; `nil` when it only listens on ports that are chosen at its start.
    var callerOrigin: Origin? {
        guard let address = listeners.map(\.address).first(where: { $0.port != 0 }) else { return nil }
        return Origin(scheme: .http, host: address.ip.description, port: address.port)
    }
}

extension Failure {
    /// Every problem of the file, one a line.
    init(_ error: ConfigurationError) {
        let lines = error.lines.map(\.shownOnTerminal)
        self.init(.configuration, lines.joined(separator: "\ncountersign: "))
    }
}

import Core
import Glibc
package import Transport

/// Socket activation, as systemd does it (`sd_listen_fds(3)`): sockets that another process listens on are inherited from
/// descriptor 3 on, and three environment variables tell of them.
package enum Activation {
    /// No configuration has so many addresses.
    private static let most = 64
    private static let variables = ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"]

    /// The sockets that are meant for this process. Call once, early: afterwards nothing tells of them any more, here and
    /// in our children.
    package static func take() throws(StartFailure) -> [PassedSocket] { try take(from: 3) }

    static func take(from first: Int32) throws(StartFailure) -> [PassedSocket] {
        let values = variables.map { name in getenv(name).map { String(cString: $0) } }
        for name in variables { unsetenv(name) }
        // They may have been inherited from a process for which they were meant.
        guard let pid = values[0], pid == String(getpid()), let text = values[1] else { return [] }
        guard let count = Int(text), (0...most).contains(count) else {
            throw failure("`LISTEN_FDS` is no number from 0 to \(most)")
        }
        let names = values[2]?.split(separator: ":", omittingEmptySubsequences: false) ?? []
        var sockets: [PassedSocket] = []
        for index in 0..<count {
            let name = index < names.count ? String(names[index]) : "unknown"
            do throws(TransportError) {
                sockets.append(try PassedSocket(taking: first + Int32(index), name: name))
            } catch {
                throw failure("`LISTEN_FDS` is \(count), and descriptor \(first + Int32(index)) is not open")
            }
        }
        return sockets
    }

    private static func failure(_ detail: String) -> StartFailure {
        StartFailure(
            code: ErrorCode("listen"), detail: detail, hint: "start the gateway by its socket unit, or without one")
    }
}

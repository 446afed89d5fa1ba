import Foundation

/// Many connections to 127.0.0.1 at once, looked after by one thread at a time.
package final class Crowd: @unchecked Sendable {
    /// What became of one of them.
    package struct End: Sendable {
        package let received: String
        /// From when it had joined.
        package let after: Duration
    }

    // Each method runs to its end before the next is called.
    private var members: [(socket: RawSocket, joined: ContinuousClock.Instant)] = []
    private let port: UInt16

    package init(port: UInt16) { self.port = port }

    package var count: Int { members.count }

    /// Lets this process have so many descriptors; `false` when the system does not allow it.
    package static func allowDescriptors(_ count: UInt) -> Bool {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        if limit.rlim_cur >= count { return true }
        guard limit.rlim_max >= count else { return false }
        limit.rlim_cur = count
        return setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
    }

    /// Connects some more, and has each of them say something.
    package func join(_ count: Int, saying text: String = "") async throws {
        try await RawSocket.offThread { [self] in
            for _ in 0..<count {
                let socket = RawSocket(owning: Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
                try socket.connectHere(port: port)
                say(text, to: socket)
                members.append((socket, ContinuousClock.now))
            }
        }
    }

    /// Has everyone who is still there say something.
    package func say(_ text: String) async throws {
        try await RawSocket.offThread { [self] in
            for member in members { say(text, to: member.socket) }
        }
    }

    private func say(_ text: String, to socket: RawSocket) {
        let bytes = Array(text.utf8)
        if !bytes.isEmpty { _ = send(socket.descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)) }
    }

    /// Waits until the server has ended every connection, or until the time is over; what each of those got that were
    /// ended. Every `interval`, who is left says something.
    package func untilEnded(
        within limit: Duration, saying text: String = "", every interval: Duration = .seconds(3600)
    ) async throws -> [End] {
        try await RawSocket.offThread { [self] in
            let begun = ContinuousClock.now
            var nextSaying = begun + interval
            var received = [[UInt8]](repeating: [], count: members.count)
            var ends: [End] = []
            var left = Array(members.indices)
            while !left.isEmpty, ContinuousClock.now - begun < limit {
                if ContinuousClock.now >= nextSaying {
                    for index in left { say(text, to: members[index].socket) }
                    nextSaying += interval
                }
                var polls = left.map { pollfd(fd: members[$0].socket.descriptor, events: Int16(POLLIN), revents: 0) }
                _ = poll(&polls, nfds_t(polls.count), 100)
                var still: [Int] = []
                for (index, state) in zip(left, polls) {
                    if state.revents != 0, isAtEnd(index, &received[index]) {
                        ends.append(
                            End(
                                received: String(decoding: received[index], as: UTF8.self),
                                after: ContinuousClock.now - members[index].joined))
                    } else {
                        still.append(index)
                    }
                }
                left = still
            }
            members = left.map { members[$0] }
            return ends
        }
    }

    private func isAtEnd(_ index: Int, _ received: inout [UInt8]) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        let count = recv(members[index].socket.descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        if count > 0 { received += buffer[..<count] }
        return count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)
    }

    /// Everyone leaves.
    package func leave() { members = [] }
}

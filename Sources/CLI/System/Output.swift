import Glibc
import Synchronization

/// Results go to standard output, everything else to standard error.
enum Output {
    /// One line, or several, of result.
    static func result(_ text: String) { result(Array(text.utf8)) }

    /// Bytes of result as they are, and a line end.
    static func result(_ bytes: [UInt8]) {
        switch write(bytes + [0x0A], to: STDOUT_FILENO) {
        case .taken: break
        case .unread: unread.store(true, ordering: .relaxed)
        case .lost: lost.store(true, ordering: .relaxed)
        }
    }

    /// Was there a result that standard output did not take (a full disk, no standard output at all)?
    static var hasLostResult: Bool { lost.load(ordering: .relaxed) }
    private static let lost = Atomic<Bool>(false)

    /// Is more of it in vain, because nobody reads it or it is not taken?
    static var isInVain: Bool { unread.load(ordering: .relaxed) || hasLostResult }
    private static let unread = Atomic<Bool>(false)

    /// `countersign: sentence`.
    static func talk(_ sentence: String) { say(Array("countersign: \(sentence)\n".utf8)) }

    /// `hint: …`, below what was said.
    static func hint(_ text: String) { say(Array("hint: \(text)\n".utf8)) }

    /// A line of text for the person as it is.
    static func note(_ text: String) { say(Array((text + "\n").utf8)) }

    /// Standard error is given a second: who has stopped reading it does not keep the program from ending.
    private static func say(_ bytes: [UInt8]) {
        var readiness = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
        guard poll(&readiness, 1, 1000) == 1 else { return }
        _ = write(bytes, to: STDERR_FILENO)
    }

    private enum Writing {
        case taken
        /// Who reads has gone: the rest is dropped.
        case unread
        /// Not taken for another reason.
        case lost
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Writing {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EINTR { continue }
                return errno == EPIPE ? .unread : .lost
            }
            rest = rest.dropFirst(count)
        }
        return .taken
    }
}

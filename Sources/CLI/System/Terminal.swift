import Glibc

/// The terminal that the person sits at, if there is one.
enum Terminal {
    /// May a picture be drawn on standard error: is it a terminal that knows colours?
    static var showsPictures: Bool {
        guard isatty(STDERR_FILENO) == 1, let kind = Process.environment("TERM") else { return false }
        return kind != "dumb"
    }

    /// How wide standard error is; `nil` when the terminal does not say.
    static var columns: Int? {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// Can the person be asked something: do both what they type and what we say go over a terminal?
    static var canAsk: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

    /// Is the terminal ours to read from? A program in the background that reads is stopped.
    fileprivate static var isOurs: Bool { isatty(STDIN_FILENO) == 1 && tcgetpgrp(STDIN_FILENO) == getpgrp() }

    /// Runs `body` while what is typed is not shown.
    static func hidingInput<Value>(_ body: () async throws(Failure) -> Value) async throws(Failure) -> Value {
        var before = termios()
        guard tcgetattr(STDIN_FILENO, &before) == 0 else { return try await body() }
        var hidden = before
        hidden.c_lflag &= ~tcflag_t(ECHO)
        hidden.c_lflag |= tcflag_t(ECHONL)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
        defer { tcsetattr(STDIN_FILENO, TCSADRAIN, &before) }
        return try await body()
    }
}

/// The lines that the person types or pastes while the program waits for something else. Only a terminal is read: what
/// comes by a pipe is somebody else's.
struct TypedLines: Sendable {
    private var buffer: [UInt8] = []
    private var hasEnded = false

    /// Longer than the kernel lets a line be.
    private static let longest = 16 << 10
    /// How often it is looked whether something was typed. A thread that waited for it could not be called off.
    private static let pause = Duration.milliseconds(100)

    /// The next line without its end, as bytes; `nil` when there will be none, or the task is cancelled.
    mutating func next() async -> [UInt8]? {
        while true {
            if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                let line = Array(buffer[..<end])
                buffer.removeSubrange(...end)
                return line
            }
            if hasEnded || buffer.count > Self.longest || Task.isCancelled { return nil }
            if Self.isReadable {
                read()
            } else {
                do { try await Task.sleep(for: Self.pause) } catch { return nil }
            }
        }
    }

    private static var isReadable: Bool {
        var readiness = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        return Terminal.isOurs && poll(&readiness, 1, 0) == 1
    }

    private mutating func read() {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = Glibc.read(STDIN_FILENO, &bytes, bytes.count)
        if count > 0 { buffer += bytes[..<count] }
        if count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN) { hasEnded = true }
    }
}

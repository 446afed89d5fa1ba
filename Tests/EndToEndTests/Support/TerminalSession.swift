import Foundation
import Testing

/// `countersign` on a terminal of its own. What the terminal shows can be waited for; standard output is a pipe, as in
/// `$(…)`.
final class TerminalSession: Sendable {
    let running: Running
    private let keyboard: String

    private static let script = """
        import fcntl, os, select, struct, sys, termios
        keyboard, columns, program = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
        master, slave = os.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
        child = os.fork()
        if child == 0:
            os.setsid()
            fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
            os.dup2(slave, 0)
            os.dup2(slave, 2)
            os.closerange(3, 20)
            os.execvp(program[0], program)
        os.close(slave)
        typed = os.open(keyboard, os.O_RDWR)
        while True:
            ready, _, _ = select.select([master, typed], [], [])
            if typed in ready:
                os.write(master, os.read(typed, 65536))
            if master in ready:
                try:
                    shown = os.read(master, 65536)
                except OSError:
                    break
                if not shown:
                    break
                os.write(2, shown)
        _, status = os.waitpid(child, 0)
        sys.exit(os.WEXITSTATUS(status) if os.WIFEXITED(status) else 200 + os.WTERMSIG(status))
        """

    init(_ arguments: [String], in home: Home, kind: String = "xterm", columns: Int = 200) throws {
        keyboard = home.directory + "/keyboard-\(UUID().uuidString)"
        try #require(mkfifo(keyboard, 0o600) == 0)
        running = try Running(
            "env",
            ["TERM=\(kind)", "python3", "-c", Self.script, keyboard, "\(columns)", "countersign"] + arguments, in: home)
    }

    /// `"\u{3}"` is Ctrl-C.
    func type(_ text: String) throws {
        let descriptor = open(keyboard, O_RDWR)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let bytes = Array(text.utf8)
        try #require(write(descriptor, bytes, bytes.count) == bytes.count)
    }

    func says(_ text: String) async throws { try await running.says(text) }
    func finished() async -> Finished { await running.finished() }
}

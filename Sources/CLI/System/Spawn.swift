import Glibc

/// Starts a program that opens a URL: without a shell, found by `PATH`, the URL as its last argument, with a clean
/// environment. No descriptor but the three standard ones is passed on, see `Process.prepare`.
enum Spawn {
    /// What a program for the desktop or the terminal needs, and the sandbox's own; nothing else is passed on.
    private static let passedOn = [
        "PATH", "HOME", "TERM", "LANG", "DISPLAY", "XAUTHORITY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR",
        "XDG_CURRENT_DESKTOP", "DBUS_SESSION_BUS_ADDRESS", "COUNTERSIGN_SANDBOX",
    ]

    /// What became of it.
    enum Outcome: Hashable, Sendable {
        case started(pid: Int32)
        /// The system's own words.
        case failed(String)
    }

    /// Its standard output goes to our standard error (ours is for results); it reads nothing.
    static func start(_ arguments: [String]) -> Outcome {
        guard let program = arguments.first else { return .failed("no program is named") }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // What we block and ignore is our business, not the program's.
        var nothing = sigset_t()
        sigemptyset(&nothing)
        var defaults = nothing
        sigaddset(&defaults, SIGPIPE)
        posix_spawnattr_setsigmask(&attributes, &nothing)
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        let environment = passedOn.compactMap { name in Process.environment(name).map { "\(name)=\($0)" } }
        var pid: pid_t = 0
        let code = withPointers(to: arguments) { argv in
            withPointers(to: environment) { variables in
                posix_spawnp(&pid, program, &actions, &attributes, argv, variables)
            }
        }
        return code == 0 ? .started(pid: pid) : .failed(String(cString: strerror(code)))
    }

    /// Waits for its end, on a thread of the pool; `nil` when a signal ended it.
    @concurrent
    static func end(of pid: Int32) async -> Int32? {
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : nil
    }

    private static func withPointers<Result>(
        to texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let copies = texts.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return body(copies + [nil])
    }
}

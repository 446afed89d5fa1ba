import Core
import Glibc

/// Shows a card by handing its `mimikey://` URL to a program.
struct Opener: Sendable {
    /// `true` when the card was shown, as far as can be told.
    let open: @Sendable (_ url: String) async -> Bool

    init(_ open: @escaping @Sendable (_ url: String) async -> Bool) { self.open = open }

    /// Runs `arguments` and the URL as one more argument: without a shell, with a clean environment and no descriptor
    /// of ours. Waits for its end; its exit status says whether it worked.
    init(running arguments: [String], time: TimeSource) {
        open = { url in
            guard url.hasPrefix("mimikey://"), let child = ChildProcess(arguments + [url]) else { return false }
            var pause = Duration.milliseconds(20)
            while true {
                if let succeeded = child.hasSucceeded() { return succeeded }
                // When the gateway ends first, the program goes on by itself.
                guard (try? await time.sleep(time.now() + pause)) != nil else { return true }
                pause = min(pause * 2, .seconds(1))
            }
        }
    }
}

/// A program that was started, until its end is collected.
private struct ChildProcess {
    /// What a program for the desktop needs, and nothing else of ours.
    private static let passedOn = [
        "PATH", "HOME", "DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS",
    ]

    /// `POSIX_SPAWN_SETSID`, which the imported header does not show: Ctrl-C in our terminal is not for it.
    private static let ownSession: Int16 = 0x80

    private let id: pid_t

    /// What we were started with, beside the three standard ones. Descriptors of our own are closed on exec.
    private static var inherited: [Int32] {
        guard let directory = opendir("/proc/self/fd") else { return [] }
        defer { closedir(directory) }
        var found: [Int32] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard let descriptor = Int32(name), descriptor > 2 else { continue }
            let flags = fcntl(descriptor, F_GETFD)
            if flags >= 0, flags & FD_CLOEXEC == 0 { found.append(descriptor) }
        }
        return found
    }

    /// `nil` when it cannot be started.
    init?(_ arguments: [String]) {
        guard let program = arguments.first, !arguments.contains(where: { $0.utf8.contains(0) }) else { return nil }
        var actions = posix_spawn_file_actions_t()
        guard posix_spawn_file_actions_init(&actions) == 0 else { return nil }
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        for descriptor in Self.inherited { posix_spawn_file_actions_addclose(&actions, descriptor) }

        var attributes = posix_spawnattr_t()
        guard posix_spawnattr_init(&attributes) == 0 else { return nil }
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        let flags = Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK) | Self.ownSession
        posix_spawnattr_setflags(&attributes, flags)

        let environment = Self.passedOn.compactMap { name in
            getenv(name).map { "\(name)=\(String(cString: $0))" }
        }
        var arguments = arguments.map { strdup($0) } + [nil]
        var variables = environment.map { strdup($0) } + [nil]
        defer { for text in arguments + variables { free(text) } }
        var id: pid_t = 0
        guard posix_spawnp(&id, program, &actions, &attributes, &arguments, &variables) == 0 else { return nil }
        self.id = id
    }

    /// `nil` while it runs.
    func hasSucceeded() -> Bool? {
        var status: Int32 = 0
        let found = waitpid(id, &status, WNOHANG)
        if found == 0 || (found < 0 && errno == EINTR) { return nil }
        return found == id && status == 0
    }
}

import CHardening
import Glibc

/// This process.
enum Process {
    /// First lines of the program, of every verb: no core file may ever hold a secret, nobody of the same user may look
    /// into our memory, a crash prints nothing of it, and a reader that went away is no reason to die.
    static func prepare() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        _ = setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        let isPrivate = hardening_forbid_tracing()
        hardening_drop_crash_handlers()
        hardening_keep_descriptors()
        hardening_lock_what_may_be_locked()
        _ = signal(SIGPIPE, SIG_IGN)
        fillStandardDescriptors()
        if !isPrivate { Output.talk("the kernel lets other programs of this user read our memory") }
    }

    /// A program that was started without them would give their numbers to the next files and sockets of its own, and
    /// what is said to the person would be written there. For reading only, so that a lost result is noticed.
    private static func fillStandardDescriptors() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            _ = open("/dev/null", O_RDONLY)
        }
    }

    /// For what runs unattended: signals that have no meaning here do not end it.
    static func ignoreUnusedSignals() {
        // SIGXFSZ: a file that may not grow is a failed write. SIGTTOU: a line on a terminal that is not ours does not stop us.
        for number in [
            SIGHUP, SIGALRM, SIGUSR1, SIGUSR2, SIGVTALRM, SIGPROF, SIGPOLL, SIGPWR, SIGXFSZ, SIGXCPU, SIGTTOU, SIGTTIN,
        ] { _ = signal(number, SIG_IGN) }

    }

    static func exit(_ status: ExitStatus) -> Never { Glibc.exit(status.rawValue) }

    /// The path of the running program.
    static var executable: String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        guard count > 0 else { return nil }
        return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The value of an environment variable; `nil` also when it is empty.
    static func environment(_ name: String) -> String? {
        guard let value = getenv(name) else { return nil }
        let text = String(cString: value)
        return text.isEmpty ? nil : text
    }
}

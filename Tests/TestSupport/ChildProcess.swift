import Foundation
import Synchronization

/// A child process with pipes on its output and error. Foundation's `Process` lets the pipes of one child leak into
/// others that are started at the same time, so that their ends are not seen; here they are closed on `exec`.
package struct ChildProcess: Sendable {
    package let id: Int32
    package let output: Int32
    package let errors: Int32

    package struct NotStarted: Error, Sendable { package let code: Int32 }

    /// One child at a time: none is started between the making of a pipe and its mark.
    private static let starting = Mutex(())

    package init(_ arguments: [String], environment: [String: String], directory: String) throws {
        self = try Self.starting.withLock { _ in
            let output = try Self.makePipe()
            let errors = try Self.makePipe()
            defer {
                close(output.write)
                close(errors.write)
            }
            var actions = posix_spawn_file_actions_t()
            posix_spawn_file_actions_init(&actions)
            defer { posix_spawn_file_actions_destroy(&actions) }
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
            posix_spawn_file_actions_adddup2(&actions, output.write, 1)
            posix_spawn_file_actions_adddup2(&actions, errors.write, 2)
            // Whatever other tests have open is not the child's.
            for descriptor in 3...(try Self.highestDescriptor()) {
                posix_spawn_file_actions_addclose(&actions, descriptor)
            }
            // Threads of a pool block signals, and a program that was born with SIGTERM blocked would not end by it.
            var attributes = posix_spawnattr_t()
            posix_spawnattr_init(&attributes)
            defer { posix_spawnattr_destroy(&attributes) }
            var none = sigset_t()
            sigemptyset(&none)
            posix_spawnattr_setsigmask(&attributes, &none)
            posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
            var argv = (["env", "-C", directory] + arguments).map { strdup($0) } + [nil]
            var variables = environment.map { strdup("\($0)=\($1)") } + [nil]
            defer { for text in argv + variables { free(text) } }
            var id: pid_t = 0
            let code = posix_spawn(&id, "/usr/bin/env", &actions, &attributes, &argv, &variables)
            guard code == 0 else { throw NotStarted(code: code) }
            return ChildProcess(id: id, output: output.read, errors: errors.read)
        }
    }

    private init(id: pid_t, output: Int32, errors: Int32) {
        self.id = id
        self.output = output
        self.errors = errors
    }

    private static func highestDescriptor() throws -> Int32 {
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int32($0) }
        return max(open.max() ?? 3, 3)
    }

    private static func makePipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw NotStarted(code: errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// Reads to the end on a thread of its own; the last call is with no bytes.
    package static func read(_ descriptor: Int32, _ body: @escaping @Sendable ([UInt8]) -> Void) {
        Thread.detachNewThread {
            var buffer = [UInt8](repeating: 0, count: 64 << 10)
            while true {
                let count = Foundation.read(descriptor, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                body(Array(buffer[..<max(0, count)]))
                if count <= 0 { break }
            }
            close(descriptor)
        }
    }

    /// Waits for the end on a thread of its own: its exit status, or minus the signal that ended it.
    package func waitForEnd(_ body: @escaping @Sendable (Int32) -> Void) {
        Thread.detachNewThread {
            var status: Int32 = 0
            while waitpid(id, &status, 0) < 0, errno == EINTR {}
            body(status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F))
        }
    }

    /// Runs a program that soon ends, and holds the thread until then; its exit status.
    package static func status(of arguments: [String]) throws -> Int32 {
        let child = try ChildProcess(
            arguments, environment: ProcessInfo.processInfo.environment, directory: NSTemporaryDirectory())
        for pipe in [child.output, child.errors] { read(pipe) { _ in } }
        var status: Int32 = 0
        while waitpid(child.id, &status, 0) < 0, errno == EINTR {}
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F)
    }
}

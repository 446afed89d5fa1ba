import Foundation
import TestSupport
import Testing

/// What a running gateway keeps from its own user, and what a crash of it leaves behind: nothing.
@Suite(.timeLimit(.minutes(3))) struct HardeningTests {
    @Test func `SE-05 nobody of the same user may attach to the gateway, dump it or read its memory`() async throws {
        let stage = try await Stage(person: "none", authorized: false, manners: .polite)
        await stage.gateway.end()
        let gateway = try Running("env", Tracer.asOrdinaryUser + ["countersign", "serve"], in: stage.home)
        try await gateway.says("listening on http://127.0.0.1:\(stage.port)")
        let found = try await Tracer.attempts(on: gateway.processID, in: stage.home)
        let refused =
            ["mem", "environ", "maps", "auxv"].map { ($0, "EACCES") }
            + ["process_vm_readv", "attach", "seize"].map { ($0, "EPERM") }
        #expect(found == Dictionary(uniqueKeysWithValues: refused))

        // Otherwise it is the machine that refuses, and this test says nothing of us.
        let ordinary = try Running("env", Tracer.asOrdinaryUser + ["sleep", "600"], in: stage.home)
        try await ordinary.hasBecome("sleep")
        let allowed = try await Tracer.attempts(on: ordinary.processID, in: stage.home)
        #expect(allowed["mem"] == "ok" && allowed["environ"] == "ok", "\(allowed)")
        ordinary.signal(SIGKILL)
        _ = await ordinary.finished()

        let limits = try Procfs.text("limits", of: gateway.processID)
        let core = limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") }
        #expect(core?.split(separator: " ").suffix(3) == ["0", "0", "bytes"])
        await gateway.end()
        await stage.sandbox.end()
    }

    /// Runs a command with no signal blocked; the threads that start our children block most of them.
    private static let unblocking =
        "import os, signal, sys; signal.pthread_sigmask(signal.SIG_SETMASK, []); os.execvp(sys.argv[1], sys.argv[1:])"

    /// Whatever the environment asks of the runtime's backtracer, which would print registers and memory.
    @Test(arguments: [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV])
    func `SE-06 a crash prints nothing and writes no core`(signal number: Int32) async throws {
        let home = try Home()
        let port = try Ports.free()
        let asked = "SWIFT_BACKTRACE=enable=yes,interactive=no,color=no,registers=all,output-to=stderr"
        let crashing = try Running(
            "python3",
            ["-c", Self.unblocking, "env", asked, "countersign", "sandbox", "--listen", "127.0.0.1:\(port)"], in: home)
        try await crashing.says("sandbox listening on")
        let status = try Procfs.text("status", of: crashing.processID)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("SigCgt:") })
        let caught = try #require(line.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) })
        #expect(caught >> UInt64(number - 1) & 1 == 0, "a handler waits for signal \(number)")
        crashing.signal(number)
        let finished = await crashing.finished()
        #expect(finished.status == -number)
        #expect(finished.errors.split(separator: "\n").allSatisfy { $0.hasPrefix("countersign:") || $0.hasPrefix("{") })
        #expect(finished.output.isEmpty)
        let left = try FileManager.default.subpathsOfDirectory(atPath: home.directory)
        #expect(!left.contains { $0.contains("core") || $0.contains("crash") }, "\(left)")
    }
}

extension Running {
    /// Returns once the program that was named last runs: what stands before it in a command has been replaced by it.
    fileprivate func hasBecome(_ program: String) async throws {
        while try Procfs.text("comm", of: processID) != program + "\n" { try await Task.sleep(for: .milliseconds(5)) }
    }
}

/// What the kernel shows of a process.
enum Procfs {
    static func bytes(_ file: String, of process: Int32) throws -> [UInt8] {
        let handle = try FileHandle(forReadingFrom: URL(filePath: "/proc/\(process)/\(file)"))
        defer { try? handle.close() }
        return Array(try handle.readToEnd() ?? Data())
    }

    static func text(_ file: String, of process: Int32) throws -> String {
        String(decoding: try bytes(file, of: process), as: UTF8.self)
    }
}

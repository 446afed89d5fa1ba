import Foundation
import TestSupport
import Testing

/// Started without what programs are usually started with, and signals that mean nothing here.
@Suite(.timeLimit(.minutes(3))) struct OddStartTests {
    @Test func `without standard descriptors nothing of ours takes their numbers`() async throws {
        let home = try Home()
        let port = try Ports.free()
        let sandbox = try Running(
            "sh", ["-c", "exec countersign sandbox --listen 127.0.0.1:\(port) <&- >&- 2>&-"], in: home)
        let statistics = try await home.curl(
            "--retry-connrefused", "--retry", "60", "--retry-delay", "1", "http://127.0.0.1:\(port)/_sandbox/stats")
        #expect(statistics.status == 200)
        // Nobody but root is told what a process of ours has open.
        for descriptor in getuid() == 0 ? [0, 1, 2] : [] {
            let path = "/proc/\(sandbox.processID)/fd/\(descriptor)"
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == "/dev/null")
        }
        await sandbox.end()
    }

    @Test(arguments: [">/dev/full", ">&-"])
    func `UI-04 a result that is lost is no success`(_ output: String) async throws {
        let home = try Home()
        let made = try await Running("sh", ["-c", "exec countersign caller new agent \(output)"], in: home).finished()
        #expect(made.status == 1)
        #expect(made.errors.contains("standard output could not be written"))
    }

    @Test func `LC-11 signals that mean nothing here do not end the gateway`() async throws {
        let stage = try await Stage(person: "none", authorized: false, manners: .polite)
        for number in [
            SIGHUP, SIGPIPE, SIGALRM, SIGUSR1, SIGUSR2, SIGCHLD, SIGVTALRM, SIGPROF, SIGPOLL, SIGPWR, SIGXFSZ, SIGXCPU,
            SIGTTIN, SIGTTOU, SIGURG, SIGWINCH,
        ] { stage.gateway.signal(number) }
        #expect(try await stage.home.curl(stage.url("/healthz")).status == 200)
        #expect(await stage.gateway.end().status == 0)
        await stage.end()
    }
}

import Core
import Foundation
import Testing

/// What is secret is in no log, in no file but where it belongs, in no error and in no command line, in no form.
@Suite(.timeLimit(.minutes(10))) struct CanaryMatrixTests {
    @Test(arguments: ["debug", "info", "warning", "error"])
    func `SE-01 SE-02 SE-04 nothing secret is said or written on any way, at any level`(level: String) async throws {
        let sweep = try await Sweep(level: level)
        let stage = sweep.stage
        try await sweep.goWell()
        try await sweep.misuse()
        try await sweep.beRefused()
        try await sweep.comeBack()
        try await sweep.meetFaults()

        var search = Search(sweep.secrets)
        try search.add(startOf: stage.gateway.processID, "the gateway")
        try search.add(startOf: stage.sandbox.processID, "the sandbox")
        let carriers: Set = [".config/countersign/master.key", "token"]
        try search.add(filesOf: stage.home.directory, besides: carriers)
        // A crash, or a death that nothing can be done about: both leave files, and could leave a core.
        let end = ["debug", "info"].contains(level) ? SIGSEGV : SIGKILL
        stage.gateway.signal(end)
        let killed = await stage.gateway.finished()
        #expect(killed.status == -end)
        try search.add(filesOf: stage.home.directory, besides: carriers)
        let again = try stage.home.start("serve", "--log", level)
        try await again.says("listening on http://127.0.0.1:\(stage.port)")
        let ended = await again.end()
        try search.add(filesOf: stage.home.directory, besides: carriers)
        let sandbox = await stage.sandbox.end()
        let logs = [("the gateway", killed), ("the gateway, started again", ended), ("the sandbox", sandbox)]
        for (name, finished) in logs { search.add(finished.output + finished.errors, "the log of \(name)") }
        for (place, text) in sweep.said { search.add(text, place) }
        let found = await search.found()
        #expect(found.isEmpty, "\(Set(found).sorted().joined(separator: "\n"))")

        // What is not secret, but was sent by others where it does not belong, is in no log either.
        var strays = Search([Canary("a stray text", sweep.stray)])
        for (name, finished) in logs { strays.add(finished.output + finished.errors, "the log of \(name)") }
        let straysFound = await strays.found()
        #expect(straysFound.isEmpty, "\(straysFound)")

        let lines = logs.flatMap { LogShapes.lines(of: $0.1.errors) }
        for line in lines { LogShapes.check(line) }
        if level == "debug" || level == "info" { #expect(lines.count > 200, "the log was not looked at") }
        print(
            "canaries at \(level): \(sweep.steps) steps, \(search.canaries.count) canaries in \(search.forms) forms, "
                + "\(search.places) places, \(search.bytes) bytes, \(lines.count) lines of log")
    }
}

import Core
import Foundation
import Testing

/// Where the system locks little memory, and what then becomes of the gateway.
@Suite(.timeLimit(.minutes(3))) struct LockedMemoryTests {
    /// `countersign` with a limit on locked memory, as an ordinary user: root has none.
    private static func countersign(limit: Int, _ words: String...) -> [String] {
        ["prlimit", "--memlock=\(limit):\(limit)"] + Tracer.asOrdinaryUser + ["countersign"] + words
    }

    @Test func `SE-07 with 64 KiB of locked memory the gateway warns, and runs`() async throws {
        let stage = try await Stage(person: "after=0s", authorized: false, manners: .polite)
        await stage.gateway.end()
        let gateway = try Running("env", Self.countersign(limit: 65536, "serve"), in: stage.home)
        try await gateway.says("listening on http://127.0.0.1:\(stage.port)")
        _ = try await stage.authorize()
        for number in 0..<4 {
            let body = #"{"op":"pick_item","hint":{"url":"https://bank.example.com/\#(number)"}}"#
            #expect(try await stage.ask(wait: 20, body: body).record?["password"]?.string != nil)
        }
        let ended = await gateway.end()
        #expect(ended.status == 0)
        let warnings = ended.errors.split(separator: "\n").filter { $0.contains("memory_not_locked") }
        #expect(warnings.count == 1)
        #expect(warnings.first?.contains("ulimit -l") == true)
        let check = try await Running("env", Self.countersign(limit: 65536, "check"), in: stage.home).finished()
        #expect(check.status == 0)
        #expect(check.errors.contains("memory_not_locked"))
        await stage.sandbox.end()
    }

    @Test func `SE-07 the gateway does not start where it must lock memory and cannot`() async throws {
        let stage = try await Stage(person: "none", authorized: false, manners: .polite)
        await stage.gateway.end()
        let refused = try await Running(
            "env", Self.countersign(limit: 65536, "serve", "--require-locked-memory"), in: stage.home
        ).finished()
        #expect(refused.status == 7)
        #expect(refused.errors.contains("secrets could reach swap"))
        #expect(refused.errors.contains("hint: raise `ulimit -l`"))
        var hard = rlimit()
        getrlimit(__rlimit_resource_t(8), &hard)
        // As much as Debian gives everybody, if this machine gives it to us.
        if getuid() == 0 || hard.rlim_max >= 8 << 20 {
            let words = Self.countersign(limit: 8 << 20, "serve", "--require-locked-memory")
            let gateway = try Running("env", words, in: stage.home)
            try await gateway.says("listening on http://127.0.0.1:\(stage.port)")
            #expect(!(await gateway.end().errors.contains("memory_not_locked")))
        }
        await stage.sandbox.end()
    }
}

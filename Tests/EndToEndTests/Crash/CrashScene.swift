import Core
import Foundation
import TestSupport
import Testing

@testable import Strongbox

/// One sandbox, and one gateway after the other over the same state.
final class CrashScene: Sendable {
    let home: Home
    let port: UInt16
    let state: String
    let token: String
    let sandbox: HTTPCaller
    private let sandboxProcess: Running

    /// A gateway's life.
    struct Life: Sendable {
        let process: Running
        let caller: HTTPCaller

        func kill() async {
            process.signal(SIGKILL)
            _ = await process.finished()
            await caller.close()
        }

        func end() async -> Int32 {
            let status = await process.end().status
            await caller.close()
            return status
        }

        /// Returns when a fault has killed it; fails when something else ended it.
        func hasBeenKilled() async {
            let ended = await process.finished()
            #expect(ended.status == -SIGKILL, "\(ended.errors)")
            await caller.close()
        }
    }

    /// - Parameter state: where it lies, instead of the usual place.
    init(person: String, state: String? = nil) async throws {
        port = try Ports.free()
        let sandboxPort = try Ports.free()
        home = try Home(sandbox: "http://127.0.0.1:\(sandboxPort)")
        sandboxProcess = try home.start(
            "sandbox", "--listen", "127.0.0.1:\(sandboxPort)", "--approve", person, "--redirect-uri",
            "http://127.0.0.1:\(port)/callback")
        try await sandboxProcess.says("sandbox listening on")
        sandbox = try HTTPCaller(port: sandboxPort)
        self.state = state ?? home.state
        let arguments = [
            "init", "--origin", "http://127.0.0.1:\(sandboxPort)", "--client-id", "pmc_sandbox", "--port", "\(port)",
            "--state", self.state,
        ]
        let made = try await Running("countersign", arguments, in: home).finished()
        token = made.line
        let configuration = try home.text(home.configuration)
        _ = try home.write(
            configuration.replacing(
                "    # limits: { open: 3,",
                with: """
                          - { ops: [update_item], vaults: [Personal], writes: all }
                        limits: { open: 80, connections: 200,
                    """),
            to: ".config/countersign/countersign.yaml")
    }

    var key: String { (home.configuration as NSString).deletingLastPathComponent + "/master.key" }
    var database: String { state + "/countersign.db" }

    /// - Parameter environment: more variables, `NAME=value` each.
    func launch(_ environment: String...) throws -> Running {
        try Running("env", environment + ["countersign", "serve"], in: home)
    }

    func start(_ environment: String...) async throws -> Life {
        let process = try Running("env", environment + ["countersign", "serve"], in: home)
        try await process.says("listening on http://127.0.0.1:\(port)")
        return Life(process: process, caller: try HTTPCaller(port: port, token: token))
    }

    func end() async {
        await sandbox.close()
        await sandboxProcess.end()
    }

    /// Gets a grant, the old one whatever it is. Gives `false` when the gateway died of it.
    @discardableResult
    func authorize() async throws -> Bool {
        let operatorDoor = try HTTPCaller(socket: state + "/run/admin.sock")
        defer { Task { await operatorDoor.close() } }
        guard let begun = await operatorDoor.send(.post, "/admin/authorize", "{}") else { return false }
        let url = try #require(begun.json?["url"]?.string)
        let id = try #require(begun.id)
        let opened = await sandbox.send(.post, "/_sandbox/open", #"{"url":"\#(url)"}"#)
        let callback = try #require(opened?.json?["callback"]?.string)
        let target = try #require(callback.range(of: "/callback").map { String(callback[$0.lowerBound...]) })
        let browser = try HTTPCaller(port: port)
        guard await browser.send(.get, target) != nil else { return false }
        await browser.close()
        let ended = await operatorDoor.send(.get, "/admin/authorize/\(id)", wait: 20)
        return ended?.json?["status"]?.string == "completed"
    }

    func control(_ path: String, _ body: String = "{}") async throws {
        let reply = await sandbox.send(.post, "/_sandbox/" + path, body)
        #expect(reply?.status == 200, "\(path)")
    }

    // MARK: What has to hold

    func integrity() throws -> String {
        try SQLiteConnection(database, .readOnly).row("PRAGMA integrity_check").text(0)
    }

    /// Refresh tokens that were offered although they had been spent.
    func reuses() async throws -> Int64 {
        let stats = try #require(await sandbox.send(.get, "/_sandbox/stats")?.json)
        return stats["refusals"]?["refresh_token_reused"]?.integer ?? 0
    }

    func refreshes() async throws -> Int64 {
        try #require(await sandbox.send(.get, "/_sandbox/stats")?.json?["refreshes"]?.integer)
    }

    /// How many cards there are, or were, for each reason of an update. A draft is none.
    func updates() async throws -> [String: Int] {
        let list = try #require(await sandbox.send(.get, "/_sandbox/requests")?.json?["requests"]?.elements)
        return list.reduce(into: [:]) { counts, request in
            guard request["op"]?.string == "update_item", request["state"]?.string == "completed" else { return }
            counts[request["reason"]?.string ?? "", default: 0] += 1
        }
    }

    /// How many cards there are for each wish.
    func cards() async throws -> [String: Int] {
        let list = try #require(await sandbox.send(.get, "/_sandbox/requests")?.json?["requests"]?.elements)
        return list.reduce(into: [:]) { $0[$1["hint"]?["url"]?.string ?? "", default: 0] += 1 }
    }
}

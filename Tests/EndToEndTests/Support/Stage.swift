import Foundation
import TestSupport

/// A sandbox and a gateway, each a process of its own, set up by the lines that the README shows, on free ports.
final class Stage: Sendable {
    let home: Home
    let port: UInt16
    let sandboxPort: UInt16
    let token: String
    let sandbox: Running
    let gateway: Running

    static let body = #"{"op":"pick_item","hint":{"url":"https://bank.example.com"},"reason":"reconcile"}"#

    /// - Parameters:
    ///   - script: what the person does: `after=0s`, `deny`, `none`.
    ///   - hosts: what the caller may ask for; empty: anything.
    ///   - open: how many asks the caller may have open.
    ///   - listen: more lines under `listen`.
    ///   - fields: what the caller gets of an item, instead of the usual four.
    ///   - rules: the caller's, before the one that `init` writes.
    ///   - log: the level of the gateway's log.
    ///   - manners: of the sandbox.
    ///   - configure: changes the configuration's text further.
    init(
        person script: String, hosts: [String] = [], open: Int = 3, listen: String = "", fields: String? = nil,
        rules: String = "", log: String = "info", authorized: Bool = true, manners: SandboxManners = .rude,
        configure: (String) -> String = { $0 }
    ) async throws {
        port = try Ports.free()
        sandboxPort = try Ports.free()
        home = try Home(sandbox: "http://127.0.0.1:\(sandboxPort)")
        let sandboxArguments = [
            "sandbox", "--listen", "127.0.0.1:\(sandboxPort)", "--approve", script, "--redirect-uri",
            "http://127.0.0.1:\(port)/callback",
        ]
        sandbox = try Running("countersign", sandboxArguments + manners.options, in: home)
        try await sandbox.says("sandbox listening on")
        let options = hosts.flatMap { ["--host", $0] }
        let arguments = [
            "init", "--origin", "http://127.0.0.1:\(sandboxPort)", "--client-id", "pmc_sandbox", "--port", "\(port)",
        ]
        token = try await Running("countersign", arguments + options, in: home).finished().line
        var configuration = try home.text(home.configuration)
        if open != 3 {
            configuration.replace("    # limits: { open: 3,", with: "    limits: { open: \(open),")
        }
        if !listen.isEmpty { configuration.replace("\nlisten:\n", with: "\nlisten:\n\(listen)\n") }
        if !rules.isEmpty { configuration.replace("    may:\n", with: "    may:\n\(rules)\n") }
        if let fields { configuration.replace("[title, url, username, password]", with: fields) }
        _ = try home.write(configure(configuration), to: ".config/countersign/countersign.yaml")
        gateway = try home.start("serve", "--log", log)
        try await gateway.says("listening on http://127.0.0.1:\(port)")
        if authorized { try await authorizeOnAGoodDay(manners) }
    }

    func authorize() async throws -> Finished {
        try await home.countersign("authorize", "--open", "countersign sandbox open")
    }

    /// The person authorizes before the service is in a bad mood, so that every test begins with a grant.
    private func authorizeOnAGoodDay(_ manners: SandboxManners) async throws {
        guard let seed = manners.seed else {
            _ = try await authorize()
            return
        }
        try await control("manners", #"{"rude":false}"#)
        _ = try await authorize()
        try await control("manners", #"{"rude":true,"seed":\#(seed)}"#)
    }

    func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

    /// The line of the README, but for the wait.
    func ask(wait: Int, body: String = Stage.body) async throws -> CurlAnswer {
        try await home.curl(
            "--json", body, "-H", "Authorization: Bearer \(token)", "-H", "Prefer: wait=\(wait)", url("/v1/requests"))
    }

    func look(_ path: String, wait: Int) async throws -> CurlAnswer {
        try await home.curl("-H", "Authorization: Bearer \(token)", "-H", "Prefer: wait=\(wait)", url(path))
    }

    func tokenFile() throws -> String { try home.write(token + "\n", to: "token") }

    func end() async {
        await gateway.end()
        await sandbox.end()
    }
}

import Core
import Foundation
import TestSupport

/// As `Stage`, but an nginx with TLS stands between the gateway and the sandbox.
final class SecuredStage: Sendable {
    let pki: TestPKI
    let home: Home
    let port: UInt16
    let sandboxPort: UInt16
    let token: String
    let sandbox: Running
    let nginx: Nginx
    let gateway: Running
    /// What `env` is given before each `countersign`.
    private let environment: [String]

    /// - Parameters:
    ///   - environment: such as `HTTPS_PROXY=…`; what is to be ignored.
    ///   - hasCAFile: `false`: this machine's authorities are to be believed, which do not know ours.
    init(
        environment: @Sendable (TestPKI) -> [String] = { _ in [] }, hasCAFile: Bool = true
    ) async throws {
        pki = try await TestPKI.standard()
        self.environment = environment(pki)
        port = try Ports.free()
        sandboxPort = try Ports.free()
        home = try Home(sandbox: "http://127.0.0.1:\(sandboxPort)")
        sandbox = try home.start(
            "sandbox", "--listen", "127.0.0.1:\(sandboxPort)", "--approve", "after=0s", "--redirect-uri",
            "http://127.0.0.1:\(port)/callback")
        try await sandbox.says("sandbox listening on")
        nginx = try await Nginx(pki, certificate: "good", server: Self.passing(to: sandboxPort))
        token = try await home.countersign(
            "init", "--origin", "https://localhost:\(nginx.port)", "--client-id", "pmc_sandbox", "--port", "\(port)"
        ).line
        if hasCAFile {
            let configuration = try home.text(home.configuration)
            _ = try home.write(
                configuration.replacing("  # ca_file: /path/to/ca.pem", with: "  ca_file: \(pki.path("root.pem"))"),
                to: ".config/countersign/countersign.yaml")
        }
        gateway = try Running("env", self.environment + ["countersign", "serve"], in: home)
        try await gateway.says("listening on http://127.0.0.1:\(port)")
    }

    private static func passing(to port: UInt16) -> String {
        "location / { proxy_pass http://127.0.0.1:\(port); }"
    }

    /// Ends the nginx, and starts another one in its place.
    func replaceNginx(certificate: String, protocols: String = "TLSv1.2 TLSv1.3") async throws -> Nginx {
        await nginx.end()
        return try await Nginx(
            pki, certificate: certificate, port: nginx.port, protocols: protocols,
            server: "ssl_ciphers DEFAULT:@SECLEVEL=0; " + Self.passing(to: sandboxPort))
    }

    func countersign(_ arguments: String...) async throws -> Finished {
        try await Running("env", environment + ["countersign"] + arguments, in: home).finished()
    }

    func authorize() async throws -> Finished {
        try await countersign("authorize", "--open", "countersign sandbox open")
    }

    func ask(wait: Int, site: String = "bank") async throws -> CurlAnswer {
        let body = #"{"op":"pick_item","hint":{"url":"https://\#(site).example.com"},"reason":"reconcile"}"#
        return try await home.curl(
            "--json", body, "-H", "Authorization: Bearer \(token)", "-H", "Prefer: wait=\(wait)",
            "http://127.0.0.1:\(port)/v1/requests")
    }

    func upstreamState() async throws -> String? {
        try await home.curl("http://127.0.0.1:\(port)/readyz").json?["upstream"]?.string
    }

    func end() async {
        await gateway.end()
        await sandbox.end()
        await nginx.end()
    }
}

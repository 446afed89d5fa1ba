import Core
import Gateway
import Sandbox

/// What stands on the stage of the demo: a sandbox and a gateway that trusts it, with one caller.
struct DemoStage: Sendable {
    private let sandbox: SandboxService
    private let daemon: Daemon
    private let operatorDoor: GatewayClient
    /// `nil`: the gateway opens its links by itself.
    private let phone: SandboxPhone?
    private let gateway: Origin
    private let token: String

    private static let loopback = IPAddress.v4([127, 0, 0, 1])
    private static let body: JSON = [
        "op": "pick_item", "hint": ["url": "https://bank.example.com"], "reason": "reconcile",
    ]

    init(port: UInt16, sandboxPort: UInt16, directory: String) async throws(Failure) {
        let options = SandboxOptions(
            listen: TCPAddress(ip: Self.loopback, port: sandboxPort), person: .approve(after: .seconds(2)),
            redirectURIs: ["http://127.0.0.1:\(port)/callback"])
        let (sandbox, sandboxOrigin) = try await SandboxVerb.start(options, log: LogWriter(from: .warning).sink)
        let (token, hash) = CallerToken.make()
        let text = ConfigurationText(
            origin: sandboxOrigin.description, clientID: options.clientID, port: port, listensOnIPv6: false,
            adminSocket: directory + "/run/admin.sock", state: directory + "/state", keyFile: directory + "/master.key",
            open: Self.opener(sandboxOrigin), caller: CallerText(name: "agent", hash: hash, hosts: []))
        do throws(Failure) {
            let configuration = try Self.write(text, in: directory)
            daemon = try await ServeVerb.start(configuration, log: LogWriter(from: .warning).sink)
        } catch {
            await sandbox.stop()
            throw error
        }
        self.sandbox = sandbox
        self.token = token
        phone = text.open.isEmpty ? SandboxPhone(sandbox: sandboxOrigin) : nil
        gateway = Origin(scheme: .http, host: "127.0.0.1", port: port)
        operatorDoor = try GatewayClient(adminSocket: text.adminSocket)
        Output.talk("a sandbox plays MimiKey on \(sandboxOrigin), the gateway listens on \(gateway)")
    }

    /// What opens a card: this program, playing the phone.
    private static func opener(_ sandbox: Origin) -> [String] {
        Process.executable.map { [$0, "sandbox", "open", "--sandbox", sandbox.description] } ?? []
    }

    /// The file is written, as `init` does, so that the demo takes the way of everybody.
    private static func write(
        _ text: ConfigurationText, in directory: String
    ) throws(Failure) -> Configuration {
        let file = directory + "/countersign.yaml"
        do throws(FileError) {
            try Files.makeDirectory(directory + "/state")
            try Files.create(file, Array(text.text.utf8))
        } catch {
            throw error.failure
        }
        return try Configuration.read(file)
    }

    /// What `countersign authorize` does where `mimikey.open` is set.
    func authorize() async throws(Failure) {
        let authorization = try await Authorization.begin(operatorDoor)
        if let phone, try await !phone.open(authorization.url) {
            throw Failure(.failure, "the sandbox did not consent")
        }
        try await authorization.wait(operatorDoor, pause: 15) {}
        let grant = try await GrantShown.fetch(operatorDoor)
        guard grant.isAuthorized else { throw Failure(.notAuthorized, "the sandbox consented, but there is no grant") }
        Output.talk(
            "the person consented once: \(grant.id ?? "a grant"), vaults: \(grant.vaults.joined(separator: ", "))")
    }

    /// One ask through the gateway's HTTP API, as an agent would; shows the line and the answer.
    func ask() async throws(Failure) {
        Output.talk("an agent asks; the person taps after 2 seconds")
        Output.result("$ \(curl)")
        let caller = try GatewayClient(gateway, token: token)
        let answer: GatewayClient.Answer
        do throws(Failure) {
            answer = try await caller.send(.post, "/v1/requests", json: Self.body, wait: 20)
        } catch {
            await caller.close()
            throw error
        }
        await caller.close()
        Output.result(answer.body)
        let record = (answer.value["item"] ?? answer.value["result"]?["item"])?["record"]
        guard answer.value["state"]?.string == AskState.completed.rawValue,
            let password = record?["password"]?.string, !password.isEmpty
        else { throw Failure(.failure, "the item did not come back") }
    }

    /// The token is the demo's own and dies with it, so that it may be shown.
    private var curl: String {
        """
        curl -s --json '\(String(decoding: Self.body.encoded(), as: UTF8.self))' \
        -H 'Authorization: Bearer \(token)' -H 'Prefer: wait=20' \(gateway)/v1/requests
        """
    }

    func end() async {
        await operatorDoor.close()
        await daemon.shutDown()
        await sandbox.stop()
    }
}

import Core
import Gateway

/// `countersign callback`: hands a URL to the gateway that MimiKey came back with on another device, or that a program
/// for a scheme of its own was started with.
enum CallbackVerb {
    static let verb = Verb(
        ["callback"], "hand the gateway a callback URL that arrived elsewhere", operands: ["URL"],
        options: [
            Option(
                "--gateway", "ORIGIN",
                "where the gateway is (else $COUNTERSIGN_GATEWAY, else from the configuration)"), .config,
        ],
        notes: """
            URL is what MimiKey opened, or `-` for a line of standard input. Its `state` belongs to one login or ask and
            is good for nothing else; what counts is the query, so that any scheme will do.
            """,
        run: run)

    private static func run(_ arguments: Arguments) async throws(Failure) -> ExitStatus {
        let word = arguments.operands[0]
        guard let callback = word == "-" ? CallbackURL(typed: try line()) : CallbackURL(word) else {
            throw .usage("that is no callback: it needs a query with `state`", verb: verb)
        }
        let gateway = try open(arguments)
        return try await AskVerb.closing(gateway) { () async throws(Failure) in
            try await gateway.hand(callback)
            Output.talk("the gateway has taken it; `countersign status` tells whether there is a grant")
            return .ok
        }
    }

    /// The operator's socket cannot be taken by somebody else while the gateway is away, as a port can.
    private static func open(_ arguments: Arguments) throws(Failure) -> GatewayClient {
        if !arguments.has("--gateway"), Process.environment("COUNTERSIGN_GATEWAY") == nil {
            let socket = try Configuration.inUse(arguments).adminSocket
            if Files.mayWrite(socket) { return try GatewayClient(adminSocket: socket) }
        }
        return try GatewayClient(try CallerDoor.origin(arguments, verb))
    }

    private static func line() throws(Failure) -> [UInt8] {
        do throws(FileError) {
            return Array(try Files.readStandardInput(limit: 16 << 10).prefix { $0 != 0x0A })
        } catch { throw error.failure }
    }
}

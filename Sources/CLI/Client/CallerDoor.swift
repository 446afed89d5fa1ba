import Core
import Gateway

/// How a verb comes to the gateway as a caller: by the caller's socket, or over TCP with its token. The operator's
/// socket answers no caller.
enum CallerDoor {
    static let options = [
        Option("--socket", "FILE", "the caller's socket (else $COUNTERSIGN_SOCKET)"),
        Option(
            "--gateway-user", "USER",
            "whose the socket may be, beside yours and root's: the user that the gateway runs as"),
        Option(
            "--token-file", "FILE", "holds the caller's token; `-` is standard input (else $COUNTERSIGN_TOKEN_FILE)"),
        Option(
            "--gateway", "ORIGIN",
            "where the gateway takes a token (else $COUNTERSIGN_GATEWAY, else from the configuration)"),
        Option.config,
    ]

    static let notes = """
        The gateway is reached by a caller's socket, or by a token over TCP. The token is never a word of the command
        line, which other users and your shell's history can read.
        """

    /// What is written on the command line goes before what stands in the environment.
    static func open(_ arguments: Arguments, verb: Verb) throws(Failure) -> GatewayClient {
        let namesToken = arguments.has("--token-file") || arguments.has("--gateway")
        if let socket = arguments.value("--socket") {
            if namesToken {
                throw .usage(
                    "`--socket` goes with neither `--token-file` nor `--gateway`: it says who asks", verb: verb)
            }
            return try open(socket, arguments, verb)
        }
        if !namesToken, let socket = Process.environment("COUNTERSIGN_SOCKET") {
            return try open(socket, arguments, verb)
        }
        guard let file = tokenFile(arguments) else {
            throw .usage(
                "`--socket` or `--token-file` is missing, and neither $COUNTERSIGN_SOCKET nor $COUNTERSIGN_TOKEN_FILE is set",
                verb: verb)
        }
        return try GatewayClient(try origin(arguments, verb), token: try token(in: file))
    }

    /// Does the token come by standard input, so that nothing else can?
    static func takesStandardInput(_ arguments: Arguments) -> Bool {
        !arguments.has("--socket") && tokenFile(arguments) == "-"
    }

    private static func tokenFile(_ arguments: Arguments) -> String? {
        arguments.value("--token-file") ?? Process.environment("COUNTERSIGN_TOKEN_FILE")
    }

    private static func open(_ socket: String, _ arguments: Arguments, _ verb: Verb) throws(Failure) -> GatewayClient {
        var gateway: UInt32?
        if let named = arguments.value("--gateway-user") {
            gateway = SocketOwner.user(named: named)
            if gateway == nil { throw .usage("`--gateway-user` names no user of this machine", verb: verb) }
        }
        try SocketOwner.check(socket, gateway: gateway)
        return try GatewayClient(callerSocket: socket)
    }

    static func origin(_ arguments: Arguments, _ verb: Verb) throws(Failure) -> Origin {
        if arguments.has("--gateway") || Process.environment("COUNTERSIGN_GATEWAY") != nil {
            return try arguments.origin(
                "--gateway", "COUNTERSIGN_GATEWAY", default: "http://127.0.0.1:7447", verb: verb)
        }
        guard let origin = try Configuration.inUse(arguments).callerOrigin else {
            throw Failure(.configuration, "the configuration names no port", hint: "`--gateway` names the gateway")
        }
        return origin
    }

    private static func token(in file: String) throws(Failure) -> String {
        let bytes: [UInt8]
        let isInput = file == "-"
        do throws(FileError) {
            bytes = isInput ? try Files.readStandardInput(limit: 1024) : try Files.read(file, limit: 1024)
        } catch { throw error.failure }
        let token =
            String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
        guard token.hasPrefix("cs_"), token.utf8.allSatisfy({ $0 == 0x5F || $0.isBase64URLCharacter }) else {
            let place = isInput ? "standard input" : file.shownOnTerminal
            throw Failure(.configuration, "\(place) holds no caller's token", hint: "it begins with cs_")
        }
        return token
    }
}

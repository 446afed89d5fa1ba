import Core
import Gateway

/// `countersign pick`: asks for an item as a caller does, and prints what came back.
enum PickVerb {
    static let verb = Verb(
        ["pick"], "ask the person for an item, as a caller",
        options: [
            Option("--url", "URL", "the site that it is for"),
            Option("--title", "TEXT", "the title that it may have"),
            Option("--kind", "KIND", "its kind, such as login"),
            Option("--reason", "TEXT", "why, in your own words; the person sees it"),
            Option("--field", "NAME", "print this field alone, such as password"),
            Option("--wait", "SECONDS", "how long to wait for the person (300)"),
            .json,
            Option(
                "--token-file", "FILE",
                "holds the caller's token; `-` is standard input (else $COUNTERSIGN_TOKEN_FILE)"),
            Option(
                "--gateway", "ORIGIN", "where the gateway is (else $COUNTERSIGN_GATEWAY, else from the configuration)"),
            .config,
        ],
        notes: """
            Exit status 9 when nobody has answered in time: the ask lives on. Ctrl-C cancels it.
            The token is never a word of the command line, which other users and your shell's history can read.
            """,
        run: run)

    private static func run(_ arguments: Arguments) async throws(Failure) -> ExitStatus {
        let wait = try arguments.seconds("--wait", verb: verb) ?? 300
        let gateway = try GatewayClient(try origin(arguments), token: try token(arguments))
        let body = body(arguments)
        let begun = try await gateway.send(.post, "/v1/requests", json: body, wait: 0)
        guard let id = begun.value["id"]?.string.flatMap({ AskID($0) }) else {
            throw Failure(.failure, "what answered is no Countersign: it gave no id")
        }
        let ended: GatewayClient.Answer
        do throws(Failure) {
            ended = try await Signals.cancelling { () async throws(Failure) in
                if begun.status == 202, let message = begun.value["message"]?.string { Output.talk(message.asTalk) }
                return try await finish(begun, id, wait: wait, gateway)
            }
        } catch {
            if error.status == .interrupted { _ = try? await gateway.send(.delete, "/v1/requests/\(id)") }
            await gateway.close()
            throw error
        }
        await gateway.close()
        return try show(ended, id, arguments)
    }

    /// Waits in pieces of at most 25 s, so that no connection has to last longer.
    private static func finish(
        _ begun: GatewayClient.Answer, _ id: AskID, wait: Int64, _ gateway: GatewayClient
    ) async throws(Failure) -> GatewayClient.Answer {
        var answer = begun
        let end = Clock.source.now() + .seconds(wait)
        while !(answer.value["state"]?.string.flatMap({ AskState(rawValue: $0) })?.isFinished ?? true) {
            let rest = (end - Clock.source.now()).components.seconds
            if rest <= 0 { return answer }
            answer = try await gateway.send(.get, "/v1/requests/\(id)", wait: min(rest, 25))
        }
        return answer
    }

    private static func show(
        _ answer: GatewayClient.Answer, _ id: AskID, _ arguments: Arguments
    ) throws(Failure) -> ExitStatus {
        let state = answer.value["state"]?.string.flatMap { AskState(rawValue: $0) } ?? .failed
        let isJSON = arguments.has("--json")
        if isJSON { Output.result(answer.body) }
        let status = status(of: state, answer.value["error"]?.string)
        guard status == .ok else {
            let sentence =
                answer.value["detail"]?.string ?? answer.value["message"]?.string ?? "the ask is \(state.rawValue)"
            throw Failure(status, "\(sentence.asTalk) (\(id))")
        }
        guard !isJSON else { return .ok }
        let record = (answer.value["item"] ?? answer.value["result"]?["item"])?["record"]
        if let field = arguments.value("--field") {
            guard let value = record?[field] else {
                throw Failure(.failure, "the item has no field `\(field.shownOnTerminal)`, or the rule keeps it back")
            }
            Output.result(value.string.map { Array($0.utf8) } ?? value.raw)
            return .ok
        }
        for member in record?.members ?? [] {
            let text = member.value.string ?? String(decoding: member.value.raw, as: UTF8.self)
            Output.result("\(member.name.shownOnTerminal): \(text.shownOnTerminal)")
        }
        return .ok
    }

    private static func status(of state: AskState, _ error: String?) -> ExitStatus {
        switch state {
        case .draft, .pending, .approved: .pending
        case .completed: error.map { ExitStatus(of: ErrorCode($0)) } ?? .ok
        case .denied: .denied
        case .cancelled: .cancelled
        case .expired: .expired
        case .failed: ExitStatus(of: error.map { ErrorCode($0) } ?? .internalError)
        }
    }

    private static func body(_ arguments: Arguments) -> JSON {
        let hint = ["url", "title", "kind"].compactMap { name in
            arguments.value("--\(name)").map { JSON.Member(name, .string($0)) }
        }
        var members: [JSON.Member] = [.init("op", .string(Operation.pickItem.rawValue))]
        if !hint.isEmpty { members.append(.init("hint", .object(hint))) }
        if let reason = arguments.value("--reason") { members.append(.init("reason", .string(reason))) }
        if let field = arguments.value("--field") { members.append(.init("want", .array([.string(field)]))) }
        return .object(members)
    }

    private static func origin(_ arguments: Arguments) throws(Failure) -> Origin {
        if arguments.has("--gateway") || Process.environment("COUNTERSIGN_GATEWAY") != nil {
            return try arguments.origin(
                "--gateway", "COUNTERSIGN_GATEWAY", default: "http://127.0.0.1:7447", verb: verb)
        }
        guard let origin = try Configuration.inUse(arguments).callerOrigin else {
            throw Failure(.configuration, "the configuration names no port", hint: "`--gateway` names the gateway")
        }
        return origin
    }

    private static func token(_ arguments: Arguments) throws(Failure) -> String {
        guard let file = arguments.value("--token-file") ?? Process.environment("COUNTERSIGN_TOKEN_FILE") else {
            throw .usage("`--token-file` is missing, and $COUNTERSIGN_TOKEN_FILE is not set", verb: verb)
        }
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

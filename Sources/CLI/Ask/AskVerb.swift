import Core

/// What the verbs that ask have in common.
enum AskVerb {
    static let options = [reason, field, wait, .json] + CallerDoor.options
    /// Of a verb that brings no item back.
    static let optionsOfWriting = [reason, wait, .json] + CallerDoor.options

    private static let reason = Option("--reason", "TEXT", "why, in your own words; the person sees it")
    private static let field = Option("--field", "NAME", "print this field alone, such as password")

    static let wait = Option("--wait", "SECONDS", "how long to wait for the person (300)")

    static let notes =
        "Exit status 9 when nobody has answered in time: the ask lives on. Ctrl-C cancels it.\n" + CallerDoor.notes

    /// Asks, waits and shows what came back.
    static func run(_ request: AskRequest, _ arguments: Arguments, verb: Verb) async throws(Failure) -> ExitStatus {
        let wait = try waiting(arguments, verb: verb)
        let gateway = try CallerDoor.open(arguments, verb: verb)
        return try await closing(gateway) { () async throws(Failure) in
            let ask = try await Asking(gateway: gateway, wait: wait).run(request.body(arguments))
            return try AskOutcome.show(ask, field: arguments.value("--field"), asJSON: arguments.has("--json"))
        }
    }

    static func waiting(_ arguments: Arguments, verb: Verb) throws(Failure) -> Int64 {
        try arguments.seconds("--wait", verb: verb) ?? 300
    }

    /// The ask that the first word names.
    static func id(_ arguments: Arguments, verb: Verb) throws(Failure) -> AskID {
        guard let id = AskID(arguments.operands[0]) else {
            throw .usage("an id of an ask is `ask_` and 22 letters, digits, `-` and `_`", verb: verb)
        }
        return id
    }

    /// Its state, or all of it.
    static func show(_ ask: AskShown, _ arguments: Arguments) {
        if arguments.has("--json") { Output.result(ask.body) } else { Output.result(ask.state.rawValue) }
    }

    /// Runs `body`, and closes the connections behind it.
    static func closing<Value: Sendable>(
        _ gateway: GatewayClient, _ body: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let value: Value
        do throws(Failure) { value = try await body() } catch {
            await gateway.close()
            throw error
        }
        await gateway.close()
        return value
    }
}

/// What an ask is for.
struct AskRequest: Sendable {
    let operation: Operation
    var members: [JSON.Member] = []
    /// The text of `patch`; what is secret in it is never a value of ours.
    var patch: [UInt8]?

    /// An object of what was given on the command line, by the name that it has there; `nil` when nothing was.
    static func object(_ name: String, _ parts: [(option: String, member: String)], _ arguments: Arguments) -> JSON
        .Member?
    {
        let members = parts.compactMap { part in
            arguments.value(part.option).map { JSON.Member(part.member, .string($0)) }
        }
        return members.isEmpty ? nil : JSON.Member(name, .object(members))
    }

    func body(_ arguments: Arguments) -> [UInt8] {
        var members = [JSON.Member("op", .string(operation.rawValue))] + members
        if let vault = arguments.value("--vault") { members.append(.init("vault_id", .string(vault))) }
        if let reason = arguments.value("--reason") { members.append(.init("reason", .string(reason))) }
        if let field = arguments.value("--field") { members.append(.init("want", .array([.string(field)]))) }
        var text = JSON.object(members).encoded()
        if let patch {
            text.removeLast()
            text += Array(",\"patch\":".utf8) + patch + Array("}".utf8)
        }
        return text
    }
}

import Core
import Strongbox

/// The body of `POST /v1/requests`, read. What is not in the contract is refused by name; values are never repeated.
struct AskBody {
    /// Without the outline of the patch: its fingerprint is made under the store's key.
    let call: Call
    let patch: Patch?

    init(reading bytes: [UInt8], by caller: CallerName) throws(Problem) {
        let document: JSONDocument
        do throws(JSONError) {
            document = try JSONDocument(bytes)
        } catch {
            throw Problem(error.code, "\(error.detail) It is at byte \(error.offset).")
        }
        let root = document.root
        guard root.kind == .object else { throw Problem(.invalidJSON, "The body must be a JSON object.") }
        try root.refuse(membersBut: Self.members, in: "The ask")
        guard let op = root["op"] else { throw Problem(.missingMember, "The ask lacks `op`.") }
        let operation = try Self.operation(op)
        try root.refuse(membersOfOtherThan: operation)
        var call = Call(caller: caller, op: operation, hint: try Self.hint(root["hint"]))
        call.prefill = try Self.prefill(root["prefill"])
        call.kind = try root["kind"]?.line("kind", longest: 64)
        call.vaultID = try root["vault_id"]?.line("vault_id", longest: 256)
        call.itemID = try root["item_id"]?.line("item_id", longest: 256)
        call.reason = try root["reason"]?.text("reason", longest: 500)
        call.want = try Self.want(root["want"])
        try Self.requireMembers(of: call)
        self.call = call
        switch operation {
        case .updateItem: patch = try Patch(root["patch"])
        case .pickItem, .getItem, .createItem: patch = nil
        }
    }

    private static let members: Set<String> = [
        "op", "hint", "prefill", "kind", "vault_id", "item_id", "patch", "reason", "want",
    ]

    private static func requireMembers(of call: Call) throws(Problem) {
        switch call.op {
        case .pickItem: return
        case .getItem, .updateItem:
            guard call.itemID != nil else { throw Problem(.itemIDRequired, "The ask lacks `item_id`.") }
        case .createItem:
            guard call.kind != nil else { throw Problem(.missingMember, "The ask lacks `kind`.") }
        }
    }

    private static func operation(_ value: JSONValue) throws(Problem) -> Operation {
        guard let text = value.string else { throw Problem(.invalidMember, "`op` must be a string.") }
        guard let operation = Operation(rawValue: text), Operation.supported.contains(operation) else {
            let supported = Operation.supported.map { "`\($0.rawValue)`" }.sorted().joined(separator: ", ")
            throw Problem(.unsupportedOperation, "`op` can be \(supported).")
        }
        return operation
    }

    private static func hint(_ value: JSONValue?) throws(Problem) -> Hint {
        guard let value else { return Hint() }
        guard value.kind == .object else { throw Problem(.invalidMember, "`hint` must be an object.") }
        try value.refuse(membersBut: ["url", "title", "kind"], in: "`hint`")
        return Hint(
            url: try value["url"]?.line("hint.url", longest: 2048),
            title: try value["title"]?.line("hint.title", longest: 256),
            kind: try value["kind"]?.line("hint.kind", longest: 64))
    }

    private static func prefill(_ value: JSONValue?) throws(Problem) -> Prefill {
        guard let value else { return Prefill() }
        guard value.kind == .object else { throw Problem(.invalidMember, "`prefill` must be an object.") }
        try value.refuse(membersBut: ["title", "url", "username_hint"], in: "`prefill`")
        return Prefill(
            title: try value["title"]?.line("prefill.title", longest: 256),
            url: try value["url"]?.line("prefill.url", longest: 2048),
            usernameHint: try value["username_hint"]?.line("prefill.username_hint", longest: 256))
    }

    private static func want(_ value: JSONValue?) throws(Problem) -> Set<String>? {
        guard let value else { return nil }
        guard value.kind == .array, (1...32).contains(value.elements.count) else {
            throw Problem(.invalidMember, "`want` must be an array of 1 to 32 names.")
        }
        var names: Set<String> = []
        for element in value.elements {
            guard let name = element.string, FieldName.isValid(name) else {
                throw Problem(.invalidMember, "`want` has an element that is no name: \(FieldName.rule).")
            }
            names.insert(name)
        }
        return names
    }
}

extension Operation {
    /// The members of an ask, beside `op`, `vault_id` and `reason`, which all have.
    fileprivate var ownMembers: Set<String> {
        switch self {
        case .pickItem: ["hint", "want"]
        case .getItem: ["item_id", "want"]
        case .createItem: ["prefill", "kind", "want"]
        case .updateItem: ["item_id", "patch"]
        }
    }
}

extension FieldName {
    fileprivate static let rule = "lower-case letters, digits and `_`, starting with a letter"
}

extension JSONValue {
    fileprivate func refuse(membersBut known: Set<String>, in what: String) throws(Problem) {
        for member in members where !known.contains(member.name) {
            throw Problem(.unknownMember, "\(what) has no member `\(member.name.shownInProblem)`.")
        }
    }

    /// What another operation has is no typing error, and says that something else was meant.
    fileprivate func refuse(membersOfOtherThan op: Operation) throws(Problem) {
        let known = op.ownMembers.union(["op", "vault_id", "reason"])
        for member in members where !known.contains(member.name) {
            throw Problem(.invalidMember, "`\(op.rawValue)` has no member `\(member.name.shownInProblem)`.")
        }
    }

    /// 1 to `longest` characters.
    fileprivate func text(_ name: String, longest: Int) throws(Problem) -> String {
        guard let string, (1...longest).contains(string.unicodeScalars.count) else {
            throw Problem(.invalidMember, "`\(name)` must be a string of 1 to \(longest) characters.")
        }
        return string
    }

    /// The same, for what the person may be shown: without characters that nobody sees.
    fileprivate func line(_ name: String, longest: Int) throws(Problem) -> String {
        let text = try text(name, longest: longest)
        guard text.unicodeScalars.allSatisfy(\.hasShape) else {
            throw Problem(.invalidMember, "`\(name)` must not have control, bidi or zero-width characters.")
        }
        return text
    }
}

extension String {
    /// A member's name as a problem may show it: at most 64 characters, all of them plain ASCII.
    fileprivate var shownInProblem: String {
        let shown = unicodeScalars.prefix(64).map { scalar in
            (0x20..<0x7F).contains(scalar.value) && scalar != "`" ? String(Character(scalar)) : "?"
        }
        return shown.joined() + (unicodeScalars.count > 64 ? "…" : "")
    }
}

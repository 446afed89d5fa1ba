import Core

/// The column `call`: what of a call has no column of its own, as JSON.
enum CallText {
    static func json(of call: Call) -> JSON {
        .object([
            .init("uid", call.uid.map { .integer(Int64($0)) } ?? .null),
            .init(
                "hint", .object(members(("url", call.hint.url), ("title", call.hint.title), ("kind", call.hint.kind)))),
            .init(
                "prefill",
                .object(
                    members(
                        ("title", call.prefill.title), ("url", call.prefill.url),
                        ("username_hint", call.prefill.usernameHint)))),
            .init("kind", .text(call.kind)),
            .init("vault_id", .text(call.vaultID)),
            .init("item_id", .text(call.itemID)),
            .init("patch", call.patch.map(json) ?? .null),
            .init("reason", .text(call.reason)),
            .init("want", call.want.map { .array($0.sorted().map(JSON.string)) } ?? .null),
        ])
    }

    /// `nil` when it is no such text.
    static func call(from text: String, caller: CallerName, op: Operation) -> Call? {
        guard let root = try? JSONDocument(Array(text.utf8)).root, root.kind == .object, let hint = root["hint"] else {
            return nil
        }
        return Call(
            caller: caller, uid: root["uid"]?.integer.flatMap { UInt32(exactly: $0) }, op: op,
            hint: Hint(url: hint["url"]?.string, title: hint["title"]?.string, kind: hint["kind"]?.string),
            prefill: prefill(root["prefill"]), kind: root["kind"]?.string, vaultID: root["vault_id"]?.string,
            itemID: root["item_id"]?.string, patch: root["patch"].flatMap(patch), reason: root["reason"]?.string,
            want: root["want"].flatMap { $0.kind == .array ? Set($0.elements.compactMap(\.string)) : nil })
    }

    private static func prefill(_ value: JSONValue?) -> Prefill {
        Prefill(
            title: value?["title"]?.string, url: value?["url"]?.string, usernameHint: value?["username_hint"]?.string)
    }

    private static func json(of patch: PatchOutline) -> JSON {
        ["names": .array(patch.names.map(JSON.string)), "fingerprint": .string(patch.fingerprint)]
    }

    private static func patch(_ value: JSONValue) -> PatchOutline? {
        guard let names = value["names"], let fingerprint = value["fingerprint"]?.string else { return nil }
        return PatchOutline(names: Set(names.elements.compactMap(\.string)), fingerprint: fingerprint)
    }

    private static func members(_ pairs: (String, String?)...) -> [JSON.Member] {
        pairs.compactMap { pair in pair.1.map { JSON.Member(pair.0, .string($0)) } }
    }
}

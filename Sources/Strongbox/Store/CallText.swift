import Core

/// The column `call`: what of a call has no column of its own, as JSON.
enum CallText {
    static func json(of call: Call) -> JSON {
        .object([
            .init("uid", call.uid.map { .integer(Int64($0)) } ?? .null),
            .init(
                "hint", .object(members(("url", call.hint.url), ("title", call.hint.title), ("kind", call.hint.kind)))),
            .init("vault_id", .text(call.vaultID)),
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
            vaultID: root["vault_id"]?.string, reason: root["reason"]?.string,
            want: root["want"].flatMap { $0.kind == .array ? Set($0.elements.compactMap(\.string)) : nil })
    }

    private static func members(_ pairs: (String, String?)...) -> [JSON.Member] {
        pairs.compactMap { pair in pair.1.map { JSON.Member(pair.0, .string($0)) } }
    }
}

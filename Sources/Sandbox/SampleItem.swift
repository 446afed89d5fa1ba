import Core

/// An item to pick. Every value is obviously made up and every host is a reserved example name.
struct SampleItem: Hashable, Sendable {
    let id: String
    let vaultID: String
    let kind: String
    var revision: Int64
    var title: String
    var url: String?
    var username: String?
    var password: String?
    var notes: String?
    /// What the kind has beyond the standard members, in order.
    var extra: [(name: String, value: String)] = []

    static func == (left: SampleItem, right: SampleItem) -> Bool { left.id == right.id }
    func hash(into hasher: inout Hasher) { hasher.combine(id) }

    /// One of the standard members, or one of the kind's own.
    mutating func set(_ name: String, to value: String) {
        switch name {
        case "title": title = value
        case "url": url = value
        case "username": username = value
        case "password": password = value
        case "notes": notes = value
        default:
            if let index = extra.firstIndex(where: { $0.name == name }) {
                extra[index].value = value
            } else {
                extra.append((name, value))
            }
        }
    }

    /// The plaintext of a result box.
    var plaintext: [UInt8] {
        var record = [JSON.Member("title", .string(title))]
        let standard = [("url", url), ("username", username), ("password", password), ("notes", notes)]
        for (name, value) in standard {
            if let value { record.append(.init(name, .string(value))) }
        }
        if !extra.isEmpty {
            record.append(.init("extra", .object(extra.map { .init($0.name, .string($0.value)) })))
        }
        let item: JSON = [
            "id": .string(id), "vault_id": .string(vaultID), "revision": .integer(revision), "kind": .string(kind),
            "record": .object(record),
        ]
        return JSON.object([.init("item", item)]).encoded()
    }
}

extension SampleItem {
    static let samples = [
        SampleItem(
            id: "it_bank", vaultID: "v_personal", kind: "login", revision: 7, title: "Example Bank",
            url: "https://bank.example.com/login", username: "sam@example.com",
            password: "sandbox-not-a-real-password-1", notes: "Made up for the sandbox."),
        SampleItem(
            id: "it_mail", vaultID: "v_personal", kind: "login", revision: 3, title: "Example Mail",
            url: "https://mail.example.net", username: "sam", password: "sandbox-not-a-real-password-2"),
        SampleItem(
            id: "it_shop", vaultID: "v_personal", kind: "login", revision: 1, title: "Example Shop",
            url: "https://shop.example.org", username: "sam@example.com",
            password: "sandbox-not-a-real-password-3"),
        SampleItem(
            id: "it_card", vaultID: "v_personal", kind: "card", revision: 2, title: "Sandbox card",
            extra: [
                ("card_number", "0000 0000 0000 0000"), ("card_holder", "Sam Sandbox"), ("card_expiry", "01/2099"),
                ("card_code", "000"),
            ]),
        SampleItem(
            id: "it_identity", vaultID: "v_personal", kind: "identity", revision: 1, title: "Sandbox identity",
            extra: [("full_name", "Sam Sandbox"), ("email", "sam@example.com"), ("phone", "+1 555 0100")]),
        SampleItem(
            id: "it_note", vaultID: "v_personal", kind: "note", revision: 4, title: "Sandbox note",
            notes: "Nothing in here is secret."),
        SampleItem(
            id: "it_code", vaultID: "v_work", kind: "login", revision: 12, title: "Example Code Host",
            url: "https://code.example.com", username: "sam-at-work", password: "sandbox-not-a-real-password-4"),
        SampleItem(
            id: "it_api_key", vaultID: "v_work", kind: "api_key", revision: 1, title: "Example API",
            url: "https://api.example.com", extra: [("api_key", "sandbox-not-a-real-key-1")]),
        SampleItem(
            id: "it_ssh_key", vaultID: "v_work", kind: "ssh_key", revision: 1, title: "Sandbox SSH key",
            username: "sam", extra: [("private_key", "sandbox: not a real private key")]),
        SampleItem(
            id: "it_build", vaultID: "v_robots", kind: "login", revision: 5, title: "Example Build",
            url: "https://build.example.net", username: "robot", password: "sandbox-not-a-real-password-5"),
    ]
}

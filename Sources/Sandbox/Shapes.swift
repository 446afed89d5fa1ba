import Core

/// The forms of an answer that a reader has to take, where the documents leave them open.
struct Shapes: Hashable, Sendable {
    enum Times: String, CaseIterable, Hashable, Sendable {
        case integer
        /// `2026-05-28T20:26:40Z`
        case rfc3339
        /// `2026-05-28T20:26:40.123456789Z`
        case fractions
        /// `2026-05-28T22:26:40+02:00`
        case offset
    }

    /// A request as `{"request":{…}}`.
    var wrapped = false
    var times = Times.integer
    var paddedBase64 = false
    /// One `policy` for all vaults that have it, beside the list.
    var topLevelPolicy = false
    var noOpenURL = false

    /// The members that are there; the others stay as they were.
    mutating func change(_ body: JSONValue) throws(Refusal) {
        var changed = self
        for (name, value) in body.members {
            switch name {
            case "wrapped": changed.wrapped = try value.flag()
            case "padded_base64": changed.paddedBase64 = try value.flag()
            case "top_level_policy": changed.topLevelPolicy = try value.flag()
            case "no_open_url": changed.noOpenURL = try value.flag()
            case "times":
                guard let times = value.string.flatMap(Times.init) else { throw .invalidInput }
                changed.times = times
            default: throw .invalidInput
            }
        }
        self = changed
    }

    var json: JSON {
        [
            "wrapped": .bool(wrapped), "times": .string(times.rawValue), "padded_base64": .bool(paddedBase64),
            "top_level_policy": .bool(topLevelPolicy), "no_open_url": .bool(noOpenURL),
        ]
    }
}

extension JSONValue {
    fileprivate func flag() throws(Refusal) -> Bool {
        guard let value = bool else { throw .invalidInput }
        return value
    }
}

extension Shapes {
    /// The answer to a call of that route, in these forms.
    func applied(to json: JSON, of route: Route?) -> JSON {
        let shaped = shape(json)
        guard wrapped, let route, route.answersRequest else { return shaped }
        return .object([.init("request", shaped)])
    }

    private func shape(_ json: JSON) -> JSON {
        switch json {
        case .object(let members):
            var shaped: [JSON.Member] = []
            for member in members where !(noOpenURL && member.name == "open_url") {
                shaped.append(.init(member.name, shape(member.name, member.value)))
            }
            return .object(topLevelPolicy ? Shapes.withPolicyOutside(shaped) : shaped)
        case .array(let elements): return .array(elements.map(shape))
        case .null, .bool, .integer, .string: return json
        }
    }

    private func shape(_ name: String, _ value: JSON) -> JSON {
        switch (name, value) {
        case ("created_at", .integer(let seconds)), ("expires_at", .integer(let seconds)): time(seconds)
        case ("result_enc", .string(let text)), ("identity_public_key", .string(let text)):
            paddedBase64 ? .string(text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)) : value
        default: shape(value)
        }
    }

    private func time(_ seconds: Int64) -> JSON {
        let time = UnixTime(seconds: seconds)
        switch times {
        case .integer: return .integer(seconds)
        case .rfc3339: return .string(RFC3339.format(time))
        case .fractions: return .string(RFC3339.format(time).dropLast() + ".123456789Z")
        case .offset: return .string(RFC3339.format(time + .seconds(7200)).dropLast() + "+02:00")
        }
    }

    /// `ask` is said once, outside; a vault with another policy keeps it.
    private static func withPolicyOutside(_ members: [JSON.Member]) -> [JSON.Member] {
        guard members.contains(where: { $0.name == "vaults" }) else { return members }
        return members.map { member in
            guard member.name == "vaults", case .array(let vaults) = member.value else { return member }
            return .init(member.name, .array(vaults.map(withoutAsk)))
        } + [.init("policy", "ask")]
    }

    private static func withoutAsk(_ vault: JSON) -> JSON {
        guard case .object(let members) = vault else { return vault }
        return .object(members.filter { $0 != .init("policy", "ask") })
    }
}

extension Turn {
    /// Shuffled, and with members that nobody knows, where that is in store.
    func muddled(_ json: JSON) -> JSON {
        guard strikes(.reordered) || strikes(.unknownMembers) else { return json }
        var purpose = Manners.Purpose.order
        return muddled(json, &purpose)
    }

    private func muddled(_ json: JSON, _ purpose: inout UInt64) -> JSON {
        switch json {
        case .object(let known):
            var members = known.map { JSON.Member($0.name, muddled($0.value, &purpose)) }
            if strikes(.unknownMembers) {
                members.append(.init("x_unknown", ["note": "ignore me", "list": [1, nil, true]]))
            }
            if strikes(.reordered), members.count > 1 {
                for index in stride(from: members.count - 1, to: 0, by: -1) {
                    purpose += 1
                    members.swapAt(index, Int(roll(purpose, in: 0...Int64(index))))
                }
            }
            return .object(members)
        case .array(let elements): return .array(elements.map { muddled($0, &purpose) })
        case .null, .bool, .integer, .string: return json
        }
    }
}

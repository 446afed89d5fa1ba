/// What is accepted can be written again and read as the same; the limits hold exactly; no name stands twice.
func checkJSON(_ bytes: [UInt8]) {
    let document = Cost.bounded { try? JSONDocument(bytes) }
    let withNUL = try? JSONDocument(bytes, limits: JSONLimits(acceptsNUL: true))
    guard let document else {
        if let withNUL { require(holdsNUL(withNUL.root), "without a NUL the switch for it matters") }
        return
    }
    require(withNUL?.index == document.index, "the switch for NUL changes a text that has none")
    for extra in [" ", "\n", "\t"] {
        require((try? JSONDocument(bytes + Array(extra.utf8))) != nil, "white space at the end is refused")
    }
    for extra in [",", "0", "\"", "]", "\0"] {
        let bytes = bytes + Array(extra.utf8)
        let isLongerNumber = extra == "0" && document.root.kind == .number
        require(isLongerNumber || (try? JSONDocument(bytes)) == nil, "something may follow the value")
    }

    var first = Writer()
    first.write(document.root)
    let again = require(try? JSONDocument(first.text), "what is written again is refused")
    require(again.index.isLike(document.index), "what is written again has another form")
    var second = Writer()
    second.write(again.root)
    require(second.text == first.text, "what is written again is read otherwise")

    let tight = JSONLimits(depth: 3, members: 6, nameBytes: 4, stringBytes: 8, numberCharacters: 5)
    let fits =
        first.depth <= tight.depth && first.members <= tight.members && first.nameBytes <= tight.nameBytes
        && first.stringBytes <= tight.stringBytes && first.numberCharacters <= tight.numberCharacters
    do throws(JSONError) {
        _ = try JSONDocument(bytes, limits: tight)
        require(fits, "a text beyond the limits is accepted")
    } catch {
        require(!fits, "a text within the limits is refused: \(error.detail)")
        require(error.code == .jsonLimit, "a limit is told as \(error.code)")
    }
}

/// Writes a value again, and measures it on the way.
private struct Writer {
    var text: [UInt8] = []
    private(set) var depth = 0
    private(set) var members = 0
    private(set) var nameBytes = 0
    private(set) var stringBytes = 0
    private(set) var numberCharacters = 0
    private var open = 0

    mutating func write(_ value: JSONValue) {
        switch value.kind {
        case .object:
            begin("{")
            var names: Set<[UInt8]> = []
            let ranges = value.document.index.members(of: value.node).map(\.name)
            for (member, range) in zip(value.members, ranges) {
                separate()
                require(names.insert(Array(member.name.utf8)).inserted, "a name stands twice")
                // Finding one takes as long as there are members before it.
                if ranges.count <= 256 {
                    let found = require(value[member.name], "a member is not found by its name")
                    require(found.node == member.value.node, "another member is found by a name")
                }
                nameBytes = max(nameBytes, range.count - 2)
                text += JSON.string(member.name).encoded() + [UInt8(ascii: ":")]
                write(member.value)
            }
            end("}")
        case .array:
            begin("[")
            for element in value.elements {
                separate()
                write(element)
            }
            end("]")
        case .string:
            stringBytes = max(stringBytes, value.raw.count - 2)
            let string = require(value.string, "a string has no text")
            require(Array(string.utf8) == naively(value.raw), "another reader finds another string")
            text += JSON.string(string).encoded()
        case .number:
            numberCharacters = max(numberCharacters, value.raw.count)
            if let integer = value.integer, value.raw != Array("-0".utf8) {
                require(JSON.integer(integer).encoded() == value.raw, "an integer is another one")
            }
            text += value.raw
        case .bool: text += JSON.bool(require(value.bool, "a truth value has none")).encoded()
        case .null: text += JSON.null.encoded()
        }
    }

    private mutating func begin(_ bracket: Unicode.Scalar) {
        open += 1
        depth = max(depth, open)
        text.append(UInt8(ascii: bracket))
    }

    private mutating func separate() {
        members += 1
        if text.last != UInt8(ascii: "{"), text.last != UInt8(ascii: "[") { text.append(UInt8(ascii: ",")) }
    }

    private mutating func end(_ bracket: Unicode.Scalar) {
        open -= 1
        text.append(UInt8(ascii: bracket))
    }
}

/// The text of a quoted string that was accepted, through UTF-16.
private func naively(_ quoted: [UInt8]) -> [UInt8] {
    let plain: [UInt16: UInt16] = [0x62: 8, 0x66: 12, 0x6E: 10, 0x72: 13, 0x74: 9]
    var rest = Array(String(decoding: quoted, as: UTF8.self).utf16).dropFirst().dropLast()
    var units: [UInt16] = []
    while let unit = rest.popFirst() {
        guard unit == 0x5C, let escape = rest.popFirst() else {
            units.append(unit)
            continue
        }
        if escape == 0x75 {
            units.append(require(UInt16(String(decoding: rest.prefix(4), as: UTF16.self), radix: 16), "no digits"))
            rest = rest.dropFirst(4)
        } else {
            units.append(plain[escape] ?? escape)
        }
    }
    return Array(String(decoding: units, as: UTF16.self).utf8)
}

private func holdsNUL(_ value: JSONValue) -> Bool {
    value.string?.utf8.contains(0) == true || value.elements.contains(where: holdsNUL)
        || value.members.contains { $0.name.utf8.contains(0) || holdsNUL($0.value) }
}

extension JSONIndex {
    /// The same kinds in the same nesting, wherever the bytes lie.
    fileprivate func isLike(_ other: JSONIndex) -> Bool {
        func form(_ index: JSONIndex, _ node: NodeID) -> [Kind] {
            let children = index.members(of: node).map(\.value) + index.elements(of: node)
            return [index.kind(of: node)] + children.flatMap { form(index, $0) }
        }
        return form(self, root) == form(other, other.root)
    }
}

package import Core
package import Strongbox

/// The plaintext of a result (protocol §6), read where it lies.
///
/// Of the values only byte ranges are kept, and text of what the policy decides on; no secret leaves locked memory.
package struct ItemResult: Sendable {
    package let facts: ItemFacts
    /// The flat names of the record's members: `card_number`, not `extra.card_number`.
    package let names: Set<String>

    /// The members beside `record`, in order: name and range of the value.
    private let head: [(name: String, value: Range<Int>)]
    private let record: [FlatMember]

    /// A member of the record, wherever it stood in it.
    private struct FlatMember: Sendable {
        let name: String
        /// The quotes included.
        let nameRange: Range<Int>
        let value: Range<Int>
    }

    /// Throws `result_malformed` unless the plaintext is of that form, or two members have one flat name.
    package init(reading plaintext: SecretBody) throws(Problem) {
        let read: Result<ItemResult, Problem> = plaintext.withBytes { bytes in
            Result { () throws(Problem) in try ItemResult(bytes) }
        }
        self = try read.get()
    }

    private init(_ bytes: RawSpan) throws(Problem) {
        guard let reader = ItemReader(bytes) else { throw Self.malformed }
        guard let item = reader.member(Wire.Item.item, of: reader.root, kind: .object, in: bytes),
            let id = reader.member(Wire.Item.id, of: item, kind: .string, in: bytes),
            let revision = reader.integer(Wire.Item.revision, of: item, in: bytes),
            let record = reader.member(Wire.Item.record, of: item, kind: .object, in: bytes)
        else { throw Self.malformed }
        let vaultID = try reader.optionalText(Wire.Item.vaultID, of: item, in: bytes)
        let kind = try reader.optionalText(Wire.Item.kind, of: item, in: bytes)

        var head = [(name: Wire.Item.id, value: reader.range(id))]
        if let vaultID { head.append((Wire.Item.vaultID, reader.range(vaultID))) }
        head.append((Wire.Item.revision, reader.range(revision)))
        if let kind { head.append((Wire.Item.kind, reader.range(kind))) }
        self.head = head

        var flat: [FlatMember] = []
        var names: Set<String> = []
        for member in reader.flattened(record, in: bytes) {
            let name = reader.text(member.name, in: bytes)
            guard names.insert(name).inserted else { throw Self.malformed }
            flat.append(FlatMember(name: name, nameRange: member.name, value: reader.range(member.value)))
        }
        for name in Wire.Item.standard { _ = try reader.optionalText(name, of: record, in: bytes) }
        self.record = flat
        self.names = names
        facts = ItemFacts(
            itemID: reader.text(reader.range(id), in: bytes),
            url: try reader.optionalText(Wire.Item.url, of: record, in: bytes).map {
                reader.text(reader.range($0), in: bytes)
            },
            vaultID: vaultID.map { reader.text(reader.range($0), in: bytes) },
            kind: kind.map { reader.text(reader.range($0), in: bytes) })
    }

    static let malformed = Problem(.resultMalformed, "The result is not of the form that MimiKey documents.")

    /// `{"item":{"id","vault_id","revision","kind","record":{…}}}` with only these record members, as segments.
    package func projection(to fields: FieldSelection) -> [Segment] {
        var segments = [Segment.literal(Array("{\"\(Wire.Item.item)\":{".utf8))]
        for member in head {
            segments.append(.literal(Array("\"\(member.name)\":".utf8)))
            segments.append(.range(member.value))
            segments.append(.literal([UInt8(ascii: ",")]))
        }
        segments.append(.literal(Array("\"\(Wire.Item.record)\":{".utf8)))
        var isFirst = true
        for member in record where fields.contains(member.name) {
            if !isFirst { segments.append(.literal([UInt8(ascii: ",")])) }
            isFirst = false
            segments.append(.range(member.nameRange))
            segments.append(.literal([UInt8(ascii: ":")]))
            segments.append(.range(member.value))
        }
        segments.append(.literal(Array("}}}".utf8)))
        return segments
    }
}

extension FieldSelection {
    fileprivate func contains(_ name: String) -> Bool {
        switch self {
        case .all: true
        case .only(let names): names.contains(name)
        }
    }
}

import Core

/// Looks up values in the plaintext of a result. The bytes are lent to each look-up.
struct ItemReader {
    private let index: JSONIndex

    /// `nil` when this is no JSON. A person's password may hold any character, U+0000 too.
    init?(_ bytes: RawSpan) {
        guard let index = try? JSONIndex(validating: bytes, limits: JSONLimits(acceptsNUL: true)) else { return nil }
        self.index = index
    }

    var root: JSONIndex.NodeID { index.root }

    func range(_ node: JSONIndex.NodeID) -> Range<Int> { index.range(of: node) }

    /// A copy in ordinary memory: for names, and for what the policy decides on.
    func text(_ range: Range<Int>, in bytes: RawSpan) -> String { index.text(at: range, in: bytes) }

    func member(
        _ name: String, of node: JSONIndex.NodeID, kind: JSONIndex.Kind, in bytes: RawSpan
    ) -> JSONIndex.NodeID? {
        guard let found = index.member(name, of: node, in: bytes), index.kind(of: found) == kind else { return nil }
        return found
    }

    /// `nil` when absent; throws `result_malformed` when it is no text.
    func optionalText(
        _ name: String, of node: JSONIndex.NodeID, in bytes: RawSpan
    ) throws(Problem) -> JSONIndex.NodeID? {
        guard let found = index.member(name, of: node, in: bytes) else { return nil }
        guard index.kind(of: found) == .string else { throw ItemResult.malformed }
        return found
    }

    /// A number without fraction or exponent, of at most 18 digits.
    func integer(_ name: String, of node: JSONIndex.NodeID, in bytes: RawSpan) -> JSONIndex.NodeID? {
        guard let found = member(name, of: node, kind: .number, in: bytes) else { return nil }
        let text = Span<UInt8>(_bytes: bytes)
        var digits = index.range(of: found)
        if text[digits.lowerBound] == UInt8(ascii: "-") { digits = digits.dropFirst() }
        guard digits.count <= 18 else { return nil }
        for position in digits where !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(text[position]) { return nil }
        return found
    }

    /// The members of a record, those of `extra` among them under their own names.
    func flattened(_ record: JSONIndex.NodeID, in bytes: RawSpan) -> [(name: Range<Int>, value: JSONIndex.NodeID)] {
        index.members(of: record).flatMap { member in
            text(member.name, in: bytes) == Wire.Item.extra && index.kind(of: member.value) == .object
                ? index.members(of: member.value) : [member]
        }
    }
}

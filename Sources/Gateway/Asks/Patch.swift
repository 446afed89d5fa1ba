import Core
import Strongbox

/// What an `update_item` is to write: the names in the clear, and `{"patch":{…}}` in locked memory. The values go there
/// from the body as they stand, and are never text of ours.
struct Patch: Sendable {
    /// The largest `{"patch":{…}}`: sealed and encoded it has the 65,536 characters that MimiKey takes.
    static let longest = 49_104
    static let mostMembers = 32

    let names: Set<String>
    /// The members sorted by name, so that equal patches are equal bytes.
    let body: SecretBody

    init(_ value: JSONValue?) throws(Problem) {
        guard let value else { throw Problem(.missingMember, "The ask lacks `patch`.") }
        guard value.kind == .object else { throw Problem(.invalidMember, "`patch` must be an object.") }
        let members = value.members.sorted { $0.name < $1.name }
        guard !members.isEmpty else {
            throw Problem(.emptyPatch, "`patch` has no member, so there is nothing to write.")
        }
        guard members.count <= Self.mostMembers else {
            throw Problem(.invalidMember, "`patch` has more than \(Self.mostMembers) members.")
        }
        let index = value.document.index
        var segments = [Segment.literal(Array("{\"patch\":{".utf8))]
        for member in members {
            guard FieldName.isValid(member.name) else {
                throw Problem(
                    .invalidMember,
                    "`patch` has a member whose name is none: lower-case letters, digits and `_`, starting with a letter."
                )
            }
            guard member.value.kind == .string else {
                throw Problem(.invalidMember, "The member `\(member.name)` of `patch` must be a string.")
            }
            segments.append(.literal(Array("\(segments.count > 1 ? "," : "")\"\(member.name)\":".utf8)))
            segments.append(.range(index.range(of: member.value.node)))
        }
        segments.append(.literal(Array("}}".utf8)))
        guard segments.reduce(0, { $0 + $1.count }) <= Self.longest else {
            throw Problem(
                .invalidPatch, "`patch` has more than the \(Self.longest) bytes that MimiKey takes.")
        }
        names = Set(members.map(\.name))
        body = SecretBody(assembling: segments, from: value.document.bytes.span.bytes)
    }
}

extension Segment {
    fileprivate var count: Int {
        switch self {
        case .literal(let bytes): bytes.count
        case .range(let range): range.count
        }
    }
}

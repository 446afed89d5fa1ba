/// The account's identity key: the one that counts, and another one that MimiKey showed since.
///
/// Whoever could hand out a key of his own could read every patch. So the first one that is seen is pinned, and another
/// one takes the operator's word.
struct IdentityKeys: Hashable, Sendable {
    private(set) var pinned: [UInt8]?
    /// What MimiKey shows now, when that is not the pinned one.
    private(set) var offered: [UInt8]?

    init(pinned: [UInt8]?) { self.pinned = pinned }

    enum Verdict: Hashable, Sendable {
        case first, same, other
    }

    /// MimiKey shows this one.
    mutating func see(_ key: [UInt8]) -> Verdict {
        guard let pinned else { return .first }
        offered = key == pinned ? nil : key
        return key == pinned ? .same : .other
    }

    /// It is on the disk that this one counts.
    mutating func pin(_ key: [UInt8]) {
        pinned = key
        if offered == key { offered = nil }
    }
}

import Strongbox

struct NotAKey: Error {}

extension SealKey {
    static func from(_ bytes: [UInt8]) throws -> SealKey {
        guard let key = SealKey(privateKey: Secret(copying: bytes)) else { throw NotAKey() }
        return key
    }
}

extension ApprovalKey {
    static func from(_ seed: [UInt8]) throws -> ApprovalKey {
        guard let key = ApprovalKey(seed: Secret(copying: seed)) else { throw NotAKey() }
        return key
    }
}

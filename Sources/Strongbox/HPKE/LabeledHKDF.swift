/// HKDF-SHA256 (RFC 5869) with HPKE's labels (RFC 9180, section 4), for outputs of one block.
struct LabeledHKDF {
    /// `KEM` or `HPKE` and the numbers of the algorithms.
    let suite: [UInt8]

    /// For a salt or input that is absent.
    static let nothing: [UInt8] = []

    /// LabeledExtract: 32 bytes.
    func extract(salt: RawSpan, label: StaticString, input: RawSpan) -> Secret {
        var code = HMACSHA256(key: salt)
        code.update(version)
        code.update(suite)
        code.update(Array(label.description.utf8))
        code.update(input)
        return code.finish()
    }

    /// LabeledExpand: at most 32 bytes, so that one HMAC is enough.
    func expand(_ key: borrowing Secret, label: StaticString, info: [UInt8], count: Int) -> Secret {
        var code = key.withBytes { HMACSHA256(key: $0) }
        code.update([UInt8(count >> 8), UInt8(count & 0xFF)])
        code.update(version)
        code.update(suite)
        code.update(Array(label.description.utf8))
        code.update(info)
        code.update([1])
        return code.finish(count: count)
    }

    private var version: [UInt8] { Array("HPKE-v1".utf8) }
}

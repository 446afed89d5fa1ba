import Core
import Strongbox

/// The signature of one call, checked in the order of the protocol: presence, form, window, signature. The nonce is the
/// caller's business afterwards: only a good signature burns one.
enum SignatureCheck {
    /// The nonce of a well-signed call.
    static func nonce(
        of call: APICall, approvalKey: [UInt8], at now: UnixTime
    ) throws(Refusal) -> String {
        for field in [Wire.timestampField, Wire.nonceField, Wire.signatureField] {
            guard call.fields.contains(field) else { throw .signatureRequired }
        }
        guard let timestamp = call.fields.text(Wire.timestampField), let seconds = integer(timestamp),
            let nonce = call.fields.text(Wire.nonceField), isNonce(nonce),
            let signature = call.fields.text(Wire.signatureField)
        else { throw .signatureInvalid }

        let (distance, overflow) = seconds.subtractingReportingOverflow(now.seconds)
        guard !overflow, distance.magnitude <= UInt64(Wire.windowSeconds) else { throw .timestampOutOfWindow }

        let canonical = Wire.canonicalString(
            method: call.method.name, path: call.path, timestamp: timestamp, nonce: nonce, body: call.body)
        guard let bytes = Base64URL.decode(signature),
            Ed25519.verify(signature: bytes, of: Array(canonical.utf8), publicKey: approvalKey)
        else { throw .signatureInvalid }
        return nonce
    }

    /// Digits, with a minus before them at most.
    private static func integer(_ text: String) -> Int64? {
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(text)
    }

    /// 8 to 128 visible ASCII characters.
    private static func isNonce(_ text: String) -> Bool {
        Wire.nonceLengths.contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}

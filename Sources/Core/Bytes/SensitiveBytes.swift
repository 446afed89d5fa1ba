/// Bytes that are wiped once they have been used: an opened box on its way into an answer.
///
/// `Strongbox.SecretBody` is the real one. The server writes such a body without a copy that outlives the write.
package protocol SensitiveBytes: AnyObject, Sendable {
    /// How many bytes there are; 0 after `wipe()`.
    var count: Int { get }
    /// Lends the bytes for the length of the call.
    func withBytes<Result>(_ body: (RawSpan) throws -> Result) rethrows -> Result
    /// Overwrites the bytes with zeros. May be called more than once.
    func wipe()
}

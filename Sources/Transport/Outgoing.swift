package import Core

/// What is written to a stream.
package enum Outgoing: Sendable {
    case bytes([UInt8])
    /// Handed to the kernel straight from where they are, without a copy. Wiping them is the caller's business.
    case sensitive(any SensitiveBytes)

    package var count: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .sensitive(let bytes): bytes.count
        }
    }

    /// Hands bytes to the kernel from `offset` on, which is below `count`.
    func send(from offset: Int, to socket: Int32, more: Bool) -> Sent {
        switch self {
        case .bytes(let bytes): return Sent.send(bytes.span.bytes.extracting(offset...), to: socket, more: more)
        case .sensitive(let bytes):
            return bytes.withBytes { span in
                guard offset < span.byteCount else {
                    return .failed(TransportError(name: "ECANCELED", doing: "writing bytes that were wiped"))
                }
                return Sent.send(span.extracting(offset...), to: socket, more: more)
            }
        }
    }
}

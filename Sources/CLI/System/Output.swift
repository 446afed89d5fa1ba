import Glibc

/// Results go to standard output, everything else to standard error.
enum Output {
    /// One line, or several, of result.
    static func result(_ text: String) { write(Array((text + "\n").utf8), to: STDOUT_FILENO) }

    /// Bytes of result as they are, and a line end.
    static func result(_ bytes: [UInt8]) { write(bytes + [0x0A], to: STDOUT_FILENO) }

    /// `countersign: sentence`.
    static func talk(_ sentence: String) { write(Array("countersign: \(sentence)\n".utf8), to: STDERR_FILENO) }

    /// `hint: …`, below what was said.
    static func hint(_ text: String) { write(Array("hint: \(text)\n".utf8), to: STDERR_FILENO) }

    /// A line of text for the person as it is.
    static func note(_ text: String) { write(Array((text + "\n").utf8), to: STDERR_FILENO) }

    /// Who reads may have gone: then the rest is dropped.
    private static func write(_ bytes: [UInt8], to descriptor: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EINTR { continue }
                return
            }
            rest = rest.dropFirst(count)
        }
    }
}

import Glibc

/// The certificate authorities that the machine's operator believes, as distributions lay them down.
enum SystemAuthorities {
    private static let places = [
        "/etc/ssl/certs/ca-certificates.crt",  // Debian, Ubuntu, Arch, Alpine
        "/etc/pki/tls/certs/ca-bundle.crt",  // Fedora, Red Hat
        "/etc/ssl/ca-bundle.pem",  // SUSE
        "/etc/ssl/cert.pem",
    ]
    /// A bundle has some 250 KB.
    private static let longest = 8 << 20

    /// PEM; `nil` when there is none.
    static func read() -> [UInt8]? {
        for place in places {
            if let bytes = read(place) { return bytes }
        }
        return nil
    }

    private static func read(_ path: String) -> [UInt8]? {
        let number = open(path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { return nil }
        defer { close(number) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        while bytes.count < longest {
            let count = Glibc.read(number, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { return bytes }
            bytes += piece[..<count]
        }
        return nil
    }
}

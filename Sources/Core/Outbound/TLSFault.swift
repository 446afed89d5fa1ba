/// Why no TLS connection to a service came about, though it could be reached. The raw value stands in logs.
package enum TLSFault: String, Error, Hashable, Sendable, CaseIterable {
    /// The certificate, or one above it, is over.
    case expired
    /// The certificate, or one above it, has not begun. This machine's clock may be wrong.
    case notYetValid = "not_yet_valid"
    /// The certificate is for other names.
    case wrongName = "wrong_name"
    /// The chain leads to nobody whom we trust: self-signed, an authority we do not know, or a link is missing.
    case unknownIssuer = "unknown_issuer"
    /// Anything else that is wrong with a certificate: its purpose, its key, its signature.
    case badCertificate = "bad_certificate"
    /// There are no certificate authorities on this machine to check against.
    case noAuthorities = "no_authorities"
    /// The service speaks no version from TLS 1.2 on.
    case protocolVersion = "protocol_version"
    /// What answered speaks no TLS at all.
    case notTLS = "not_tls"
    /// The handshake was not over in time.
    case timedOut = "timed_out"
    /// Anything else: no common cipher, another protocol chosen than was offered, a handshake that makes no sense.
    case other

    /// We do not believe that it is the service, as opposed to being unable to speak with it.
    package var isDistrust: Bool {
        switch self {
        case .expired, .notYetValid, .wrongName, .unknownIssuer, .badCertificate, .noAuthorities: true
        case .protocolVersion, .notTLS, .timedOut, .other: false
        }
    }
}

import CTLS
import Core

extension TLSFault {
    /// From what OpenSSL found of the certificates, and else from the first error of its queue.
    init(verdict: Int, error: UInt) {
        switch Int32(truncatingIfNeeded: verdict) {
        case X509_V_OK: self.init(error: error)
        case X509_V_ERR_CERT_HAS_EXPIRED: self = .expired
        case X509_V_ERR_CERT_NOT_YET_VALID: self = .notYetValid
        case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH: self = .wrongName
        case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT, X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN,
            X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
            X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE, X509_V_ERR_CERT_UNTRUSTED:
            self = .unknownIssuer
        default: self = .badCertificate
        }
    }

    private init(error: UInt) {
        guard tls_is_of_ssl(error) != 0 else {
            self = .other
            return
        }
        switch tls_reason(error) {
        case SSL_R_UNSUPPORTED_PROTOCOL, SSL_R_TLSV1_ALERT_PROTOCOL_VERSION, SSL_R_VERSION_TOO_LOW,
            SSL_R_WRONG_SSL_VERSION, SSL_R_INAPPROPRIATE_FALLBACK:
            self = .protocolVersion
        case SSL_R_WRONG_VERSION_NUMBER: self = .notTLS
        default: self = .other
        }
    }
}

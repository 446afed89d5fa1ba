import CTLS
package import Core

/// Whom a certificate must name.
package enum TLSName: Hashable, Sendable {
    case dns(String)
    case ip(IPAddress)

    /// From the host of an origin.
    package init(host: String) {
        if let ip = IPAddress(host) {
            self = .ip(ip)
        } else {
            self = .dns(host.hasSuffix(".") ? String(host.dropLast()) : host)
        }
    }
}

/// What is needed to speak TLS with one service: whom to expect, whom to believe, and the tickets of earlier
/// connections. It owns the `SSL_CTX`.
///
/// Everything that OpenSSL's configuration could weaken is set here. There is no way to do without the check.
package final class TLSContext: Sendable {
    let name: TLSName
    let tickets = TLSTickets()
    /// Not changed after `init`; OpenSSL locks what its connections share.
    nonisolated(unsafe) let pointer: OpaquePointer

    /// The one protocol that is offered (ALPN).
    static let applicationProtocol = Array("http/1.1".utf8)
    /// For TLS 1.2: a secret of its own for each connection, and authenticated encryption.
    private static let ciphers = "ECDHE+AESGCM:ECDHE+CHACHA20"
    /// 112 bits: no RSA below 2048 bits, no SHA-1 in a chain.
    private static let securityLevel: Int32 = 2

    /// Bytes of a service's certificates.
    private static let longestChain = 100 * 1024

    package init(for name: TLSName, trusting authorities: TLSAuthorities) throws(TLSFault) {
        OpenSSLLibrary.begin()
        defer { ERR_clear_error() }
        guard let pointer = SSL_CTX_new(TLS_client_method()) else { throw .other }
        self.name = name
        self.pointer = pointer
        tls_set_least_version(pointer, TLS1_2_VERSION)
        tls_set_any_greatest_version(pointer)
        tls_set_options(pointer)
        tls_set_longest_chain(pointer, TLSContext.longestChain)
        SSL_CTX_set_security_level(pointer, TLSContext.securityLevel)
        SSL_CTX_set_verify(pointer, SSL_VERIFY_PEER, nil)
        SSL_CTX_set1_cert_store(pointer, authorities.store)
        let offer = [UInt8(TLSContext.applicationProtocol.count)] + TLSContext.applicationProtocol
        guard SSL_CTX_set_cipher_list(pointer, TLSContext.ciphers) == 1,
            SSL_CTX_set_alpn_protos(pointer, offer, UInt32(offer.count)) == 0
        else { throw .other }
        keepTickets()
    }

    deinit { SSL_CTX_free(pointer) }

    /// A connection keeps its context, so the pointer is good whenever OpenSSL calls.
    private func keepTickets() {
        tls_keep_sessions_outside(pointer)
        SSL_CTX_set_ex_data(pointer, 0, Unmanaged.passUnretained(self).toOpaque())
        SSL_CTX_sess_set_new_cb(pointer) { ssl, session in
            guard let session, let context = SSL_get_SSL_CTX(ssl), let data = SSL_CTX_get_ex_data(context, 0) else {
                return 0
            }
            let ticket = TLSTicket(owning: session, at: Clocks.monotonic())
            Unmanaged<TLSContext>.fromOpaque(data).takeUnretainedValue().tickets.add(ticket)
            return 1
        }
    }
}

/// OpenSSL as a whole.
enum OpenSSLLibrary {
    /// Keeps OpenSSL from reading a configuration file, since `OPENSSL_CONF` of the environment could name one that loads
    /// code, and from tidying up when the process ends, since one of our threads might still be at work.
    static func begin() { OPENSSL_init_ssl(UInt64(OPENSSL_INIT_NO_LOAD_CONFIG | OPENSSL_INIT_NO_ATEXIT), nil) }
}

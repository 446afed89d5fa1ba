import CTLS
import Core

/// TLS with one peer, without a socket: ciphertext goes in and comes out, and so does plaintext. It owns the `SSL`.
///
/// OpenSSL wipes what it has deciphered once it was read (`SSL_OP_CLEANSE_PLAINTEXT`), and enciphers in place. Its
/// queue of errors is empty after each call: nothing of it is ever shown.
final class TLSSession {
    enum Read {
        case bytes([UInt8])
        case wantsMore
        /// The peer has announced its end.
        case ended
        case failed
    }

    private let context: TLSContext
    private let ssl: OpaquePointer
    /// Ciphertext of the peer that OpenSSL has not read yet; `ssl` frees it.
    private let input: OpaquePointer
    /// Ciphertext of ours; `ssl` frees it.
    private let output: OpaquePointer
    /// OpenSSL must not be asked for anything any more.
    private var isBroken = false
    private var isReady = false

    /// The most plaintext of one record (RFC 8446, section 5.1).
    private static let longestRecord = 16 * 1024

    init(_ context: TLSContext, at now: Instant) throws(TLSFault) {
        ERR_clear_error()
        guard let ssl = SSL_new(context.pointer) else { throw .other }
        guard let input = BIO_new(BIO_s_mem()), let output = BIO_new(BIO_s_mem()) else {
            SSL_free(ssl)
            throw .other
        }
        SSL_set_bio(ssl, input, output)
        SSL_set_connect_state(ssl)
        self.context = context
        self.ssl = ssl
        self.input = input
        self.output = output
        guard expect(context.name) else { throw .other }
        if let ticket = context.tickets.take(at: now) { SSL_set_session(ssl, ticket.session) }
        ERR_clear_error()
    }

    deinit { SSL_free(ssl) }

    /// Whom the certificate must name; a name is also said to the peer (SNI). The subject's common name counts for nothing,
    /// and a `*` only for a whole label.
    private func expect(_ name: TLSName) -> Bool {
        let parameters = SSL_get0_param(ssl)
        X509_VERIFY_PARAM_set_hostflags(
            parameters, UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS | X509_CHECK_FLAG_NEVER_CHECK_SUBJECT))
        switch name {
        case .dns(let name):
            return tls_set_server_name(ssl, name) == 1 && X509_VERIFY_PARAM_set1_host(parameters, name, 0) == 1
        case .ip(.v4(let bytes)), .ip(.v6(let bytes)):
            return X509_VERIFY_PARAM_set1_ip(parameters, bytes, bytes.count) == 1
        }
    }

    // MARK: Handshake

    /// `true` when it is over, `false` when more of the peer's bytes are needed.
    func shakeHands() throws(TLSFault) -> Bool {
        guard !isBroken else { throw .other }
        ERR_clear_error()
        let result = SSL_do_handshake(ssl)
        if result == 1 {
            guard choseOurProtocol else { throw fail(.other) }
            isReady = true
            return true
        }
        if SSL_get_error(ssl, result) == SSL_ERROR_WANT_READ { return false }
        throw fail(TLSFault(verdict: SSL_get_verify_result(ssl), error: ERR_peek_error()))
    }

    private func fail(_ fault: TLSFault) -> TLSFault {
        isBroken = true
        ERR_clear_error()
        return fault
    }

    /// The peer may leave the choice of the protocol open, but not choose what was not offered.
    private var choseOurProtocol: Bool {
        var chosen: UnsafePointer<UInt8>?
        var count: UInt32 = 0
        SSL_get0_alpn_selected(ssl, &chosen, &count)
        guard let chosen, count > 0 else { return true }
        return Array(UnsafeBufferPointer(start: chosen, count: Int(count))) == TLSContext.applicationProtocol
    }

    // MARK: Ciphertext

    func receive(_ ciphertext: [UInt8]) { BIO_write(input, ciphertext, Int32(ciphertext.count)) }

    /// What is to be sent to the peer, often nothing.
    func takeOutput() -> [UInt8] {
        let count = BIO_ctrl_pending(output)
        guard count > 0 else { return [] }
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialised in
            initialised = Int(max(0, BIO_read(output, buffer.baseAddress, Int32(count))))
        }
    }

    // MARK: Plaintext

    /// At most one record's.
    func read() -> Read {
        guard isReady, !isBroken else { return .failed }
        ERR_clear_error()
        var result: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: TLSSession.longestRecord) { buffer, initialised in
            result = SSL_read(ssl, buffer.baseAddress, Int32(buffer.count))
            initialised = Int(max(0, result))
        }
        return result > 0 ? .bytes(bytes) : readEnded(result)
    }

    /// Nothing is there to be read, no end and no failure either; what concerns TLS alone is worked off.
    func hasNothingToRead() -> Bool {
        guard isReady, !isBroken else { return false }
        ERR_clear_error()
        var byte: UInt8 = 0
        let result = SSL_peek(ssl, &byte, 1)
        byte = 0
        if result > 0 { return false }
        if case .wantsMore = readEnded(result) { return true }
        return false
    }

    private func readEnded(_ result: Int32) -> Read {
        let error = SSL_get_error(ssl, result)
        ERR_clear_error()
        switch error {
        case SSL_ERROR_WANT_READ: return .wantsMore
        case SSL_ERROR_ZERO_RETURN: return .ended
        default:
            isBroken = true
            return .failed
        }
    }

    /// Encrypts what is not empty; `false` when that failed.
    func write(_ plaintext: RawSpan) -> Bool {
        guard isReady, !isBroken else { return false }
        ERR_clear_error()
        let result = plaintext.withUnsafeBytes { SSL_write(ssl, $0.baseAddress, Int32($0.count)) }
        guard result == Int32(plaintext.byteCount) else {
            _ = fail(.other)
            return false
        }
        return true
    }

    /// Announces our end.
    func end() {
        guard isReady, !isBroken else { return }
        ERR_clear_error()
        SSL_shutdown(ssl)
        isBroken = true
        ERR_clear_error()
    }
}

import CTLS

/// Certificate authorities that are believed. It owns the `X509_STORE`.
package final class TLSAuthorities: Sendable {
    /// Not changed after `init`; OpenSSL locks it.
    nonisolated(unsafe) let store: OpaquePointer
    package let count: Int

    package enum Unreadable: Error, Hashable, Sendable {
        /// There is none among the text.
        case noCertificate
        /// The certificate of that number, counted from 1, cannot be read.
        case damaged(Int)
    }

    /// From certificates in PEM; what else stands between them is passed over.
    package init(pem: [UInt8]) throws(Unreadable) {
        OpenSSLLibrary.begin()
        ERR_clear_error()
        defer { ERR_clear_error() }
        guard let store = X509_STORE_new() else { throw .damaged(1) }
        self.store = store
        guard !pem.isEmpty, let text = BIO_new(BIO_s_mem()) else {
            count = 0
            throw .noCertificate
        }
        defer { BIO_free(text) }
        BIO_write(text, pem, Int32(pem.count))
        var count = 0
        // The closure stands for a password that we do not have; OpenSSL would ask the terminal for one.
        while let certificate = PEM_read_bio_X509(text, nil, { _, _, _, _ in -1 }, nil) {
            count += 1
            let isAdded = X509_STORE_add_cert(store, certificate) == 1
            X509_free(certificate)
            guard isAdded else {
                self.count = 0
                throw .damaged(count)
            }
        }
        self.count = count
        guard tls_is_end_of_pem(ERR_peek_last_error()) != 0 else { throw .damaged(count + 1) }
        guard count > 0 else { throw .noCertificate }
    }

    deinit { X509_STORE_free(store) }
}

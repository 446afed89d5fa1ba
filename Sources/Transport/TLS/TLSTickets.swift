import CTLS
import Core
import Synchronization

/// What a service gave us to make a later handshake short. It owns the `SSL_SESSION`.
///
/// `@unchecked Sendable`: it is not changed any more, and OpenSSL counts the references with atomics.
final class TLSTicket: @unchecked Sendable {
    let session: OpaquePointer
    private let received: Instant

    /// A handshake with a ticket does not check the chain again, so one must come soon that does.
    private static let life = Duration.seconds(3600)

    /// Takes over a reference.
    init(owning session: OpaquePointer, at now: Instant) {
        self.session = session
        received = now
    }

    deinit { SSL_SESSION_free(session) }

    /// Also the certificate, by which the service was believed, must still hold.
    func isUsable(at now: Instant) -> Bool {
        guard now < received + TLSTicket.life, SSL_SESSION_is_resumable(session) == 1,
            let certificate = SSL_SESSION_get0_peer(session)
        else { return false }
        return X509_cmp_current_time(X509_get0_notAfter(certificate)) > 0
            && X509_cmp_current_time(X509_get0_notBefore(certificate)) < 0
    }

    /// From TLS 1.3 on a ticket is shown once, so that nobody on the way can tell that it is us again.
    var isForOneUse: Bool { SSL_SESSION_get_protocol_version(session) >= TLS1_3_VERSION }
}

/// The newest tickets of one service, in memory only.
final class TLSTickets: Sendable {
    /// Tickets kept at one time; the oldest goes.
    static let most = 8

    private let kept = Mutex<[TLSTicket]>([])

    func add(_ ticket: TLSTicket) {
        kept.withLock { kept in
            kept.append(ticket)
            if kept.count > TLSTickets.most { kept.removeFirst() }
        }
    }

    /// The newest one that may be used.
    func take(at now: Instant) -> TLSTicket? {
        kept.withLock { kept in
            kept.removeAll { !$0.isUsable(at: now) }
            guard let newest = kept.last else { return nil }
            if newest.isForOneUse { kept.removeLast() }
            return newest
        }
    }
}

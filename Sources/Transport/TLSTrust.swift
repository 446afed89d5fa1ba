package import Core
import Synchronization

/// Whom a client believes: the authorities that it was given, or else those of this machine, which are read when they
/// are first needed. Nothing of the environment has a say (`SSL_CERT_FILE`, `SSL_CERT_DIR`).
package final class TLSTrust: Sendable {
    private let known: Mutex<TLSAuthorities?>

    package init(_ authorities: TLSAuthorities) { known = Mutex(authorities) }

    /// Those of this machine.
    package init() { known = Mutex(nil) }

    /// Blocks, for tens of milliseconds, when they have to be read. A failure is not kept.
    package func authorities() throws(TLSFault) -> TLSAuthorities {
        let found: TLSAuthorities? = known.withLock { known in
            if known == nil, let bytes = SystemAuthorities.read() { known = try? TLSAuthorities(pem: bytes) }
            return known
        }
        guard let found else { throw .noAuthorities }
        return found
    }
}

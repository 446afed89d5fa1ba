import Strongbox

/// The memory that secrets lie in.
package enum SecretMemory {
    /// As many results as may be open at once, each beside the answer that is made of it, and the keys and tokens.
    private static let most = AskBook.mostOpenBoxes * 2 * SecretBody.longest + (256 << 10)

    /// Does the system keep that much out of swap? Asked once.
    package static let canBeLocked = MemoryLocking.isPossible(for: most)

    /// What to do when it does not.
    package static let advice = "raise `ulimit -l`, or `LimitMEMLOCK` of the service, to \(most >> 10) KiB"
}

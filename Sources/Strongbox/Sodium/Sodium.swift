import CSodium

/// libsodium, made ready once. Everything in this folder passes through here first.
enum Sodium {
    /// Picks the fastest implementations and opens the random source; harmless when repeated.
    static func prepare() { _ = isReady }

    private static let isReady: Bool = {
        guard sodium_init() >= 0 else { fatalError("libsodium could not be initialised") }
        return true
    }()
}

/// The nonces that a grant has used. The last 100,000 are always remembered, never more than 200,000.
struct NonceMemory: Sendable {
    let generation: Int
    private var recent: Set<String> = []
    private var earlier: Set<String> = []

    init(generation: Int = 100_000) { self.generation = generation }

    /// `false` when it was used before.
    mutating func burn(_ nonce: String) -> Bool {
        guard !recent.contains(nonce), !earlier.contains(nonce) else { return false }
        if recent.count >= generation {
            earlier = recent
            recent = []
        }
        recent.insert(nonce)
        return true
    }
}

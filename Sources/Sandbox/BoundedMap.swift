/// A dictionary that forgets its oldest entries once it is full. Keys are random names, used once.
struct BoundedMap<Value: Sendable>: Sendable {
    let capacity: Int
    private var values: [String: Value] = [:]
    private var order: [String] = []
    private var oldest = 0

    init(capacity: Int) { self.capacity = capacity }

    var count: Int { values.count }

    subscript(key: String) -> Value? { values[key] }

    /// Oldest first.
    var keys: ArraySlice<String> { order[oldest...] }

    mutating func insert(_ value: Value, for key: String) {
        if values.updateValue(value, forKey: key) == nil { order.append(key) }
        guard values.count > capacity else { return }
        values[order[oldest]] = nil
        oldest += 1
        if oldest > capacity {
            order.removeFirst(oldest)
            oldest = 0
        }
    }

    /// Changes what is there; nothing happens when nothing is.
    mutating func update(_ key: String, _ change: (inout Value) -> Void) {
        guard values[key] != nil else { return }
        change(&values[key]!)
    }

    mutating func updateAll(_ change: (inout Value) -> Void) {
        for key in keys { update(key, change) }
    }
}

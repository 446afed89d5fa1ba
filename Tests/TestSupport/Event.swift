/// Something that happens again and again, each time with a value, and that a test waits for.
package final class Event<Value: Sendable>: Sendable {
    private let stream: AsyncStream<Value>
    private let continuation: AsyncStream<Value>.Continuation

    package init() { (stream, continuation) = AsyncStream.makeStream(of: Value.self) }

    package func happened(_ value: Value) { continuation.yield(value) }

    /// The next value; `nil` when the task is cancelled.
    package func next() async -> Value? {
        for await value in stream { return value }
        return nil
    }
}

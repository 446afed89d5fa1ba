import Glibc

@_silgen_name("__sanitizer_install_malloc_and_free_hooks")
private func installHooks(
    _ malloc: @convention(c) (UnsafeRawPointer?, Int) -> Void, _ free: @convention(c) (UnsafeRawPointer?) -> Void
) -> Int32

@_silgen_name("__sanitizer_get_allocated_size")
private func allocatedSize(_ block: UnsafeRawPointer?) -> Int

/// What one input may cost: 50 ms of processor time and 32 MiB of memory, instrumentation included.
enum Cost {
    private static let mostMicroseconds = 50_000
    private static let mostBytes = 32 << 20

    // One thread runs the inputs, and the hooks with it.
    nonisolated(unsafe) private static var live = 0
    nonisolated(unsafe) private static var peak = 0
    nonisolated(unsafe) private static var slowest = 0
    nonisolated(unsafe) private static var largest = 0

    static func startCounting() {
        let slots = installHooks(
            { _, size in
                Cost.live += size
                if Cost.live > Cost.peak { Cost.peak = Cost.live }
            },
            { block in Cost.live -= allocatedSize(block) })
        require(slots > 0, "the allocations cannot be counted")
        atexit { print("cost: \(Cost.slowest) us, \(Cost.largest) bytes") }
    }

    /// Runs what is measured, twice more if it was too slow: a busy machine is not slow three times.
    static func bounded<Value>(_ body: () -> Value) -> Value {
        let before = live
        peak = live
        var (value, spent) = timed(body)
        let bytes = peak - before
        for _ in 0..<2 where spent >= mostMicroseconds {
            let again: Int
            (value, again) = timed(body)
            spent = min(spent, again)
        }
        slowest = max(slowest, spent)
        largest = max(largest, bytes)
        require(bytes < mostBytes, "an input took \(bytes) bytes of memory")
        require(spent < mostMicroseconds, "an input took \(spent) us")
        return value
    }

    private static func timed<Value>(_ body: () -> Value) -> (Value, Int) {
        let start = processorTime()
        let value = body()
        return (value, processorTime() - start)
    }

    private static func processorTime() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000 + time.tv_nsec / 1000
    }
}

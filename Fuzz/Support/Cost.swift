import Glibc

@_silgen_name("__sanitizer_install_malloc_and_free_hooks")
private func installHooks(
    _ malloc: @convention(c) (UnsafeRawPointer?, Int) -> Void, _ free: @convention(c) (UnsafeRawPointer?) -> Void
) -> Int32

@_silgen_name("__sanitizer_get_allocated_size")
private func allocatedSize(_ block: UnsafeRawPointer?) -> Int

/// What one input may cost: 50 ms of processor time and 32 MiB of memory, instrumentation included.
enum Cost {
    private static let milliseconds = 50
    private static let bytes = 32 << 20

    // One thread runs the inputs, and the hooks with it.
    nonisolated(unsafe) private static var live = 0
    nonisolated(unsafe) private static var peak = 0

    static func startCounting() {
        let slots = installHooks(
            { _, size in
                Cost.live += size
                if Cost.live > Cost.peak { Cost.peak = Cost.live }
            },
            { block in Cost.live -= allocatedSize(block) })
        require(slots > 0, "the allocations cannot be counted")
    }

    /// Runs what is measured, once more if it was too slow: a busy machine is not slow twice.
    static func bounded<Value>(_ body: () -> Value) -> Value {
        let before = live
        peak = live
        let start = processorTime()
        let value = body()
        let spent = processorTime() - start
        require(peak - before < bytes, "an input took \(peak - before) bytes of memory")
        guard spent >= milliseconds else { return value }
        let again = processorTime()
        _ = body()
        let spentAgain = processorTime() - again
        require(spentAgain < milliseconds, "an input took \(spent) ms, and then \(spentAgain) ms")
        return value
    }

    private static func processorTime() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
    }
}

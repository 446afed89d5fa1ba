import CUV

/// A one-shot timer of a loop; may be set again and again until it is closed.
final class UVTimer: UVHandle {
    private let loop: UVLoop
    private var handle: UnsafeMutablePointer<uv_timer_t>?
    private var fired: (() -> Void)?

    /// `nil` when the loop is stopping. When the loop stops later the timer fires a last time.
    init?(on loop: UVLoop, fired: @escaping () -> Void) {
        guard !loop.isStopping else { return nil }
        let handle = UnsafeMutablePointer<uv_timer_t>.allocate(capacity: 1)
        uv_timer_init(loop.pointer, handle)
        self.loop = loop
        self.handle = handle
        self.fired = fired
        handle.pointee.data = Unmanaged.passRetained(self).toOpaque()
        loop.register(self)
    }

    /// Fires once, `delay` from now, rounded up to milliseconds.
    func set(after delay: Duration) {
        guard let handle else { return }
        let (seconds, attoseconds) = max(delay, .zero).components
        let milliseconds =
            UInt64(clamping: min(seconds, 1 << 40)) * 1000 + UInt64(attoseconds + 999_999_999_999_999)
            / 1_000_000_000_000_000
        uv_update_time(loop.pointer)
        uv_timer_start(
            handle,
            { handle in
                guard let data = handle?.pointee.data else { return }
                Unmanaged<UVTimer>.fromOpaque(data).takeUnretainedValue().fire()
            }, milliseconds, 0)
    }

    func clear() {
        guard let handle else { return }
        uv_timer_stop(handle)
    }

    func close() {
        guard let handle else { return }
        self.handle = nil
        fired = nil
        uv_close(erased(handle)) { handle in
            guard let handle, let data = handle.pointee.data else { return }
            Unmanaged<UVTimer>.fromOpaque(data).takeRetainedValue().hasClosed(handle)
        }
    }

    private func fire() { fired?() }

    private func hasClosed(_ handle: UnsafeMutablePointer<uv_handle_t>) {
        UnsafeMutableRawPointer(handle).assumingMemoryBound(to: uv_timer_t.self).deallocate()
        loop.forget(self)
    }

    func loopIsStopping() {
        let last = fired
        close()
        last?()
    }
}

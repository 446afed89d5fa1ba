import CUV

/// Watches one descriptor for readiness. It does not own the descriptor: close the watch first, then the descriptor.
final class UVPoll: UVHandle {
    struct Events: OptionSet, Hashable {
        let rawValue: Int32
        static let readable = Events(rawValue: Int32(UV_READABLE.rawValue))
        static let writable = Events(rawValue: Int32(UV_WRITABLE.rawValue))
        /// The peer has ended its side, seen without reading.
        static let hangUp = Events(rawValue: Int32(UV_DISCONNECT.rawValue))
    }

    enum Report {
        case ready(Events)
        /// The descriptor has an error; libuv has stopped watching it.
        case broken
        case loopStopping
    }

    private let loop: UVLoop
    private var handle: UnsafeMutablePointer<uv_poll_t>?
    private var report: ((Report) -> Void)?
    private var watched: Events = []

    /// `nil` when the loop is stopping or libuv cannot watch such a descriptor.
    init?(on loop: UVLoop, descriptor: Int32, report: @escaping (Report) -> Void) {
        guard !loop.isStopping else { return nil }
        let handle = UnsafeMutablePointer<uv_poll_t>.allocate(capacity: 1)
        guard uv_poll_init(loop.pointer, handle, descriptor) == 0 else {
            handle.deallocate()
            return nil
        }
        self.loop = loop
        self.handle = handle
        self.report = report
        handle.pointee.data = Unmanaged.passRetained(self).toOpaque()
        loop.register(self)
    }

    /// Changes what is watched for; nothing at all stops the watch. Costs no system call when nothing changes.
    func watch(_ events: Events) {
        guard let handle, events != watched else { return }
        watched = events
        if events.isEmpty {
            uv_poll_stop(handle)
            return
        }
        uv_poll_start(handle, events.rawValue) { handle, status, events in
            guard let data = handle?.pointee.data else { return }
            Unmanaged<UVPoll>.fromOpaque(data).takeUnretainedValue().happened(status: status, events: events)
        }
    }

    func close() {
        guard let handle else { return }
        self.handle = nil
        report = nil
        uv_close(erased(handle)) { handle in
            guard let handle, let data = handle.pointee.data else { return }
            Unmanaged<UVPoll>.fromOpaque(data).takeRetainedValue().hasClosed(handle)
        }
    }

    private func happened(status: Int32, events: Int32) {
        if status < 0 {
            watched = []
            report?(.broken)
        } else {
            report?(.ready(Events(rawValue: events)))
        }
    }

    private func hasClosed(_ handle: UnsafeMutablePointer<uv_handle_t>) {
        UnsafeMutableRawPointer(handle).assumingMemoryBound(to: uv_poll_t.self).deallocate()
        loop.forget(self)
    }

    func loopIsStopping() {
        let last = report
        close()
        last?(.loopStopping)
    }
}

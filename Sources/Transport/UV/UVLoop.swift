import CUV

/// Something of libuv's that a loop must close before it can end.
protocol UVHandle: AnyObject {
    /// The loop is stopping: close, and tell the owner.
    func loopIsStopping()
}

/// A `uv_loop_t` with what wakes it and what runs our jobs.
///
/// Everything but `wake` is called on the loop's own thread. `turn` runs before each poll for events, so one place runs
/// the jobs whatever made them ready.
final class UVLoop {
    let pointer: UnsafeMutablePointer<uv_loop_t>
    private let waker: UnsafeMutablePointer<uv_async_t>
    private let beforePoll: UnsafeMutablePointer<uv_prepare_t>
    /// Active only while jobs are left over: it keeps the poll from blocking.
    private let unfinished: UnsafeMutablePointer<uv_idle_t>
    private var handles: [ObjectIdentifier: any UVHandle] = [:]
    private(set) var isStopping = false

    /// Runs ready jobs; `true` when some are left.
    var turn: (() -> Bool)?

    /// How many threads of this process can run at one time.
    static var availableParallelism: Int { Int(uv_available_parallelism()) }

    init() throws(TransportError) {
        pointer = .allocate(capacity: 1)
        waker = .allocate(capacity: 1)
        beforePoll = .allocate(capacity: 1)
        unfinished = .allocate(capacity: 1)
        var status = uv_loop_init(pointer)
        if status == 0 {
            status = uv_async_init(pointer, waker) { _ in }
            if status != 0 { uv_loop_close(pointer) }
        }
        guard status == 0 else {
            freeMemory()
            throw TransportError(uv: status, doing: "starting an event loop")
        }
        uv_prepare_init(pointer, beforePoll)
        uv_idle_init(pointer, unfinished)
        beforePoll.pointee.data = Unmanaged.passUnretained(self).toOpaque()
        uv_prepare_start(beforePoll) { handle in
            guard let handle, let data = handle.pointee.data else { return }
            Unmanaged<UVLoop>.fromOpaque(data).takeUnretainedValue().takeTurn()
        }
    }

    /// Ends the wait for events. The one call for other threads; never after `closeOwnHandles`.
    func wake() { uv_async_send(waker) }

    /// Runs until `closeOwnHandles` was called and every handle has closed, then gives back what the loop held.
    func run() {
        uv_run(pointer, UV_RUN_DEFAULT)
        uv_loop_close(pointer)
        turn = nil
        freeMemory()
    }

    private func takeTurn() {
        guard let turn else { return }
        if turn() {
            uv_idle_start(unfinished) { _ in }
        } else {
            uv_idle_stop(unfinished)
        }
    }

    // MARK: Handles

    var hasHandles: Bool { !handles.isEmpty }

    func register(_ handle: any UVHandle) { handles[ObjectIdentifier(handle)] = handle }
    func forget(_ handle: any UVHandle) { handles[ObjectIdentifier(handle)] = nil }

    /// Closes every handle that was made on this loop; no new one can be made afterwards.
    func stopHandles() {
        guard !isStopping else { return }
        isStopping = true
        for handle in handles.values { handle.loopIsStopping() }
    }

    /// Closes what the loop made for itself, so that `run` ends.
    func closeOwnHandles() {
        uv_close(erased(waker), nil)
        uv_close(erased(beforePoll), nil)
        uv_close(erased(unfinished), nil)
    }

    private func freeMemory() {
        waker.deallocate()
        beforePoll.deallocate()
        unfinished.deallocate()
        pointer.deallocate()
    }
}

/// The `uv_handle_t` that every handle of libuv begins with.
func erased<Handle>(_ handle: UnsafeMutablePointer<Handle>) -> UnsafeMutablePointer<uv_handle_t> {
    UnsafeMutableRawPointer(handle).assumingMemoryBound(to: uv_handle_t.self)
}

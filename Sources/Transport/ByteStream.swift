package import Core

/// A connection: bytes both ways, in order, with back-pressure. It belongs to one loop for life.
///
/// Bytes that come are kept up to `highWater`; then nothing is read until they are taken. It must be closed: an open
/// stream keeps itself alive.
package actor ByteStream {
    package nonisolated let loop: EventLoop
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Bytes kept for the reader before we stop reading from the kernel.
    package static let highWater = 64 * 1024

    private(set) var descriptor: Descriptor
    private var poll: UVPoll?
    let heedsCancellation: Bool
    private let readBell: Bell
    let writeBell: Bell

    private var inbound: [UInt8] = []
    private var hasEnded = false
    private(set) var isClosed = false
    /// libuv has stopped watching; what is left is received directly.
    private var isBroken = false
    private(set) var failure: TransportError?
    /// The last deadline after which we looked once more.
    private var lastLateLook: Instant?
    /// A writer waits for room in the kernel.
    private var isBlocked = false
    private var hasHungUp = false
    private var hangUp: (@Sendable () -> Void)?

    /// Bytes handed to the kernel so far.
    package internal(set) var bytesSent = 0

    /// - Parameter heedsCancellation: reads and writes throw `cancelled` when their task is cancelled. A server says no:
    ///   there the peer's going cancels the task, and the answer is written all the same.
    init(_ descriptor: consuming Descriptor, on loop: EventLoop, heedsCancellation: Bool) {
        self.loop = loop
        self.descriptor = descriptor
        self.heedsCancellation = heedsCancellation
        readBell = Bell(on: loop)
        writeBell = Bell(on: loop)
    }

    /// Begins to watch the descriptor, and takes what has come already. For a stream that was accepted, once, before
    /// anything else.
    package func openAccepted() throws(StreamError) {
        try open()
        receive()
        watch()
    }

    /// Begins to watch the descriptor.
    func open() throws(StreamError) {
        guard !isClosed else { throw .closed }
        poll = UVPoll(on: loop.uv, descriptor: descriptor.number) { report in self.happened(report) }
        guard poll != nil else {
            close()
            throw .closed
        }
        watch()
    }

    // MARK: Reading

    /// Whatever has come, at least one byte; `nil` once the peer has ended its side and everything was taken. One reader
    /// at a time.
    package func read(by deadline: Instant?) async throws(StreamError) -> [UInt8]? {
        while true {
            if let bytes = takeArrived() { return bytes }
            if isClosed { throw .closed }
            if hasEnded { return nil }
            if let failure { throw .lost(failure) }
            if looksOnceMore(past: deadline) { continue }
            try await wait(for: readBell, by: deadline)
        }
    }

    /// A deadline that was passed by so much was passed while the program, or the machine, stood still.
    private static let standstill = Duration.seconds(1)

    /// What came during a standstill came in time, perhaps: before it counts as late, it is looked for, once for each
    /// deadline.
    private func looksOnceMore(past deadline: Instant?) -> Bool {
        guard let deadline, deadline != lastLateLook, Clocks.monotonic() >= deadline + ByteStream.standstill else {
            return false
        }
        lastLateLook = deadline
        receive()
        return true
    }

    /// What has come already, without waiting; `nil` for nothing.
    package func takeArrived() -> [UInt8]? {
        if inbound.isEmpty, isBroken, !isClosed { receive() }
        guard !inbound.isEmpty else { return nil }
        defer {
            inbound = []
            watch()
        }
        return inbound
    }

    /// Nothing has come, nothing has gone wrong, and the peer has not ended its side, as the kernel sees it now.
    package func isQuiet() -> Bool {
        guard !isClosed, !hasHungUp, inbound.isEmpty else { return false }
        receive()
        return !hasHungUp && inbound.isEmpty
    }

    /// Calls `handler` once, on the loop, when the peer ends its side or the connection breaks; at once if it has.
    package func onHangUp(_ handler: @escaping @Sendable () -> Void) {
        if hasHungUp { handler() } else { hangUp = handler }
    }

    // MARK: Ending

    /// Ends our side; what the peer sends can still be read.
    package func endWriting() {
        if !isClosed { descriptor.endWriting() }
    }

    /// Ends the connection both ways. Who waits is woken with `closed`. May be called more than once.
    package func close() {
        guard !isClosed else { return }
        isClosed = true
        poll?.close()
        poll = nil
        descriptor.close()
        hangUp = nil
        readBell.close()
        writeBell.close()
    }

    /// As `close`, but the peer sees a reset instead of an orderly end (TCP).
    package func reset() {
        if !isClosed { descriptor.resetOnClose() }
        close()
    }

    // MARK: Events

    private func happened(_ report: UVPoll.Report) {
        switch report {
        case .loopStopping:
            let handler = hangUp
            hasHungUp = true
            close()
            handler?()
            return
        case .broken:
            isBroken = true
            receive()
            peerHasHungUp()
        case .ready(let events):
            if events.contains(.readable) { receive() }
            if events.contains(.hangUp) { peerHasHungUp() }
        }
        readBell.ring()
        writeBell.ring()
        watch()
    }

    /// For a break of which the kernel does not say why.
    private static let reset = TransportError(name: "ECONNRESET", doing: "using a connection")

    private func receive() {
        while inbound.count < ByteStream.highWater, !hasEnded, failure == nil {
            switch loop.receiveBuffer.receive(from: descriptor) {
            case .bytes(let bytes):
                if inbound.isEmpty { inbound = bytes } else { inbound += bytes }
                if bytes.count < ReceiveBuffer.size && !isBroken { return }
            case .end:
                hasEnded = true
                peerHasHungUp()
            case .wouldBlock:
                if isBroken { failure = ByteStream.reset }
                return
            case .failed(let error):
                failure = error
                peerHasHungUp()
            }
        }
    }

    private func peerHasHungUp() {
        hasHungUp = true
        let handler = hangUp
        hangUp = nil
        handler?()
    }

    /// Watches for just what can be used now.
    private func watch() {
        var events: UVPoll.Events = []
        if !hasEnded, failure == nil {
            if inbound.count < ByteStream.highWater {
                events.insert(.readable)
            } else if !hasHungUp {
                events.insert(.hangUp)
            }
        }
        if isBlocked { events.insert(.writable) }
        if !isBroken { poll?.watch(events) }
    }

    @discardableResult
    func wait(for bell: Bell, by deadline: Instant?) async throws(StreamError) -> Bell.Outcome {
        if heedsCancellation, Task.isCancelled { throw .cancelled }
        if let deadline, Clocks.monotonic() >= deadline { throw .timedOut }
        let isWriting = bell === writeBell
        if isWriting {
            if isBroken { throw .lost(failure ?? ByteStream.reset) }
            isBlocked = true
            watch()
        }
        let outcome = await bell.wait(until: deadline, heedingCancellation: heedsCancellation)
        if isWriting {
            isBlocked = false
            watch()
        }
        return outcome
    }
}

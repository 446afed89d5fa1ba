import Glibc

/// A thread of the kernel that runs one closure.
struct Thread: Sendable {
    private let thread: pthread_t

    private final class Start {
        let name: String
        let body: @Sendable () -> Void

        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }

    /// Starts it. Of the name, the kernel keeps 15 bytes.
    init(name: String, _ body: @escaping @Sendable () -> Void) throws(TransportError) {
        var thread = pthread_t()
        let start = Unmanaged.passRetained(Start(name: name, body: body))
        let failure = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
                GNUCalls.nameThisThread(String(decoding: start.name.utf8.prefix(15), as: UTF8.self))
                start.body()
                return nil
            }, start.toOpaque())
        guard failure == 0 else {
            start.release()
            throw TransportError(errno: failure, doing: "starting a thread")
        }
        self.thread = thread
    }

    /// Waits until it has ended. To be called once, unless `detach` was.
    func join() { pthread_join(thread, nil) }

    /// Its end will be nobody's business.
    func detach() { pthread_detach(thread) }

    /// Differs between the threads that live at one time; never 0.
    static var current: UInt { UInt(pthread_self()) }
}

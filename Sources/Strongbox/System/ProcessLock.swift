import Glibc

/// The right to use a state directory. The kernel takes it back when the process dies, however it dies; a lock file
/// that was left over means nothing.
struct ProcessLock: Sendable {
    static let fileName = "lock"
    /// A child that the last process was starting when it died holds the lock until it runs its own program: for a moment.
    private static let patience = 10
    private static let pause: UInt32 = 20_000

    private let file: Descriptor

    init(_ directory: StateDirectory) throws(StoreError) {
        file = try directory.file(Self.fileName)
        var tries = 0
        while flock(file.number, LOCK_EX | LOCK_NB) != 0 {
            let error = SystemError.last
            switch error.number {
            case EINTR: continue
            case EWOULDBLOCK where tries < Self.patience:
                tries += 1
                usleep(Self.pause)
            case EWOULDBLOCK:
                throw StoreError(
                    .inUse, "Another process uses the state directory \(directory.path).",
                    advice: "is another `countersign serve` running? One gateway has one state directory")
            default: throw error.storeError(directory.path(of: Self.fileName))
            }
        }
    }
}

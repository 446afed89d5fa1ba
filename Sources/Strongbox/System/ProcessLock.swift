import Glibc

/// The right to use a state directory. The kernel takes it back when the process dies, however it dies; a lock file
/// that was left over means nothing.
struct ProcessLock: Sendable {
    static let fileName = "lock"
    private let file: Descriptor

    init(_ directory: StateDirectory) throws(StoreError) {
        file = try directory.file(Self.fileName)
        while flock(file.number, LOCK_EX | LOCK_NB) != 0 {
            let error = SystemError.last
            switch error.number {
            case EINTR: continue
            case EWOULDBLOCK:
                throw StoreError(
                    .inUse, "Another process uses the state directory \(directory.path).",
                    advice: "is another `countersign serve` running? One gateway has one state directory")
            default: throw error.storeError(directory.path(of: Self.fileName))
            }
        }
    }
}

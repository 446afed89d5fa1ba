import Glibc

/// An open file: closed when it goes, never inherited by a child.
final class Descriptor: Sendable {
    let number: Int32

    /// Opens a path, or a name in an open directory. A symbolic link at its end is not followed unless that is said.
    init(
        _ path: String, in directory: Int32 = AT_FDCWD, _ flags: Int32, mode: mode_t = 0, followsLink: Bool = false
    ) throws(SystemError) {
        let link = followsLink ? 0 : O_NOFOLLOW
        while true {
            let result = openat(directory, path, flags | link | O_CLOEXEC, mode)
            if result >= 0 {
                number = result
                return
            }
            if errno != EINTR { throw .last }
        }
    }

    deinit { close(number) }

    func status() throws(SystemError) -> FileStatus {
        var status = stat()
        if fstat(number, &status) != 0 { throw .last }
        return FileStatus(status)
    }

    func setMode(_ mode: mode_t) throws(SystemError) {
        if fchmod(number, mode) != 0 { throw .last }
    }

    /// Returns when the disk has it.
    func synchronize() throws(SystemError) {
        if fsync(number) != 0 { throw .last }
    }

    /// Fills locked memory from the file, from where it stands; `false` when the file ends before.
    func read(into memory: inout LockedMemory) throws(SystemError) -> Bool {
        let outcome = memory.withMutableBytes { bytes -> Result<Bool, SystemError> in
            var filled = 0
            while filled < bytes.count {
                let count = Glibc.read(number, bytes.baseAddress! + filled, bytes.count - filled)
                if count == 0 { return .success(false) }
                if count > 0 { filled += count } else if errno != EINTR { return .failure(.last) }
            }
            return .success(true)
        }
        return try outcome.get()
    }

    func write(_ secret: borrowing Secret) throws(SystemError) {
        let outcome = secret.memory.withPointer { bytes -> Result<Void, SystemError> in
            var written = 0
            while written < secret.count {
                let count = Glibc.write(number, bytes + written, secret.count - written)
                if count >= 0 { written += count } else if errno != EINTR { return .failure(.last) }
            }
            return .success(())
        }
        try outcome.get()
    }
}

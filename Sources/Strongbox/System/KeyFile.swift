import Glibc

/// The file that holds the master key: 32 bytes, 0600, ours.
enum KeyFile {
    /// `nil` when there is no such file.
    static func read(_ path: String) throws(StoreError) -> Secret? {
        let file: Descriptor
        do throws(SystemError) {
            // Not blocked by a pipe that somebody put there.
            file = try Descriptor(path, O_RDONLY | O_NONBLOCK)
        } catch {
            if error.number == ENOENT { return nil }
            throw error.storeError(path)
        }
        let status = try reporting(path) { () throws(SystemError) in try file.status() }
        try status.checkPrivateFile(path)
        guard status.size == XChaCha20Poly1305.keyCount else {
            throw StoreError(
                .keyWrong, "The key file \(path) has \(status.size) bytes; a master key has 32.",
                advice: "put back the key file that belongs to this state directory")
        }
        var key = LockedMemory(count: XChaCha20Poly1305.keyCount)
        let isComplete = try reporting(path) { () throws(SystemError) in try file.read(into: &key) }
        guard isComplete else { throw StoreError(.keyWrong, "The key file \(path) is cut short.") }
        return Secret(key)
    }

    /// Makes a new key. Either the whole file is there afterwards, durable, or none.
    static func create(_ path: String) throws(StoreError) -> Secret {
        let parent = Directories.parent(of: path) ?? "."
        try Directories.make(parent)
        let directory = try Directories.open(parent)
        let name = String(path.split(separator: "/").last ?? "")
        let temporary = name + ".new"
        let key = Secret(random: XChaCha20Poly1305.keyCount)
        try reporting(path) { () throws(SystemError) in
            // What a crash left behind was never a key.
            _ = unlinkat(directory.number, temporary, 0)
            let file = try Descriptor(
                temporary, in: directory.number, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
            try file.setMode(0o600)
            try file.write(key)
            try file.synchronize()
            if renameat(directory.number, temporary, directory.number, name) != 0 { throw .last }
            try directory.synchronize()
        }
        return key
    }
}

import Glibc

/// Which file it is, whatever it is called.
struct FileIdentity: Hashable, Sendable {
    let device: UInt64
    let inode: UInt64
}

/// What a file is, and who may use it.
struct FileStatus: Sendable {
    enum Kind: Sendable { case regular, directory, link, other }

    let kind: Kind
    let owner: uid_t
    /// The nine permission bits.
    let permissions: mode_t
    let links: Int
    /// In bytes.
    let size: Int
    let identity: FileIdentity

    init(_ status: stat) {
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .regular
            case S_IFDIR: .directory
            case S_IFLNK: .link
            default: .other
            }
        owner = status.st_uid
        permissions = status.st_mode & 0o777
        links = Int(status.st_nlink)
        size = Int(status.st_size)
        identity = FileIdentity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    }

    /// Of a name in an open directory, links not followed; `nil` when there is none.
    static func of(_ name: String, in directory: Descriptor) throws(SystemError) -> FileStatus? {
        var status = stat()
        if fstatat(directory.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 { return FileStatus(status) }
        if errno == ENOENT { return nil }
        throw .last
    }

    /// Refuses what is no file of ours alone: 0600 or less, under one name.
    func checkPrivateFile(_ path: String) throws(StoreError) {
        switch kind {
        case .regular: break
        case .link: throw StoreError(.permissions, "\(path) is a symbolic link, and links are not followed.")
        case .directory, .other: throw StoreError(.permissions, "\(path) is no regular file.")
        }
        guard links == 1 else { throw StoreError(.permissions, "\(path) has another name, too (a hard link).") }
        try checkAccess(path, owners: [geteuid()], mode: "600")
    }

    /// Refuses a directory that others can look into. It is ours, or root's.
    func checkPrivateDirectory(_ path: String) throws(StoreError) {
        guard kind == .directory else { throw StoreError(.permissions, "\(path) is no directory.") }
        try checkAccess(path, owners: [geteuid(), 0], mode: "700")
    }

    private func checkAccess(_ path: String, owners: Set<uid_t>, mode: String) throws(StoreError) {
        var sentences: [String] = []
        var commands: [String] = []
        if !owners.contains(owner) {
            sentences.append("\(path) belongs to user \(owner), not to \(geteuid()).")
            commands.append("chown \(geteuid()) \(Shell.quoted(path))")
        }
        if permissions & 0o077 != 0 {
            sentences.append("\(path) can be used by others (mode \(String(permissions, radix: 8))).")
            commands.append("chmod \(mode) \(Shell.quoted(path))")
        }
        guard sentences.isEmpty else {
            throw StoreError(
                .permissions, sentences.joined(separator: " "), fix: commands.joined(separator: " && "))
        }
    }
}

import Glibc

/// A refusal of the kernel.
struct SystemError: Error, Hashable, Sendable {
    let number: Int32

    /// The one that the last call of this thread met.
    static var last: SystemError { SystemError(number: errno) }

    /// The C library's words for it.
    var text: String { String(cString: strerror(number)) }

    /// As the store tells it about a path.
    func storeError(_ path: String) -> StoreError {
        switch number {
        case ELOOP: StoreError(.permissions, "\(path) is a symbolic link, and links are not followed.")
        case ENOTDIR: StoreError(.permissions, "\(path) is no directory, or is in none.")
        case EACCES, EPERM:
            StoreError(.permissions, "\(path): \(text).", fix: "chown \(geteuid()) \(Shell.quoted(path))")
        default: StoreError(.unavailable, "\(path): \(text).")
        }
    }
}

/// Text that a person can paste into a shell.
enum Shell {
    static func quoted(_ path: String) -> String {
        let plain = path.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "@"):
                true
            default: false
            }
        }
        if plain, !path.isEmpty, !path.hasPrefix("-") { return path }
        let parts = path.split(separator: "'", omittingEmptySubsequences: false)
        return "'" + parts.joined(separator: #"'\''"#) + "'"
    }
}

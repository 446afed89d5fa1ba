import Glibc

/// The groups of this machine.
enum Groups {
    private static let longestRecord = 1 << 20

    /// `nil` when there is none of that name.
    static func id(of name: String) -> UInt32? {
        guard !name.utf8.contains(0) else { return nil }
        var size = 1024
        while size <= longestRecord {
            var record = group()
            var found: UnsafeMutablePointer<group>?
            var buffer = [CChar](repeating: 0, count: size)
            switch getgrnam_r(name, &record, &buffer, size, &found) {
            case 0: return found == nil ? nil : record.gr_gid
            // A group with many members does not fit.
            case ERANGE: size *= 4
            default: return nil
            }
        }
        return nil
    }
}

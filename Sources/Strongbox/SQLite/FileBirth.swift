import CSQLite

/// When a file came into being. No program can set it, so a copy never has its original's.
enum FileBirth {
    /// Nanoseconds since 1970, links not followed; `nil` where the file system does not keep it.
    static func of(_ path: String) -> Int64? {
        var status = statx()
        let mask = UInt32(STATX_BTIME)
        guard statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, mask, &status) == 0, status.stx_mask & mask != 0 else {
            return nil
        }
        return status.stx_btime.tv_sec &* 1_000_000_000 &+ Int64(status.stx_btime.tv_nsec)
    }
}

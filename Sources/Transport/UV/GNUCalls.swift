import CUV

/// Calls of glibc that Swift's own Glibc module does not show.
enum GNUCalls {
    /// Accepts with the flags already set, so that no child process can inherit the descriptor in between; -1 and `errno`
    /// when it fails.
    static func accept(_ socket: Int32, flags: Int32) -> Int32 { accept4(socket, nil, nil, flags) }

    /// Names the calling thread, for `top -H` and debuggers; at most 15 bytes.
    static func nameThisThread(_ name: String) { pthread_setname_np(pthread_self(), name) }
}

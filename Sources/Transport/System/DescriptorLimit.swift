import Glibc

/// How many descriptors this process may have.
package enum DescriptorLimit {
    /// Raises the soft limit to `count`, if it is lower, as far as the hard one lets it. Gives how many there may be.
    package static func raise(to count: Int) -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return count }
        let wanted = min(rlim_t(count), limit.rlim_max)
        guard limit.rlim_cur < wanted else { return Int(clamping: limit.rlim_cur) }
        let before = limit.rlim_cur
        limit.rlim_cur = wanted
        return Int(clamping: setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 ? wanted : before)
    }
}

/// Where the store lies.
package enum StoreLocation: Hashable, Sendable {
    /// Nothing survives the process.
    case memory
    /// A directory: 0700, ours. The database and its companions are made 0600 in it.
    case directory(String)
}

/// How much a store leaves free, and how much it takes.
struct StoreLimits: Sendable {
    /// Below this nothing new is begun: what is left is for the end of what is under way, and for the tokens.
    var freeSpace: Int64 = 32 << 20
    /// The write-ahead log. It grows only while another program reads the database for a long time.
    var log: Int64 = 16 << 20
}

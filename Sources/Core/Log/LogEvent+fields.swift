extension LogEvent {
    /// Every name that a value in the log can have: a closed list, so that nothing of a request becomes one by accident.
    ///
    /// What may stand under each is small and of a known shape; the tests have the shapes, in `LogShapes`.
    package enum Field: String, Hashable, Sendable, CaseIterable {
        /// Where we listen: an address, or the path of a socket.
        case address
        /// Our own id of an ask.
        case askID = "ask_id"
        /// A caller's name in the configuration.
        case caller
        /// The kernel's name of an error, such as `EMFILE`.
        case cause
        /// As `error`.
        case code
        case count
        /// A sentence of ours about the configuration or the store.
        case detail
        /// The listener that a request came in by.
        case door
        /// An error code of the table, or `unlisted`.
        case error
        /// Why there is no TLS connection: one of `TLSFault`.
        case fault
        /// One of HTTP's methods, or `other`.
        case method
        case microseconds
        case op
        /// Of the peer on a Unix socket.
        case pid
        /// One of the store's reasons.
        case reason
        /// The template of a path, such as `/v1/requests/{id}`, never a path.
        case route
        case seconds
        /// One of our states.
        case state
        /// A status of HTTP, or of an authorization.
        case status
        /// A random name for one request.
        case traceID = "trace_id"
        /// Of the peer on a Unix socket.
        case uid
    }
}

extension JSON {
    /// An error code as it may stand in the log. One that is not in the table was written by somebody else, in a
    /// callback's query or in an answer: it is not repeated.
    package static func code(_ code: ErrorCode?) -> JSON {
        guard let code else { return .null }
        return .string(ErrorCatalogue.entries[code] == nil ? "unlisted" : code.rawValue)
    }
}

/// What a whole request head must satisfy besides its lines (RFC 9112, section 3.2; RFC 9110, section 10.1.1).
enum HTTP1RequestChecks {
    static func check(_ head: RequestHead, authority: Authority?) throws(HTTP1DecodeError) {
        try checkHost(head, authority: authority)
        // An HTTP/1.0 peer does not know Expect: the field is ignored there.
        guard head.version == .http11 else { return }
        for value in head.fields.values(.expect) where value.map(\.asciiLowercased) != Array("100-continue".utf8) {
            throw HTTP1DecodeError(
                status: 417, code: .expectationFailed, "The one expectation that can be met is 100-continue.")
        }
    }

    /// An empty `Host` is allowed: that is what some clients send on a Unix socket.
    private static func checkHost(_ head: RequestHead, authority: Authority?) throws(HTTP1DecodeError) {
        let hosts = head.fields.values(.host)
        guard hosts.count <= 1 else { throw HTTP1DecodeError("Host is there more than once.") }
        guard let value = hosts.first else {
            guard head.version == .http10, authority == nil else { throw HTTP1DecodeError("Host is missing.") }
            return
        }
        let host = Authority(value)
        guard value.isEmpty || host != nil else { throw HTTP1DecodeError("Host is no host with a port.") }
        guard authority == nil || authority == host else {
            throw HTTP1DecodeError("The target names another host than Host does.")
        }
    }
}

import Core

/// The log line of one request. Only what stands in a closed list goes in: no path, query, field or body.
struct AccessLine {
    private static let methods: Set<String> = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

    let traceID: String
    private let method: String
    private let door: String
    /// Who was seen at the other end of a Unix socket. The pid is for the reader alone: pids are reused.
    private let seen: PeerCredentials?
    /// The template, such as `/v1/requests/{id}`.
    var route: String?
    var caller: CallerName?
    var code: ErrorCode?

    init(request: HTTPRequest, traceID: String) {
        self.traceID = traceID
        let name = request.head.method.name
        method = Self.methods.contains(name) ? name : "other"
        door =
            switch request.peer.door {
            case .tcp(let address): address.description
            case .unix: "unix"
            }
        seen = request.peer.credentials
    }

    func event(status: HTTPStatus, duration: Duration) -> LogEvent {
        LogEvent(
            .info, "request",
            [
                (.traceID, .string(traceID)), (.method, .string(method)), (.route, .text(route)),
                (.status, .integer(Int64(status.code))), (.error, .code(code)),
                (.caller, .text(caller?.rawValue)), (.door, .string(door)),
                (.uid, seen.map { .integer(Int64($0.uid)) } ?? .null),
                (.pid, seen.map { .integer(Int64($0.pid)) } ?? .null),
                (.microseconds, .integer(duration.wholeNanoseconds / 1000)),
            ])
    }
}

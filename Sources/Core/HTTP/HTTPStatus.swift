/// An HTTP status code (RFC 9110, section 15).
package struct HTTPStatus: Hashable, Sendable, CustomStringConvertible, ExpressibleByIntegerLiteral {
    package let code: Int

    package init(code: Int) { self.code = code }
    package init(integerLiteral value: Int) { code = value }

    /// 1xx: interim answers; another answer follows.
    package var isInformational: Bool { (100..<200).contains(code) }
    package var isSuccess: Bool { (200..<300).contains(code) }
    /// 1xx, 204 and 304 never carry a body (RFC 9112, section 6.3).
    package var forbidsBody: Bool { isInformational || code == 204 || code == 304 }

    /// The reason phrase of RFC 9110; empty for codes it does not name.
    package var reasonPhrase: String {
        switch code {
        case 100: "Continue"
        case 200: "OK"
        case 201: "Created"
        case 202: "Accepted"
        case 204: "No Content"
        case 302: "Found"
        case 304: "Not Modified"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 406: "Not Acceptable"
        case 408: "Request Timeout"
        case 409: "Conflict"
        case 410: "Gone"
        case 411: "Length Required"
        case 413: "Content Too Large"
        case 414: "URI Too Long"
        case 415: "Unsupported Media Type"
        case 417: "Expectation Failed"
        case 422: "Unprocessable Content"
        case 423: "Locked"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 500: "Internal Server Error"
        case 501: "Not Implemented"
        case 502: "Bad Gateway"
        case 503: "Service Unavailable"
        case 504: "Gateway Timeout"
        case 505: "HTTP Version Not Supported"
        default: ""
        }
    }

    package var description: String { String(code) }
}

/// An HTTP method (RFC 9110, section 9): a case-sensitive token.
package struct HTTPMethod: Hashable, Sendable, CustomStringConvertible {
    package let name: String

    package static let get = HTTPMethod(name: "GET")
    package static let head = HTTPMethod(name: "HEAD")
    package static let post = HTTPMethod(name: "POST")
    package static let put = HTTPMethod(name: "PUT")
    package static let patch = HTTPMethod(name: "PATCH")
    package static let delete = HTTPMethod(name: "DELETE")
    package static let options = HTTPMethod(name: "OPTIONS")
    package static let connect = HTTPMethod(name: "CONNECT")
    package static let trace = HTTPMethod(name: "TRACE")

    /// `name` must be a token; the codec makes sure of it for what comes from a socket.
    package init(name: String) { self.name = name }

    package var description: String { name }
}

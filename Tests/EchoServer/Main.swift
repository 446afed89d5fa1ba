import Core
import Server

/// Answers every request with what it was read as, so that our reading can be compared with that of other servers.
struct Echo: Responder {
    func respond(to request: HTTPRequest) async -> HTTPResponse {
        guard let body = try? await request.body.collect(upTo: .max) else { return HTTPResponse(status: 400) }
        let reading = Array("\(request.head.method) \(request.head.target.text)\n".utf8) + body
        return HTTPResponse(status: 200, fields: [HTTPField("x-saw", Hex.encode(reading))])
    }
}

extension RequestTarget {
    fileprivate var text: String {
        switch self {
        case .origin(let path, let query?): "\(path)?\(query)"
        case .origin(let path, nil): path
        case .authority(let authority): authority
        case .asterisk: "*"
        }
    }
}

/// `EchoServer 127.0.0.1:PORT`, until it is ended.
@main
enum Main {
    static func main() async throws {
        guard CommandLine.arguments.count == 2, let address = TCPAddress(CommandLine.arguments[1]) else {
            fatalError("usage: EchoServer ADDRESS:PORT")
        }
        let server = try HTTPServer(responder: Echo())
        _ = try await server.listen(.tcp(address))
        while true { try await Task.sleep(for: .seconds(3600)) }
    }
}

import Core
import Synchronization

extension RequestBodyError {
    fileprivate var refusal: Refusal {
        switch self {
        case .tooLarge: .bodyTooLarge
        case .broken: .bodyBroken
        }
    }
}

/// Between the server and the world: reads the body, asks the world under its lock, writes the answer with the manners
/// that were decided.
final class SandboxResponder: Responder {
    private let world: Mutex<World>
    private let time: TimeSource
    private let log: LogSink

    init(_ world: consuming World, time: TimeSource, log: @escaping LogSink) {
        self.world = Mutex(world)
        self.time = time
        self.log = log
    }

    func respond(to request: HTTPRequest) async -> HTTPResponse {
        let turn = world.withLock { $0.nextTurn(for: request.head.path) }
        let body: [UInt8]
        do {
            body = try await request.body.collect(upTo: Wire.bodyLimit)
        } catch {
            return SandboxResponder.response(Reply(error.refusal))
        }
        guard Door.isLocal(request.head.fields) else { return SandboxResponder.response(Reply(.foreignDoor)) }
        let call = APICall(
            method: request.head.method, path: request.head.path, query: request.head.query,
            fields: request.head.fields, body: body)
        // The person's own calls have a code of their own for it.
        if Door.isForeignPage(call.fields), Route(path: call.path)?.isOfUser != true {
            return SandboxResponder.response(Reply(.foreignDoor))
        }
        if call.path == "/", call.method == .get { return SandboxResponder.response(Reply(text: Door.greeting)) }
        let now = time.wall()
        if call.path.hasPrefix(World.controlPrefix) {
            return SandboxResponder.response(world.withLock { $0.control(call, at: now) })
        }
        let outcome = world.withLock { $0.receive(call, at: now, turn: turn) }
        log(
            LogEvent(
                .info, "answered a call of the API",
                [
                    (.route, .text(Route(path: call.path)?.pattern)),
                    (.status, .integer(Int64(outcome.reply.status))),
                    (.error, .text(outcome.reply.code)),
                ]))
        switch outcome.manner {
        case .prompt: break
        case .late(let delay): try? await time.sleep(time.now() + delay)
        case .cut: return SandboxResponder.nothing
        case .half: return response(to: outcome, halved: true)
        }
        return response(to: outcome, halved: false)
    }

    private func response(to outcome: Outcome, halved: Bool) -> HTTPResponse {
        var response = SandboxResponder.response(outcome.reply)
        if halved, case .bytes(let bytes) = response.body {
            response.body = .bytes(Array(bytes.prefix(bytes.count / 2)))
        }
        response.mischief.idle = outcome.idle
        response.mischief.dateOffset = .seconds(world.withLock { $0.clockOffset + $0.manners.dateOffset })
        return response
    }

    /// On every answer, so that none is taken for the real thing.
    static let mark = HTTPField("x-sandbox", "true")

    private static func response(_ reply: Reply) -> HTTPResponse {
        var fields: HTTPFields = [mark, HTTPField("cache-control", "no-store")]
        for line in reply.fields.lines { fields.append(line) }
        let bytes: [UInt8]
        switch reply.body {
        case .json(let json):
            fields.append("content-type", "application/json")
            bytes = json.encoded()
        case .text(let text):
            fields.append("content-type", "text/plain; charset=utf-8")
            bytes = Array(text.utf8)
        case .html(let text):
            fields.append("content-type", "text/html; charset=utf-8")
            bytes = Array(text.utf8)
        }
        return HTTPResponse(status: HTTPStatus(code: reply.status), fields: fields, body: .bytes(bytes))
    }

    /// The connection closes, and nothing was answered.
    private static let nothing: HTTPResponse = {
        var response = HTTPResponse(status: 200)
        response.mischief.isWithheld = true
        return response
    }()
}

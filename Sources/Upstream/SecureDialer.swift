package import Core
import Transport

/// The addresses of a name, in the order of preference; none when there is no such name. It blocks.
package typealias LookUp = @Sendable (_ name: String) -> [IPAddress]

/// Makes connections through TLS: look-up, connection, handshake.
struct SecureDialer: Sendable {
    private let loop: EventLoop
    private let name: TLSName
    private let port: UInt16
    /// Each connection asks anew: addresses change.
    private let lookup: BlockingWork<[IPAddress]>
    /// The machine's authorities may have to be read for it.
    private let context: BlockingWork<Result<TLSContext, TLSFault>>

    init(
        _ name: TLSName, port: UInt16, on loop: EventLoop, trusting trust: TLSTrust, resolving lookUp: @escaping LookUp
    ) {
        self.loop = loop
        self.name = name
        self.port = port
        lookup = BlockingWork("look-up", on: loop) {
            switch name {
            case .ip(let ip): [ip]
            case .dns(let name): lookUp(name)
            }
        }
        context = BlockingWork("authorities", on: loop, keeping: { $0.isSuccess }) {
            Result { () throws(TLSFault) in try TLSContext(for: name, trusting: trust.authorities()) }
        }
    }

    func dial(by deadlines: Dialer.Deadlines) async throws(SendFailure) -> TLSStream {
        let context = try await context(by: deadlines.connected)
        let stream = try await connect(by: deadlines.connected)
        let deadline = min(loop.time.now() + deadlines.handshake, deadlines.end)
        do throws(HandshakeFailure) {
            return try await TLSStream.open(over: stream, with: context, by: deadline)
        } catch {
            switch error {
            case .fault(let fault): throw SendFailure(.tls(fault), bytesMayHaveLeft: false)
            case .stream(let error): throw SendFailure(error)
            }
        }
    }

    private func context(by deadline: Instant) async throws(SendFailure) -> TLSContext {
        let made: Result<TLSContext, TLSFault>
        do throws(StreamError) { made = try await context.value(by: deadline) } catch { throw SendFailure(error) }
        switch made {
        case .success(let context): return context
        case .failure(let fault): throw SendFailure(.tls(fault), bytesMayHaveLeft: false)
        }
    }

    private func connect(by deadline: Instant) async throws(SendFailure) -> ByteStream {
        do throws(StreamError) {
            let addresses =
                switch name {
                case .ip(let ip): [ip]
                case .dns: try await lookup.value(by: deadline)
                }
            if !addresses.isEmpty {
                return try await ByteStream.dial(anyOf: addresses, port: port, on: loop, by: deadline)
            }
        } catch { throw SendFailure(error) }
        throw SendFailure(.nameNotFound, bytesMayHaveLeft: false)
    }
}

extension Result {
    fileprivate var isSuccess: Bool {
        switch self {
        case .success: true
        case .failure: false
        }
    }
}

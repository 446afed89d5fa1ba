package import Core

extension ByteStream {
    /// Connects.
    ///
    /// Throws `lost` when the kernel or the peer refuses, `timedOut` at the deadline, `cancelled` with the task.
    package static func dial(
        _ address: DialAddress, on loop: EventLoop, by deadline: Instant
    ) async throws(StreamError) -> ByteStream {
        let descriptor: Descriptor
        do { descriptor = try Descriptor.forConnecting(to: address) } catch { throw .lost(error) }
        let stream = ByteStream(descriptor, on: loop, heedsCancellation: true)
        do {
            try await stream.connect(to: address, by: deadline)
            return stream
        } catch {
            await stream.close()
            throw error
        }
    }

    /// Connects to the address that answers first, as `AddressRace` decides; the other attempts are closed. The addresses
    /// are in the order of preference, and not none. Throws what the last attempt ended with.
    package static func dial(
        anyOf addresses: [IPAddress], port: UInt16, on loop: EventLoop, by deadline: Instant
    ) async throws(StreamError) -> ByteStream {
        let outcome = await withTaskGroup(of: Lap.self) { group in
            var race = AddressRace(addresses)
            var outcome = Result<ByteStream, StreamError>.failure(.timedOut)
            var alarm: Instant?
            while true {
                switch race.step(at: Clocks.monotonic()) {
                case .lost: return outcome
                case .dial(let ip):
                    group.addTask { await Lap(dialling: TCPAddress(ip: ip, port: port), on: loop, by: deadline) }
                    continue
                case .wait(let until):
                    if let until, until != alarm {
                        alarm = until
                        group.addTask {
                            try? await Sleep(on: loop).until(until)
                            return .alarm
                        }
                    }
                }
                switch await group.next() {
                case .attempt(.success(let stream)):
                    group.cancelAll()
                    for await case .attempt(.success(let late)) in group { await late.close() }
                    return .success(stream)
                case .attempt(let failure):
                    outcome = failure
                    race.attemptFailed()
                case .alarm, nil: break
                }
            }
        }
        return try outcome.get()
    }
}

/// What happens in a race.
private enum Lap: Sendable {
    case attempt(Result<ByteStream, StreamError>)
    case alarm

    init(dialling address: TCPAddress, on loop: EventLoop, by deadline: Instant) async {
        do throws(StreamError) {
            self = .attempt(.success(try await ByteStream.dial(.tcp(address), on: loop, by: deadline)))
        } catch {
            self = .attempt(.failure(error))
        }
    }
}

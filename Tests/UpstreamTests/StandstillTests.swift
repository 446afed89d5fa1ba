import Core
import Foundation
import TestSupport
import Testing
import Transport

/// The program is stopped, or the machine sleeps, while bytes are on their way.
struct StandstillTests {
    @Test func `what came while the program stood still is taken once, though its time is over`() async throws {
        let (listener, port) = try RawSocket.listen(backlog: 8)
        let loop = try EventLoop(name: "test client")
        let deadline = loop.time.now() + .seconds(2)
        let address = DialAddress.tcp(TCPAddress(ip: .v4([127, 0, 0, 1]), port: port))
        let stream = try await ByteStream.dial(address, on: loop, by: deadline)
        let connection = try await listener.accept()
        let (stands, standing) = AsyncStream<Void>.makeStream()
        let late = Task(executorPreference: loop) {
            standing.finish()
            usleep(3_200_000)
            return try await stream.read(by: deadline)
        }
        for await _ in stands {}
        try await connection.send("late")
        #expect(try await late.value == Array("late".utf8))
        try await connection.send("later")
        await #expect(throws: StreamError.timedOut) {
            while true { _ = try await stream.read(by: deadline) }
        }
        await stream.close()
        await loop.stop()
    }

    @Test func `nothing that came is nothing in time`() async throws {
        let (listener, port) = try RawSocket.listen(backlog: 8)
        let loop = try EventLoop(name: "test client")
        let address = DialAddress.tcp(TCPAddress(ip: .v4([127, 0, 0, 1]), port: port))
        let stream = try await ByteStream.dial(address, on: loop, by: loop.time.now() + .seconds(20))
        let connection = try await listener.accept()
        let passed = loop.time.now() + .seconds(-5)
        await #expect(throws: StreamError.timedOut) { _ = try await stream.read(by: passed) }
        connection.close()
        await stream.close()
        await loop.stop()
    }
}

import Foundation

/// One end of a connection, by the plain calls of the system: tests speak to the product without the product's code.
///
/// Each call runs on a thread of its own, so that no test blocks another, and gives up after a minute: where all tests
/// begin at once on few cores, ten seconds can pass before one has its turn.
package final class RawSocket: Sendable {
    package struct Failure: Error {
        package let code: Int32
        package let doing: String

        package init(code: Int32, doing: String) {
            self.code = code
            self.doing = doing
        }
    }

    package let descriptor: Int32

    package init(owning descriptor: Int32) {
        self.descriptor = descriptor
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, 4)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    /// Ends the connection first: a child process that another test starts at this moment may hold a copy of it.
    deinit {
        close()
        Foundation.close(descriptor)
    }

    /// Connects to an address of the loopback.
    package static func connect(to address: String = "127.0.0.1", port: UInt16) async throws -> RawSocket {
        try await offThread {
            let socket = RawSocket(owning: Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
            try socket.connectHere(to: address, port: port)
            return socket
        }
    }

    /// The same on this thread.
    func connectHere(to address: String = "127.0.0.1", port: UInt16) throws {
        var raw = sockaddr_in()
        raw.sin_family = sa_family_t(AF_INET)
        raw.sin_port = port.bigEndian
        raw.sin_addr.s_addr = inet_addr(address)
        try connect(&raw)
    }

    /// Connects to a Unix socket.
    package static func connect(path: String) async throws -> RawSocket {
        try await offThread {
            let socket = RawSocket(owning: Foundation.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0))
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
            try socket.connect(&address)
            return socket
        }
    }

    private func connect<Address>(_ address: inout Address) throws {
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Foundation.connect(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
            }
        }
        guard result == 0 else { throw Failure(code: errno, doing: "connecting") }
    }

    package func send(_ text: String) async throws { try await send(Array(text.utf8)) }

    package func send(_ bytes: [UInt8]) async throws {
        try await RawSocket.offThread { [self] in
            var sent = 0
            while sent < bytes.count {
                let count = bytes[sent...].withUnsafeBytes {
                    Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { throw Failure(code: errno, doing: "sending") }
                sent += count
            }
        }
    }

    /// Some bytes; none at the peer's end. `ECONNRESET` when it has reset the connection.
    package func receive() async throws -> [UInt8] {
        try await RawSocket.offThread { [self] in
            var buffer = [UInt8](repeating: 0, count: 64 * 1024)
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count >= 0 else { throw Failure(code: errno, doing: "receiving") }
            return Array(buffer[..<count])
        }
    }

    /// All that comes until the peer's end.
    package func receiveAll() async throws -> String {
        var all: [UInt8] = []
        while true {
            let bytes = try await receive()
            if bytes.isEmpty { return String(decoding: all, as: UTF8.self) }
            all += bytes
        }
    }

    /// All that comes until it contains `text`, or until the peer's end.
    package func receive(through text: String, times: Int = 1) async throws -> String {
        var all = ""
        while all.components(separatedBy: text).count <= times {
            let bytes = try await receive()
            if bytes.isEmpty { return all }
            all += String(decoding: bytes, as: UTF8.self)
        }
        return all
    }

    /// Ends our side only.
    package func endWriting() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Ends the connection both ways.
    package func close() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Ends the connection with a reset, which the peer gets at once.
    package func reset() {
        var linger = Foundation.linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Foundation.linger>.size))
        var nowhere = sockaddr()
        nowhere.sa_family = sa_family_t(AF_UNSPEC)
        Foundation.connect(descriptor, &nowhere, socklen_t(MemoryLayout<sockaddr>.size))
    }

    static func offThread<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            Foundation.Thread.detachNewThread { continuation.resume(with: Swift.Result { try body() }) }
        }
    }

    /// A listener, on a free port unless one is named. The kernel holds one connection more than `backlog` until it is
    /// accepted.
    package static func listen(
        on ip: String = "127.0.0.1", port: UInt16 = 0, backlog: Int32 = 128
    ) throws -> (listener: RawListener, port: UInt16) {
        let listener = RawListener(owning: Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr(ip)
        // A port that is named may have been another server's a moment ago.
        var on: Int32 = 1
        setsockopt(listener.descriptor, SOL_SOCKET, SO_REUSEADDR, &on, 4)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw -> Int32 in
                guard bind(listener.descriptor, raw, size) == 0, Foundation.listen(listener.descriptor, backlog) == 0
                else {
                    return -1
                }
                return getsockname(listener.descriptor, raw, &size)
            }
        }
        guard result == 0 else { throw Failure(code: errno, doing: "listening") }
        return (listener, UInt16(bigEndian: address.sin_port))
    }

    /// A listener of the plain calls.
    package final class RawListener: Sendable {
        package let descriptor: Int32

        package var port: UInt16 {
            var address = sockaddr_in()
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            withUnsafeMutablePointer(to: &address) { pointer in
                _ = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
            }
            return UInt16(bigEndian: address.sin_port)
        }

        package convenience init(taking descriptor: Int32) { self.init(owning: descriptor) }

        init(owning descriptor: Int32) {
            self.descriptor = descriptor
            var limit = timeval(tv_sec: 60, tv_usec: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        }

        deinit { Foundation.close(descriptor) }

        /// Refuses from now on.
        package func stop() { shutdown(descriptor, Int32(SHUT_RDWR)) }

        /// Somebody has connected, and was not accepted yet.
        package var isWantedBySomebody: Bool {
            var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            return poll(&request, 1, 0) == 1
        }

        /// The next connection.
        package func accept() async throws -> RawSocket {
            try await RawSocket.offThread { [self] in
                let number = Foundation.accept(descriptor, nil, nil)
                guard number >= 0 else { throw Failure(code: errno, doing: "accepting") }
                return RawSocket(owning: number)
            }
        }
    }
}

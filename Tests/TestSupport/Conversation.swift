import Foundation

/// One connection to 127.0.0.1 from its begin to its end, by plain calls that block, on a thread of its own.
package struct Conversation: Sendable {
    /// What is sent, each piece in a packet of its own.
    package var pieces: [[UInt8]]
    /// Our side is ended after the last piece. Otherwise it is ended once `marker` has come, or not at all.
    package var endsWriting = false
    package var marker: String?

    package init(pieces: [[UInt8]], endsWriting: Bool = false, until marker: String? = nil) {
        self.pieces = pieces
        self.endsWriting = endsWriting
        self.marker = marker
    }

    package struct Failure: Error {
        package let code: Int32
        package let soFar: String
    }

    /// All that came, up to the server's end of the connection.
    package func run(port: UInt16) async throws -> [UInt8] {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try runHere(port: port) }) }
        }
    }

    private func runHere(port: UInt16) throws -> [UInt8] {
        let socket = RawSocket(owning: Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
        try socket.connectHere(port: port)
        for piece in pieces {
            // A server that has refused already may be gone: what it said is still read.
            guard send(socket.descriptor, piece, piece.count, Int32(MSG_NOSIGNAL)) == piece.count else { break }
        }
        if endsWriting { socket.endWriting() }
        var received: [UInt8] = []
        var isMarkerToCome = marker != nil
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = recv(socket.descriptor, &buffer, buffer.count, 0)
            guard count >= 0 else { throw Failure(code: errno, soFar: String(decoding: received, as: UTF8.self)) }
            if count == 0 { return received }
            received += buffer[..<count]
            if isMarkerToCome, let marker, received.contains(marker) {
                isMarkerToCome = false
                socket.endWriting()
            }
        }
    }
}

extension [UInt8] {
    fileprivate func contains(_ text: String) -> Bool {
        String(decoding: self, as: UTF8.self).contains(text)
    }
}

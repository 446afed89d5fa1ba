import Core
import Foundation
import Testing

/// curl, as somebody else's HTTP client.
enum Curl {
    struct Answer {
        /// curl's exit status; 0 when the answer came completely.
        let exit: Int32
        /// Status line and fields.
        let head: String
        let body: String

        var status: Int? { head.split(separator: " ").dropFirst().first.flatMap { Int($0) } }

        var json: JSONValue? { try? JSONDocument(Array(body.utf8)).root }
    }

    static func run(_ arguments: [String]) async throws -> Answer {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/curl")
        process.arguments = ["-s", "-i", "--max-time", "20", "-H", "Expect:"] + arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            process.terminationHandler = { _ in continuation.resume() }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let end = text.range(of: "\r\n\r\n")
        return Answer(
            exit: process.terminationStatus, head: end.map { String(text[..<$0.lowerBound]) + "\r\n" } ?? text,
            body: end.map { String(text[$0.upperBound...]) } ?? "")
    }
}

import Foundation
import Synchronization

/// A program of the machine that a test needs: a server of somebody else's, or something that makes files. It is killed
/// with its owner. A program that is missing is a failure of the test.
package final class Tool: Sendable {
    private struct State {
        var output = ""
        /// Both pipes at their end, and the process.
        var endsToCome = 3
        var status: Int32?
        var waiters: [(isReached: @Sendable (State) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []

        var isOver: Bool { endsToCome == 0 }
    }

    private final class Record: Sendable {
        let state = Mutex(State())

        func change(_ body: (inout State) -> Void) {
            let woken = state.withLock { state -> [CheckedContinuation<Void, Never>] in
                body(&state)
                let now = state
                let reached = now.waiters.filter { $0.isReached(now) || now.isOver }
                state.waiters.removeAll { $0.isReached(now) || now.isOver }
                return reached.map(\.continuation)
            }
            for continuation in woken { continuation.resume() }
        }

        func until(_ isReached: @escaping @Sendable (State) -> Bool) async {
            await withCheckedContinuation { continuation in
                change { $0.waiters.append((isReached, continuation)) }
            }
        }
    }

    package struct Failed: Error, CustomStringConvertible {
        package let description: String
    }

    private let name: String
    private let process: ChildProcess
    private let record = Record()

    package init(_ arguments: [String], in directory: String = "/", environment: [String: String] = [:]) throws {
        name = arguments.joined(separator: " ")
        let path = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin") + ":/usr/sbin:/sbin"
        let variables = ["PATH": path].merging(environment) { $1 }
        process = try ChildProcess(arguments, environment: variables, directory: directory)
        for pipe in [process.output, process.errors] {
            ChildProcess.read(pipe) { [record] bytes in
                record.change { state in
                    state.output += String(decoding: bytes, as: UTF8.self)
                    if bytes.isEmpty { state.endsToCome -= 1 }
                }
            }
        }
        let id = process.id
        _ = Self.endsAll
        Self.running.withLock { _ = $0.insert(id) }
        process.waitForEnd { [record] status in
            Self.running.withLock { _ = $0.remove(id) }
            record.change { state in
                state.status = status
                state.endsToCome -= 1
            }
        }
    }

    deinit { end() }

    /// None outlives the process of the tests.
    private static let running = Mutex(Set<Int32>())
    private static let endsAll: Void = {
        atexit {
            for id in Tool.running.withLock({ $0 }) { kill(id, SIGKILL) }
        }
    }()

    /// Runs a program to its end; gives what it wrote to both of its outputs.
    @discardableResult
    package static func run(_ arguments: String..., in directory: String = "/") async throws -> String {
        let tool = try Tool(arguments, in: directory)
        await tool.record.until { $0.isOver }
        return try tool.record.state.withLock { state in
            guard state.status == 0 else {
                throw Failed(description: "\(tool.name): status \(state.status ?? -1)\n\(state.output)")
            }
            return state.output
        }
    }

    /// Returns once it has written the text so many times; throws when it ends without.
    package func says(_ text: String, times: Int = 1) async throws {
        await record.until { $0.output.components(separatedBy: text).count > times }
        try record.state.withLock { state in
            guard state.output.components(separatedBy: text).count > times else {
                throw Failed(description: "\(name) ended before it said “\(text)”:\n\(state.output)")
            }
        }
    }

    /// The rest of the first line that begins with the text.
    package func line(after text: String) async throws -> String {
        await record.until { $0.output.contains(text) && $0.output.hasSuffix("\n") }
        return try record.state.withLock { state in
            guard let start = state.output.range(of: text)?.upperBound else {
                throw Failed(description: "\(name) ended before it said “\(text)”:\n\(state.output)")
            }
            return String(state.output[start...].prefix { $0 != "\n" })
        }
    }

    package var outputSoFar: String { record.state.withLock { $0.output } }

    package func end() {
        record.state.withLock { state in
            if state.status == nil { kill(process.id, SIGKILL) }
        }
    }

    /// Ends it, and waits until it is gone.
    package func ended() async {
        end()
        await record.until { $0.isOver }
    }
}

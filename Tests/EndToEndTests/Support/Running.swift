import Foundation
import Synchronization
import TestSupport

/// A program that ended, and what it said.
struct Finished: Sendable {
    /// Its exit status, or minus the signal that ended it.
    let status: Int32
    let output: String
    let errors: String
    /// The one line of output.
    var line: String { output.trimmingCharacters(in: .newlines) }
}

/// A program that runs: its standard error can be waited on. It is killed with its owner.
final class Running: Sendable {
    private final class Record: Sendable {
        struct State {
            var output: [UInt8] = []
            var errors: [UInt8] = []
            /// Both pipes at their end, and the process.
            var endsToCome = 3
            var status: Int32?
            var waiters: [(text: String, inOutput: Bool, continuation: CheckedContinuation<Bool, Never>)] = []
            var finishers: [CheckedContinuation<Void, Never>] = []

            var outputText: String { String(decoding: output, as: UTF8.self) }
            var errorText: String { String(decoding: errors, as: UTF8.self) }
        }

        let state = Mutex(State())

        /// Changes the state, then wakes who waited for what is now true.
        func change(_ body: (inout State) -> Void) {
            let woken = state.withLock { state -> [@Sendable () -> Void] in
                body(&state)
                let hasEnded = state.endsToCome == 0
                let text = state.waiters.isEmpty ? "" : state.errorText
                let output = state.waiters.contains(where: \.inOutput) ? state.outputText : ""
                var woken: [@Sendable () -> Void] = []
                state.waiters.removeAll { waiter in
                    let isFound = (waiter.inOutput ? output : text).contains(waiter.text)
                    guard isFound || hasEnded else { return false }
                    woken.append { waiter.continuation.resume(returning: isFound) }
                    return true
                }
                if hasEnded {
                    woken += state.finishers.map { finisher in { finisher.resume() } }
                    state.finishers = []
                }
                return woken
            }
            for wake in woken { wake() }
        }

        func read(_ descriptor: Int32, _ append: @escaping @Sendable (inout State, [UInt8]) -> Void) {
            ChildProcess.read(descriptor) { bytes in
                self.change { state in
                    if bytes.isEmpty { state.endsToCome -= 1 } else { append(&state, bytes) }
                }
            }
        }
    }

    struct EndedFirst: Error, CustomStringConvertible {
        let waitedFor: String
        let errors: String
        var description: String { "it ended before it said “\(waitedFor)”:\n\(errors)" }
    }

    private let process: ChildProcess
    /// Stays as long as the program runs in it.
    private let home: Home
    private let record = Record()

    init(_ program: String, _ arguments: [String], in home: Home) throws {
        self.home = home
        process = try ChildProcess([program] + arguments, environment: home.environment, directory: home.directory)
        record.read(process.output) { $0.output += $1 }
        record.read(process.errors) { $0.errors += $1 }
        process.waitForEnd { [record] status in
            record.change { state in
                state.status = status
                state.endsToCome -= 1
            }
        }
    }

    deinit { signal(SIGKILL) }

    var processID: Int32 { process.id }

    /// Nothing happens when it has ended already.
    func signal(_ number: Int32) {
        record.state.withLock { state in
            if state.status == nil { kill(process.id, number) }
        }
    }

    /// Returns once standard error holds the text; throws when the program ends without it, or the test is over.
    func says(_ text: String) async throws { try await wait(for: text, inOutput: false) }

    /// The same for standard output.
    func prints(_ text: String) async throws { try await wait(for: text, inOutput: true) }

    private func wait(for text: String, inOutput: Bool) async throws {
        let found = await killedWhenCancelled {
            await withCheckedContinuation { continuation in
                self.record.change { $0.waiters.append((text, inOutput, continuation)) }
            }
        }
        if !found { throw EndedFirst(waitedFor: text, errors: record.state.withLock { $0.errorText }) }
    }

    /// What stands on standard output by now.
    var outputSoFar: String { record.state.withLock { $0.outputText } }

    /// What stands on standard error by now.
    var errorsSoFar: String { record.state.withLock { $0.errorText } }

    func finished() async -> Finished {
        await killedWhenCancelled {
            await withCheckedContinuation { continuation in
                self.record.change { $0.finishers.append(continuation) }
            }
        }
        return record.state.withLock { state in
            Finished(
                status: state.status ?? 0, output: String(decoding: state.output, as: UTF8.self),
                errors: state.errorText)
        }
    }

    /// Ends it as an operator would, and waits for the end.
    @discardableResult
    func end() async -> Finished {
        signal(SIGTERM)
        return await finished()
    }

    /// A test that is over its time does not wait for a program that hangs.
    private func killedWhenCancelled<Value: Sendable>(_ wait: () async -> Value) async -> Value {
        await withTaskCancellationHandler(operation: wait) { signal(SIGKILL) }
    }
}

import Foundation

/// A home directory of its own for one test, with `countersign` in its `PATH`. It goes with the test.
final class Home: Sendable {
    let directory: String
    let environment: [String: String]

    init(sandbox: String? = nil) throws {
        // Short, because the path of a Unix socket has at most 107 bytes.
        var template = Array("/tmp/cs-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw CocoaError(.fileWriteUnknown) }
        directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        var environment = [
            "HOME": directory, "TMPDIR": directory, "SWIFT_BACKTRACE": "enable=no",
            "PATH": Home.programs + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"),
        ]
        environment["LD_LIBRARY_PATH"] = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"]
        environment["COUNTERSIGN_SANDBOX"] = sandbox
        self.environment = environment
    }

    deinit { try? FileManager.default.removeItem(atPath: directory) }

    /// Where the built programs lie: beside the running test bundle.
    static let programs: String = {
        let running = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return (running as NSString).deletingLastPathComponent
    }()

    var configuration: String { directory + "/.config/countersign/countersign.yaml" }
    var state: String { directory + "/.local/state/countersign" }

    func mode(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0
    }

    func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    func write(_ text: String, to name: String) throws -> String {
        let path = directory + "/" + name
        try Data(text.utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        return path
    }

    /// Runs `countersign` to its end.
    func countersign(_ arguments: String...) async throws -> Finished {
        try await Running("countersign", arguments, in: self).finished()
    }

    /// Starts `countersign`.
    func start(_ arguments: String...) throws -> Running { try Running("countersign", arguments, in: self) }

    func curl(_ arguments: String...) async throws -> CurlAnswer {
        let marker = "\n%{http_code}"
        let finished = try await Running("curl", ["-sS", "-i", "-w", marker] + arguments, in: self).finished()
        return CurlAnswer(finished)
    }
}

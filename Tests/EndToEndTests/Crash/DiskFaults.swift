import Foundation
import TestSupport
import Testing

/// A library that makes calls fail on files below a directory, preloaded into a gateway; see `DiskFaults/diskfaults.c`.
struct DiskFaults: Sendable {
    enum Call: String, CaseIterable, Sendable { case write, fsync, ftruncate, rename, open, mmap }

    private let directory: String
    private let root: String

    /// - Parameter root: everything below it is concerned.
    init(in home: Home, root: String) throws {
        directory = home.directory + "/faults"
        self.root = root
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    }

    var environment: [String] {
        [
            "LD_PRELOAD=\(Self.shim)", "DISKFAULTS_ROOT=\(root)", "DISKFAULTS_PLAN=\(directory)/plan",
            "DISKFAULTS_HITS=\(directory)/hits", "DISKFAULTS_LOG=\(directory)/log",
        ]
    }

    /// From the Nth such call on so many fail; 0: all of them.
    func order(_ call: Call, from number: Int = 1, _ code: Int32, count: Int = 1) throws {
        try? FileManager.default.removeItem(atPath: directory + "/hits")
        try? FileManager.default.removeItem(atPath: directory + "/log")
        // The time makes it another plan even when it says the same.
        let text = "\(call.rawValue) \(number) \(code) \(count) \(DispatchTime.now().uptimeNanoseconds)\n"
        try text.write(toFile: directory + "/plan", atomically: true, encoding: .utf8)
    }

    func stop() { try? FileManager.default.removeItem(atPath: directory + "/plan") }

    /// The calls that failed, `CALL PATH` each.
    var hits: [String] { lines("hits") }
    /// All calls.
    var log: [String] { lines("log") }

    private func lines(_ name: String) -> [String] {
        let data = FileManager.default.contents(atPath: directory + "/" + name) ?? Data()
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// Made once, by the C compiler that the Swift toolchain brings along.
    private static let shim: String = {
        let place = NSTemporaryDirectory() + "/diskfaults-\(getpid()).so"
        guard let source = Bundle.module.url(forResource: "DiskFaults/diskfaults", withExtension: "c")?.path else {
            preconditionFailure("the source of the library is not among the resources")
        }
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
        let compilers = (folders + ["/opt/swift/usr/bin", "/usr/bin"]).flatMap { [$0 + "/clang", $0 + "/gcc"] }
        for compiler in compilers where FileManager.default.isExecutableFile(atPath: compiler) {
            let arguments = [compiler, "-shared", "-fPIC", "-O1", "-o", place, source, "-ldl"]
            if (try? ChildProcess.status(of: arguments)) == 0 { return place }
        }
        preconditionFailure("no C compiler could make the library that plays disk faults")
    }()
}

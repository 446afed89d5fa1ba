import Foundation
import TestSupport

@testable import Strongbox

extension CrashScene {
    /// A small file system of its own.
    struct Mounted {
        let path: String

        init() throws {
            path = "/tmp/cs-disk-\(UUID().uuidString.prefix(8))"
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            try Self.run("mount", "-t", "tmpfs", "-o", "size=42m,mode=0700", "tmpfs", path)
        }

        func fill(megabytes: Int) {
            try? Self.run("dd", "if=/dev/zero", "of=\(path)/ballast", "bs=1M", "count=\(megabytes)")
        }
        func empty() { unlink(path + "/ballast") }
        func remount(_ how: String) { try? Self.run("mount", "-o", "remount,\(how)", path) }

        func unmount() {
            try? Self.run("umount", "-l", path)
            rmdir(path)
        }

        private static func run(_ program: String, _ arguments: String...) throws {
            _ = try ChildProcess.status(of: [program] + arguments)
        }
    }

    /// Another program that has begun to write, and does not end.
    final class WriteLock {
        private let connection: SQLiteConnection

        init(_ path: String) throws {
            connection = try SQLiteConnection(path, .readWrite)
            try connection.execute("BEGIN IMMEDIATE")
        }

        func release() { try? connection.execute("ROLLBACK") }
    }
}

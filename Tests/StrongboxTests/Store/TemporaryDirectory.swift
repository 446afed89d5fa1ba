import Foundation
import Glibc
import Strongbox

/// A directory of its own for a test, removed with it.
final class TemporaryDirectory: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("strongbox-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var state: String { path + "/state" }
    var database: String { state + "/countersign.db" }
    var lock: String { state + "/lock" }
    var key: String { path + "/master.key" }

    func openStore() throws(StoreError) -> Store { try Store(.directory(state), keyFile: key) }

    /// Opens a store and closes it again.
    func makeStore(with grant: StoredGrant? = nil) async throws {
        let store = try openStore()
        if let grant { try await store.save(grant) }
        await store.close()
    }

    /// The names in the state directory.
    func stateFiles() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: state).sorted() }

    /// The bytes of everything that can be found below, links not followed.
    func allBytes() throws -> [String: Data] {
        var files: [String: Data] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
            let file = path + "/" + name
            if mode(of: file) & S_IFMT == S_IFREG { files[name] = try Data(contentsOf: URL(fileURLWithPath: file)) }
        }
        return files
    }
}

/// Type and permission bits, links not followed; 0 when there is nothing.
func mode(of path: String) -> mode_t {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode : 0
}

func permissions(of path: String) -> mode_t { mode(of: path) & 0o7777 }

func write(_ bytes: [UInt8], to path: String) throws { try Data(bytes).write(to: URL(fileURLWithPath: path)) }

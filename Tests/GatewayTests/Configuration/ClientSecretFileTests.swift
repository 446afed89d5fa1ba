import Core
import Foundation
import Strongbox
import Testing

@testable import Gateway
@testable import MimiKey

/// The secret of a confidential client comes from a file that is nobody else's.
struct ClientSecretFileTests {
    /// Decodes a configuration that names a file with these bytes and this mode.
    private func decoding(
        _ bytes: Data?, mode: Int = 0o600, directoryMode: Int = 0o700,
        _ body: (Result<Configuration, ConfigurationError>) -> Void
    ) throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "secret-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let file = directory.appending(path: "client.secret")
        if let bytes {
            try bytes.write(to: file)
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path())
        }
        try FileManager.default.setAttributes([.posixPermissions: directoryMode], ofItemAtPath: directory.path())
        let text = ConfigurationTests.complete.replacingOccurrences(
            of: "  client_id: pmc_sandbox\n",
            with: "  client_id: pmc_sandbox\n  client_secret_file: \(file.path())\n")
        body(Result { () throws(ConfigurationError) in try Configuration.decode(Array(text.utf8), file: "c.yaml") })
    }

    private func secret(_ configuration: Configuration) -> String? {
        configuration.mimiKey.client.clientSecret.map { String(decoding: $0.secret.exposed(), as: UTF8.self) }
    }

    @Test(arguments: ["s3cret", "s3cret\n"])
    func `it is read, without the newline at its end`(_ text: String) throws {
        try decoding(Data(text.utf8)) { result in
            #expect((try? result.get()).flatMap(secret) == "s3cret")
        }
    }

    @Test func `it never stands in what is printed of the configuration`() throws {
        try decoding(Data("canary-secret".utf8)) { result in
            var text = ""
            dump(result, to: &text)
            #expect(!text.contains("canary") && !"\(result)".contains("canary"))
        }
    }

    @Test func `without the key a client is public`() throws {
        let configuration = try Configuration.decode(Array(ConfigurationTests.complete.utf8), file: "c.yaml")
        #expect(configuration.mimiKey.client.clientSecret == nil)
    }

    @Test func `4 KiB are taken, one byte more is not`() throws {
        try decoding(Data(repeating: 0x61, count: 4096)) { result in
            #expect((try? result.get()).flatMap(secret)?.utf8.count == 4096)
        }
        try decoding(Data(repeating: 0x61, count: 4097)) { refused($0, "larger than 4 KiB") }
    }

    @Test(arguments: [
        ("", "is empty"), ("\n", "is empty"), ("s3cret\n\n", "visible ASCII"), ("s3 cret", "visible ASCII"),
        ("s3cret\r\n", "visible ASCII"), ("s\u{E9}cret", "visible ASCII"), ("\0", "visible ASCII"),
    ])
    func `what is no secret is refused with its place and a hint`(_ text: String, _ message: String) throws {
        try decoding(Data(text.utf8)) { refused($0, message) }
    }

    @Test func `a file that others may use, or replace, or that is not there, is refused`() throws {
        for mode in [0o640, 0o604, 0o660, 0o620] {
            try decoding(Data("s".utf8), mode: mode) { refused($0, "others may") }
        }
        try decoding(Data("s".utf8), directoryMode: 0o777) { refused($0, "others may write its directory") }
        try decoding(nil) { refused($0, "cannot be opened") }
    }

    private func refused(_ result: Result<Configuration, ConfigurationError>, _ message: String) {
        switch result {
        case .success: Issue.record("it was taken")
        case .failure(let error):
            let line = error.lines.first ?? ""
            // Where the key's value stands.
            #expect(line.hasPrefix("c.yaml:19:23:"), "\(line)")
            #expect(line.contains("`client_secret_file`") && line.contains(message), "\(line)")
            #expect(line.hasSuffix(")"), "\(line)")
            #expect(error.lines.count == 1)
        }
    }
}

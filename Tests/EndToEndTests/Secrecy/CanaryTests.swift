import Core
import Foundation
import Testing

/// What is secret is in no log, in no file but where it belongs, and in no command line.
@Suite(.timeLimit(.minutes(5))) struct CanaryTests {
    /// The sandbox's codes and tokens begin so, and the item's password is this; both stand nowhere else.
    static let canaries = ["pmk_sandbox_", "pma_sandbox_", "pmr_sandbox_", "sandbox-not-a-real-password"]

    @Test func `SE-01 no secret is in a log, in the database or in a command line`() async throws {
        let stage = try await Stage(person: "after=0s", hosts: ["bank.example.com"])
        #expect(try await stage.ask(wait: 20).state == "completed")
        try await stage.control("access-tokens/expire")
        let completed = try await stage.ask(wait: 20, body: Stage.body.replacing("reconcile", with: "again"))
        #expect(completed.state == "completed")
        try await stage.control("person", #"{"script":"deny"}"#)
        #expect(
            try await stage.ask(
                wait: 20, body: #"{"op":"pick_item","hint":{"url":"https://bank.example.com/x","title":"t"}}"#
            ).state == "denied")
        for input in BadInput.all("ask", "json") {
            _ = try await stage.ask(wait: 0, body: String(input.payload).replacing("{{token}}", with: stage.token))
        }
        _ = try await stage.look("/v1/requests?access_token=\(stage.token)", wait: 0)
        _ = try await stage.home.curl(
            "-H", "Authorization: Bearer \(stage.token)x", "-H", "X-Forwarded-For: \(stage.token)",
            stage.url("/v1/whoami"))
        _ = try await stage.home.curl(stage.url("/callback?code=pmk_sandbox_canary&state=pma_sandbox_canary"))

        let secrets = Self.canaries + [stage.token]
        try await expectNone(of: secrets, inProcess: stage.gateway.processID)
        try expectNone(of: secrets, inFilesOf: stage.home.directory)
        let gateway = await stage.gateway.end()
        expectNone(of: secrets, in: Array((gateway.output + gateway.errors).utf8), "the gateway's log")
        try expectNone(of: secrets, inFilesOf: stage.home.directory)
        #expect(gateway.errors.contains(#""message":"result delivered""#), "the log was not looked at")
        await stage.end()
    }

    @Test func `SE-01 a killed gateway leaves no secret in its files`() async throws {
        let stage = try await Stage(person: "after=0s")
        #expect(try await stage.ask(wait: 20).state == "completed")
        stage.gateway.signal(SIGKILL)
        _ = await stage.gateway.finished()
        try expectNone(of: Self.canaries + [stage.token], inFilesOf: stage.home.directory)
        let key = try Data(contentsOf: URL(filePath: stage.home.directory + "/.config/countersign/master.key"))
        for (path, bytes) in try files(of: stage.home.state) {
            #expect(bytes.firstRange(of: Array(key)) == nil, "the master key is in \(path)")
        }
        await stage.end()
    }

    private func expectNone(of secrets: [String], in bytes: [UInt8], _ place: String) {
        for secret in secrets {
            let forms = [secret, Data(secret.utf8).base64EncodedString().prefix(while: { $0 != "=" }).description]
            for form in forms {
                #expect(bytes.firstRange(of: Array(form.utf8)) == nil, "\(secret.prefix(14)) is in \(place)")
            }
        }
    }

    private func expectNone(of secrets: [String], inProcess id: Int32) async throws {
        for name in ["cmdline", "environ"] {
            let handle = try FileHandle(forReadingFrom: URL(filePath: "/proc/\(id)/\(name)"))
            let bytes = try handle.readToEnd() ?? Data()
            #expect(!bytes.isEmpty)
            expectNone(of: secrets, in: Array(bytes), "/proc/PID/\(name)")
        }
    }

    private func expectNone(of secrets: [String], inFilesOf directory: String) throws {
        let found = try files(of: directory)
        #expect(found.contains { $0.path.hasSuffix("countersign.db") }, "the database was not looked at")
        for (path, bytes) in found { expectNone(of: secrets, in: bytes, path) }
    }

    private func files(of directory: String) throws -> [(path: String, bytes: [UInt8])] {
        let paths = try #require(FileManager.default.enumerator(atPath: directory)).compactMap { $0 as? String }
        return paths.compactMap { name in
            let path = directory + "/" + name
            guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
                attributes[.type] as? FileAttributeType == .typeRegular,
                let data = FileManager.default.contents(atPath: path)
            else { return nil }
            return (path, Array(data))
        }
    }
}

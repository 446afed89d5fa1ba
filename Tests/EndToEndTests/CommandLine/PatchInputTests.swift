import Core
import Foundation
import Testing

@testable import CLI

/// Where the values of `update` come from, and what is made of them.
@Suite struct PatchInputTests {
    private static func sources(_ words: [String]) throws(Failure) -> PatchSources {
        guard case .run(let verb, let arguments) = try Invocation(["update", "v_1", "it_1"] + words) else {
            throw Failure(.failure, "help")
        }
        return try PatchSources(arguments, verb: verb)
    }

    private static func text(_ words: String...) async throws -> String {
        String(decoding: try await PatchText.read(try sources(words)), as: UTF8.self)
    }

    @Test(arguments: [
        ("new password", #"{"password":"new password"}"#), ("one line end\n", #"{"password":"one line end"}"#),
        ("of Windows\r\n", #"{"password":"of Windows"}"#), ("two\n\n", #"{"password":"two\n"}"#),
        ("\"quotes\" \\ and\ttabs", #"{"password":"\"quotes\" \\ and\ttabs"}"#), ("Käse 🧀", #"{"password":"Käse 🧀"}"#),
        ("", #"{"password":""}"#), ("nul\u{0}", #"{"password":"nul\u0000"}"#),
    ])
    func `a file's bytes become a value`(content: String, patch: String) async throws {
        let home = try Home()
        let path = try home.write(content, to: "value")
        let text = try await Self.text("--set", "password=@\(path)")
        #expect(text == patch)
    }

    @Test func `an update brings no field back, so that none can be asked for`() {
        #expect { try Self.sources(["--set", "password=-", "--field", "password"]) } throws: { error in
            (error as? Failure)?.status == .usage
        }
    }

    @Test func `several files become one patch, in their order`() async throws {
        let home = try Home()
        let one = try home.write("1", to: "one")
        let two = try home.write("2", to: "two")
        let text = try await Self.text("--set", "username=@\(one)", "--set", "password=@\(two)")
        #expect(text == #"{"username":"1","password":"2"}"#)
    }

    @Test func `a patch file goes out as it stands`() async throws {
        let home = try Home()
        let path = try home.write("\n {\"password\" : \"\\u0041\\n\"}\n", to: "patch.json")
        let text = try await Self.text("--patch-file", path)
        #expect(text == #"{"password" : "\u0041\n"}"#)
    }

    @Test(arguments: [
        "[]", "{\"password\":1}", "{\"password\":null}", "{\"a\":\"1\",\"a\":\"2\"}", "password", "{} {}", "",
    ])
    func `a patch file that is no object of strings is refused, and not repeated`(content: String) async throws {
        let home = try Home()
        let path = try home.write(content, to: "patch.json")
        let failure = await #expect(throws: Failure.self) { _ = try await Self.text("--patch-file", path) }
        #expect(failure?.status == .failure)
        #expect(failure?.sentence.contains("password") == false)
    }

    @Test func `what is no text, or too long, is refused`() async throws {
        let home = try Home()
        let path = home.directory + "/value"
        for bytes in [Data([0xFF, 0xFE]), Data(repeating: 0x61, count: 49_105)] {
            try bytes.write(to: URL(filePath: path))
            let failure = await #expect(throws: Failure.self) { _ = try await Self.text("--set", "password=@\(path)") }
            #expect(failure?.status == .failure)
        }
    }

    @Test(arguments: [
        ["--set", "password=hunter2-literal"], ["--set=password=hunter2-literal"], ["--set", "password="],
        ["--set", "password=@"], ["--set", "hunter2-literal"], ["--set", "hunter2-literal=@/dev/null"],
        ["--set", "=hunter2-literal"], ["--set", "password=@/a", "--set", "password=@/hunter2-literal"],
        ["--set", "a=-", "--set", "b=-"], ["--set", "a=-", "--token-file", "-"],
        ["--patch-file", "-", "--token-file", "-"],
        ["--patch-file", "/a", "--set", "a=-"], [],
    ])
    func `SE-10 a value on the command line, and what else makes no sense, is refused without repeating it`(
        words: [String]
    ) {
        let failure = #expect(throws: Failure.self) { _ = try Self.sources(words) }
        #expect(failure?.status == .usage)
        #expect(failure?.sentence.contains("hunter2") == false && failure?.hint?.contains("hunter2") == false)
    }

    @Test func `at most 32 values can be set`() {
        let words = (0..<33).flatMap { ["--set", "f\($0)=@/dev/null"] }
        #expect(throws: Never.self) { _ = try Self.sources(Array(words.dropLast(2))) }
        #expect(throws: Failure.self) { _ = try Self.sources(words) }
    }

    @Test(arguments: [
        ("ab", "ab"), (" AB:cd ", "abcd"),
    ])
    func `a fingerprint is read as people copy it`(part: String, read: String) {
        let text = String(repeating: part, count: 64 / read.count)
        #expect(TrustKeyVerb.fingerprint(text) == String(repeating: read, count: 64 / read.count))
        #expect(TrustKeyVerb.fingerprint(text + "a") == nil)
        #expect(TrustKeyVerb.fingerprint("g" + text.dropFirst()) == nil)
    }
}

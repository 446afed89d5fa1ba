import Foundation
import Testing

/// What the programs get that open a link for us: the link, and nothing that is ours.
@Suite(.timeLimit(.minutes(3))) struct ChildrenTests {
    /// Writes down what it was given, beside itself; the directory's name has no blank in it.
    private static let script = """
        #!/bin/sh
        here=$(dirname "$0")
        for word in "$@"; do printf '%s\\n' "$word"; done > "$here/words"
        tr '\\0' '\\n' < /proc/$$/environ > "$here/environment"
        for descriptor in /proc/$$/fd/*; do readlink "$descriptor"; done > "$here/descriptors"
        mv "$here/words" "$here/done"
        """

    /// Started with a descriptor and a variable that are nobody's business.
    private static let start = [
        "bash", "-c", #"exec 9</etc/hostname; CANARY_SECRET=canary exec countersign "$@""#, "x",
    ]

    @Test func `SE-09 what opens a link has a clean environment, no descriptor of ours and no secret`() async throws {
        let stage = try await Stage(person: "none", authorized: false, manners: .polite)
        await stage.gateway.end()
        let daemon = try opener("daemon", in: stage)
        let verb = try opener("verb", in: stage)
        let configuration = try stage.home.text(stage.home.configuration)
        let opening = configuration.replacing(#/ *# open: \[xdg-open\][^\n]*/#, with: "  open: [\(daemon)]")
        #expect(opening != configuration)
        _ = try stage.home.write(opening, to: ".config/countersign/countersign.yaml")
        let gateway = try Running("env", Self.start + ["serve"], in: stage.home)
        try await gateway.says("listening on http://127.0.0.1:\(stage.port)")
        // The consent is opened by a verb, a card by the gateway.
        let authorizing = try Running("env", Self.start + ["authorize", "--open", verb], in: stage.home)
        try await written(by: verb)
        await authorizing.end()
        _ = try await stage.authorize()
        _ = try await stage.ask(wait: 0)
        try await written(by: daemon)

        let secrets = try await stage.secrets()
        for (program, allowed) in [(verb, ["HOME", "PATH", "COUNTERSIGN_SANDBOX"]), (daemon, ["HOME", "PATH"])] {
            let given = try Given(by: program)
            #expect(given.words.count == 1 && given.words.first?.hasPrefix("mimikey://") == true, "\(given.words)")
            // What the shell adds by itself.
            let variables = Set(given.variables).subtracting(["PWD", "OLDPWD", "SHLVL", "_"])
            #expect(variables.isSubset(of: allowed), "\(variables)")
            #expect(
                !given.descriptors.contains { $0.contains("hostname") || $0.contains("socket") || $0.contains(".db") })
            var search = Search(secrets.all)
            search.add(given.everything, program)
            let found = await search.found()
            #expect(found.isEmpty, "\(found)")
        }
        await gateway.end()
        await stage.sandbox.end()
    }

    /// The path of a program of its own.
    private func opener(_ name: String, in stage: Stage) throws -> String {
        let directory = stage.home.directory + "/" + name
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
        let path = try stage.home.write(Self.script, to: name + "/open")
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
        return path
    }

    private func written(by program: String) async throws {
        while !FileManager.default.fileExists(atPath: Given.file("done", of: program)) {
            try await Task.sleep(for: .milliseconds(10))
        }
    }
}

/// What a program wrote down.
private struct Given {
    let words: [String]
    let variables: [String]
    let descriptors: [String]
    let everything: String

    init(by program: String) throws {
        let read = { try String(contentsOfFile: Given.file($0, of: program), encoding: .utf8) }
        let (words, environment, descriptors) = (try read("done"), try read("environment"), try read("descriptors"))
        self.words = words.split(separator: "\n").map(String.init)
        variables = environment.split(separator: "\n").map { String($0.prefix { $0 != "=" }) }
        self.descriptors = descriptors.split(separator: "\n").map(String.init)
        everything = words + environment + descriptors
    }

    static func file(_ name: String, of program: String) -> String {
        (program as NSString).deletingLastPathComponent + "/" + name
    }
}

import Core
import Foundation
import Testing

@testable import Gateway

struct OpenerTests {
    private static let time = TimeSource(
        now: { Instant(nanoseconds: Int64(DispatchTime.now().uptimeNanoseconds)) },
        wall: { UnixTime(seconds: 0) },
        sleep: { until in
            let left = until - Instant(nanoseconds: Int64(DispatchTime.now().uptimeNanoseconds))
            try await Task.sleep(for: max(left, .zero))
        })

    /// To be run by `sh`: a file that was written a moment ago cannot be executed itself while a child that another test
    /// starts still holds its descriptor (ETXTBSY).
    private static func script(_ text: String) throws -> (directory: URL, path: String) {
        let directory = FileManager.default.temporaryDirectory.appending(path: "opener-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let file = directory.appending(path: "open")
        try ("#!/bin/sh\n" + text).write(to: file, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: file.path())
        return (directory, file.path())
    }

    @Test func `SE-09 the program gets the URL as one argument, a clean environment and no descriptor of ours`()
        async throws
    {
        setenv("CANARY_SECRET", "canary", 1)
        let (directory, program) = try Self.script(
            """
            printf '%s\\n' "$#" "$1" "$2" > "$(dirname "$0")/arguments"
            env > "$(dirname "$0")/environment"
            ls /proc/self/fd | tr '\\n' ' ' > "$(dirname "$0")/descriptors"
            """)
        defer { try? FileManager.default.removeItem(at: directory) }
        let url = "mimikey://request?request_id=rq_1&state=$(id);x y"
        #expect(await Opener(running: ["sh", program, "first"], time: Self.time).open(url))
        let read = { (name: String) in try String(contentsOf: directory.appending(path: name), encoding: .utf8) }
        #expect(try read("arguments") == "2\nfirst\n\(url)\n")
        #expect(try !read("environment").contains("CANARY"))
        // Standard input, output and error, and the one of `ls` itself.
        #expect(try read("descriptors").split(separator: " ").count <= 4)
    }

    @Test func `a program that fails, or is not there, has not opened it`() async throws {
        let (directory, program) = try Self.script("exit 3")
        defer { try? FileManager.default.removeItem(at: directory) }
        #expect(await Opener(running: ["sh", program], time: Self.time).open("mimikey://request?x") == false)
        #expect(await Opener(running: ["/nonexistent/opener"], time: Self.time).open("mimikey://request?x") == false)
    }

    @Test(arguments: ["https://mimikey.example", "file:///etc/passwd", "mimikey:x", "", "-x"])
    func `only MimiKey's URLs are opened`(url: String) async {
        #expect(await Opener(running: ["true"], time: Self.time).open(url) == false)
        #expect(await Opener(running: ["true"], time: Self.time).open("mimikey://x") == true)
    }

    @Test func `an opener that fails is said in the ask, which goes on`() async throws {
        try await withGateway(.init(open: { _ in false })) { gateway in
            let id = try #require(await gateway.ask().string("id"))
            var answer = await gateway.look(id)
            while answer.json["open_error"]?.isNull == true {
                await Task.yield()
                answer = await gateway.look(id)
            }
            #expect(answer.string("open_error") == "not_installed")
            #expect(answer.string("download_url") == "https://mimikey.example/download")
            #expect(answer.state == "pending")
        }
    }

    @Test func `the opener gets the link of the ask`() async throws {
        let (links, link) = AsyncStream<String>.makeStream()
        try await withGateway(
            .init(open: { url in
                link.yield(url)
                return true
            })
        ) { gateway in
            let made = await gateway.ask()
            var iterator = links.makeAsyncIterator()
            #expect(await iterator.next() == (made.string("open_url")))
        }
    }
}

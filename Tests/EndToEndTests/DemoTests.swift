import Core
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct DemoTests {
    @Test func `a demo run brings an item`() async throws {
        let home = try Home()
        let demo = try await home.countersign(
            "demo", "--once", "--port", "\(try Ports.free())", "--sandbox-port", "\(try Ports.free())")
        #expect(demo.status == 0, "\(demo.errors)")
        let lines = demo.output.split(separator: "\n").map(String.init)
        #expect(lines.first?.hasPrefix("$ curl -s --json ") == true)
        let answer = try JSONDocument(Array((lines.last ?? "").utf8)).root
        #expect(answer["state"]?.string == "completed")
        #expect(answer["open_error"]?.isNull == true, "the sandbox was shown the card")
        #expect(answer["result"]?["item"]?["record"]?["password"]?.string?.isEmpty == false)
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.directory).isEmpty, "it left something behind")
    }

    @Test func `the printed curl line works until the demo is ended`() async throws {
        let home = try Home()
        let demo = try home.start("demo", "--port", "\(try Ports.free())", "--sandbox-port", "\(try Ports.free())")
        try await demo.says("Ctrl-C ends the demo")
        let line = demo.outputSoFar.split(separator: "\n").first.map { String($0.dropFirst(2)) } ?? ""
        let curl = try await Running("sh", ["-c", line], in: home).finished()
        #expect(curl.output.contains(#""state":"completed""#))
        demo.signal(SIGINT)
        #expect(await demo.finished().status == 0)
    }
}

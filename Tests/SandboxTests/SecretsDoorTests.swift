import Core
import Testing

@testable import Sandbox

/// What the sandbox tells a test that looks for secrets.
struct SecretsDoorTests {
    @Test func `it tells what was handed out, and what is still good`() throws {
        let scene = try Scene.granted()
        let first = (scene.access, scene.refresh)
        scene.keep(scene.rotate())
        scene.pass(.seconds(10))
        #expect(scene.control(.post, "/_sandbox/access-tokens/expire").summary == "200")
        var json = JSON.null
        if case .json(let answer) = scene.control(.get, "/_sandbox/secrets").body { json = answer }
        let told = try JSONDocument(json.encoded()).root
        #expect(told["codes"]?.elements.count == 1)
        #expect(told["verifiers"]?.elements.map(\.string) == [scene.verifier])
        #expect(told["refresh_tokens"]?.elements.map { $0["token"]?.string } == [first.1, scene.refresh])
        #expect(told["refresh_tokens"]?.elements.map { $0["live"]?.bool } == [false, true])
        #expect(told["access_tokens"]?.elements.map { $0["token"]?.string } == [first.0, scene.access])
        #expect(told["access_tokens"]?.elements.map { $0["live"]?.bool } == [false, false])
    }

    @Test func `an item of a test can be picked`() throws {
        let scene = try Scene.granted(.approve(after: .zero))
        let added = scene.control(
            .post, "/_sandbox/items", ["url": "https://canary.example.com", "password": "a", "one_time_code": "b"])
        #expect(added.summary == "200")
        let id = try scene.picked([.init("hint", ["url": "https://canary.example.com/login"])])
        let record = try scene.opened(scene.look(id))["item"]?["record"]
        #expect(record?["password"]?.string == "a")
        #expect(record?["extra"]?["one_time_code"]?.string == "b")
        #expect(
            scene.control(.post, "/_sandbox/items", ["url": "https://x.example.com"]).summary == "400 invalid_input")
    }
}

import Core
import Testing

@testable import Sandbox

struct PhoneTests {
    @Test func `consent comes back with code and state`() throws {
        let callback = try Scene(.approve(after: .seconds(2))).consent()
        #expect(callback[""] == "http://127.0.0.1:7447/callback")
        #expect(callback["state"] == "st-1")
        #expect(callback["code"]?.isEmpty == false)
        #expect(Set(callback.keys) == ["", "code", "state"])
    }

    @Test func `a person who denies comes back with an error, one who never taps does not come back`() throws {
        #expect(try Scene(.deny(after: .zero)).consent()["error"] == "access_denied")
        #expect(try Scene(.expire).consent().isEmpty)
    }

    @Test func `a redirect URL with a query gets the callback's members beside its own`() throws {
        let scene = Scene()
        let redirectURI = "http://127.0.0.1:7447/callback?tenant=1"
        scene.world.clients["pmc_sandbox"] = Client(
            id: "pmc_sandbox", kind: .public, redirectURIs: [redirectURI])
        let callback = try scene.open(scene.link(redirectURI: redirectURI))
        #expect(callback["tenant"] == "1")
        #expect(callback["code"] != nil)
    }

    @Test func `a malformed link is an invalid request`() throws {
        let scene = Scene()
        let short = [UInt8](repeating: 1, count: 31)
        for link in [
            scene.link(challenge: "short"), scene.link(method: "plain"), scene.link(approval: short),
            scene.link(seal: short), scene.link(seal: [UInt8](repeating: 0, count: 32)), scene.link(state: ""),
            scene.link(clientID: "pmc_unknown"), scene.link(redirectURI: "http://127.0.0.1:7447/other"),
            scene.link() + "&client_id=pmc_sandbox",
        ] {
            #expect(try scene.open(link)["error"] == "invalid_request")
        }
    }

    @Test func `an unregistered redirect URL elsewhere gets nothing at all`() throws {
        let scene = Scene()
        #expect(try scene.open(scene.link(redirectURI: "https://elsewhere.example/callback")).isEmpty)
    }

    @Test func `a disabled client is an invalid request`() throws {
        let scene = Scene()
        scene.world.clients["pmc_sandbox"]?.standing = .disabledByDeveloper
        #expect(try scene.consent()["error"] == "invalid_request")
    }

    @Test(arguments: [
        "https://example.com", "mimikey://authorise?x=1", "mimikey://request", "", "mimikey://request?%zz",
    ])
    func `what is no link of MimiKey's is refused`(url: String) {
        let scene = Scene()
        #expect(throws: Refusal.invalidInput) { try scene.world.open(url, at: scene.now) }
    }

    @Test func `a card comes back once the person has answered`() throws {
        let scene = try Scene.granted(.approve(after: .seconds(2)))
        let id = try scene.picked()
        let link = "mimikey://request?request_id=\(id)&state=card-1"
        #expect(try scene.open(link).isEmpty)
        #expect(scene.world.requests[id]?.wasShown == true)
        scene.pass(.seconds(2))
        #expect(
            try scene.open(link) == [
                "": "http://127.0.0.1:7447/callback", "request_id": id, "state": "card-1", "status": "completed",
            ])
    }

    @Test func `an unknown card comes back as not found, when the client is known`() throws {
        let scene = Scene()
        #expect(try scene.open("mimikey://request?request_id=rq_no&state=s").isEmpty)
        let known = try scene.open("mimikey://request?request_id=rq_no&state=s&client_id=pmc_sandbox")
        #expect(known["error"] == "request_not_found")
        #expect(known["state"] == "s")
    }
}

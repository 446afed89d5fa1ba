import Core
import Synchronization
import TestSupport
import Testing

@testable import Gateway

struct OperatorTests {
    @Test func `an authorization is begun, looked at and given up`() async throws {
        try await withGateway(authorized: false) { gateway in
            let begun = await gateway.operate(.post, "/admin/authorize")
            #expect(begun.status == 201)
            let id = try #require(begun.string("id"))
            #expect(begun.fields.text("location") == "/admin/authorize/\(id)")
            #expect(begun.string("status") == "waiting")
            #expect(begun.string("url")?.hasPrefix("mimikey://authorize?client_id=pmc_test&") == true)
            #expect(begun.string("expires_at") == "2026-05-28T20:36:40Z")
            #expect(await gateway.operate(.get, "/admin/authorize/\(id)").string("status") == "waiting")
            #expect(await gateway.operate(.delete, "/admin/authorize/\(id)").string("status") == "cancelled")
            #expect(await gateway.operate(.get, "/admin/authorize/\(id)").string("status") == "cancelled")
        }
    }

    @Test func `a wait for it ends at shutdown`() async throws {
        try await withGateway(authorized: false) { gateway in
            let id = try #require(await gateway.operate(.post, "/admin/authorize").string("id"))
            let waiting = Task {
                await gateway.operate(.get, "/admin/authorize/\(id)", fields: [HTTPField("prefer", "wait=300")])
            }
            await gateway.clock.untilSleeping(2)
            await gateway.responder.drain()
            #expect(await waiting.value.string("status") == "waiting")
        }
    }

    @Test func `a second one cancels the first`() async throws {
        try await withGateway(authorized: false) { gateway in
            let first = try #require(await gateway.operate(.post, "/admin/authorize").string("id"))
            _ = await gateway.operate(.post, "/admin/authorize")
            #expect(await gateway.operate(.get, "/admin/authorize/\(first)").string("status") == "cancelled")
        }
    }

    @Test func `its link is opened at once, and again when that is wanted`() async throws {
        let (links, link) = AsyncStream<String>.makeStream()
        try await withGateway(
            .init(open: { url in
                link.yield(url)
                return true
            }), authorized: false
        ) { gateway in
            let begun = await gateway.operate(.post, "/admin/authorize")
            let id = try #require(begun.string("id"))
            var opened = links.makeAsyncIterator()
            #expect(await opened.next() == begun.string("url"))
            let again = await gateway.operate(.post, "/admin/authorize/\(id)/retry")
            #expect(again.status == 200)
            #expect(again.string("status") == "waiting")
            #expect(again.json["open_error"]?.isNull == true)
            #expect(again.json["download_url"]?.isNull == true)
            #expect(await opened.next() == begun.string("url"))
        }
    }

    @Test func `a link that cannot be opened is told, and the authorization goes on`() async throws {
        try await withGateway(.init(open: { _ in false }), authorized: false) { gateway in
            let id = try #require(await gateway.operate(.post, "/admin/authorize").string("id"))
            var answer = await gateway.operate(.get, "/admin/authorize/\(id)")
            while answer.json["open_error"]?.isNull == true {
                await Task.yield()
                answer = await gateway.operate(.get, "/admin/authorize/\(id)")
            }
            #expect(answer.string("open_error") == "not_installed")
            #expect(answer.string("download_url") == "https://mimikey.example/download")
            #expect(answer.string("status") == "waiting")
        }
    }

    @Test func `one that nobody is waited for cannot be reopened`() async throws {
        let opened = EventCount()
        try await withGateway(.init(open: { _ in opened.add() }), authorized: false) { gateway in
            let id = try #require(await gateway.operate(.post, "/admin/authorize").string("id"))
            _ = await gateway.operate(.delete, "/admin/authorize/\(id)")
            let refused = await gateway.operate(.post, "/admin/authorize/\(id)/retry")
            #expect(refused.status == 409)
            #expect(refused.error == "nothing_pending")
            #expect(await gateway.operate(.post, "/admin/authorize/auth_none/retry").status == 404)
        }
        #expect(opened.count <= 1)
    }

    @Test func `an unknown one is 404`() async throws {
        try await withGateway { gateway in
            #expect(await gateway.operate(.get, "/admin/authorize/au_none").status == 404)
            #expect(await gateway.operate(.delete, "/admin/authorize/au_none").status == 404)
        }
    }

    @Test func `the grant is shown without a token`() async throws {
        try await withGateway { gateway in
            let answer = await gateway.operate(.get, "/admin/grant")
            let json = answer.json
            #expect(json["authorized"]?.bool == true)
            #expect(json["state"]?.string == "active")
            #expect(json["grant_id"]?.string == "gr_test")
            #expect(json["approval_key_fingerprint"]?.string?.utf8.count == 64)
            #expect(json["vaults"]?.elements.first?["name"]?.string == "Personal")
            #expect(!answer.text.contains("canary"))
        }
    }

    @Test func `no grant is a state of its own`() async throws {
        try await withGateway(authorized: false) { gateway in
            let json = await gateway.operate(.get, "/admin/grant").json
            #expect(json["authorized"]?.bool == false)
            #expect(json["state"]?.string == "none")
            #expect(json["grant_id"]?.isNull == true)
        }
    }
}

struct CallbackTests {
    @Test(arguments: [
        "/callback", "/callback?", "/callback?code=canary", "/callback?state=canary",
        "/callback?state=canary&code=canary",
        "/callback?state=a&state=b&code=canary", "/callback?state=%zz", "/callback?state=%00",
    ])
    func `a callback that nothing waits for is a page that repeats nothing`(target: String) async throws {
        try await withGateway { gateway in
            let answer = await gateway.send(.get, target, token: nil)
            #expect(answer.status == 400)
            #expect(answer.fields.text("content-type") == "text/html; charset=utf-8")
            #expect(answer.fields.text("referrer-policy") == "no-referrer")
            #expect(answer.text.contains("This login is over, start again."))
            #expect(!answer.text.contains("canary"))
            #expect(!gateway.logText.contains("canary"))
        }
    }

    @Test func `a denied consent is a page of 200 and a denied authorization`() async throws {
        try await withGateway(authorized: false) { gateway in
            let begun = await gateway.operate(.post, "/admin/authorize")
            let id = try #require(begun.string("id"))
            let url = try #require(begun.string("url"))
            let state = try #require(url.split(separator: "&").first { $0.hasPrefix("state=") }?.dropFirst(6))
            let page = await gateway.send(.get, "/callback?error=access_denied&state=\(state)", token: nil)
            #expect(page.status == 200)
            #expect(await gateway.operate(.get, "/admin/authorize/\(id)").string("status") == "denied")
            let again = await gateway.send(.get, "/callback?error=access_denied&state=\(state)", token: nil)
            #expect(again.status == 400)
        }
    }
}

/// Counts, and says that it worked.
private final class EventCount: Sendable {
    private let number = Mutex(0)
    var count: Int { number.withLock { $0 } }
    func add() -> Bool {
        number.withLock { $0 += 1 }
        return true
    }
}

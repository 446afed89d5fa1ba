import Core
import Strongbox
import TestSupport
import Testing

@testable import Gateway

/// What a browser can bring about by going somewhere.
struct NavigationTests {
    private static let navigation = [
        HTTPField("sec-fetch-site", "cross-site"), HTTPField("sec-fetch-mode", "navigate"),
        HTTPField("sec-fetch-dest", "document"), HTTPField("sec-fetch-user", "?1"),
    ]

    private static func state(of authorization: Answer) throws -> Substring {
        let url = try #require(authorization.string("url"))
        return try #require(url.split(separator: "&").first { $0.hasPrefix("state=") }?.dropFirst(6))
    }

    @Test func `BR-20 only the callback can be navigated to from elsewhere, and its state protects it`() async throws {
        try await withGateway(authorized: false) { gateway in
            let begun = await gateway.operate(.post, "/admin/authorize")
            let id = try #require(begun.string("id"))
            let state = try Self.state(of: begun)
            func status() async -> String? { await gateway.operate(.get, "/admin/authorize/\(id)").string("status") }
            for path in Set(Routes.all.map(\.concretePath)).sorted() {
                let answer = await gateway.send(.get, path, fields: Self.navigation)
                #expect((answer.status != 403) == (path == "/callback"), "\(path)")
            }
            for query in [
                "error=access_denied", "state=&error=access_denied", "state=x&error=access_denied",
                "state=\(state.dropLast())&error=access_denied", "state=\(state)x&error=access_denied",
                "state=\(state)&state=\(state)&error=access_denied", "State=\(state)&error=access_denied",
            ] {
                let answer = await gateway.send(.get, "/callback?\(query)", token: nil, fields: Self.navigation)
                #expect(answer.status == 400, "\(query)")
                #expect(await status() == "waiting", "\(query)")
            }
            let right = "/callback?state=\(state)&error=access_denied"
            // A frame, an image or a script is no navigation.
            for (mode, destination) in [("navigate", "iframe"), ("no-cors", "image"), ("cors", "empty")] {
                let fields = [
                    HTTPField("sec-fetch-site", "cross-site"), HTTPField("sec-fetch-mode", mode),
                    HTTPField("sec-fetch-dest", destination),
                ]
                #expect(await gateway.send(.get, right, token: nil, fields: fields).status == 403)
            }
            #expect(await gateway.send(.post, right, token: nil, fields: Self.navigation).status == 405)
            #expect(await status() == "waiting")
            #expect(await gateway.send(.get, right, token: nil, fields: Self.navigation).status == 200)
            #expect(await status() == "denied")
        }
    }

    @Test func `BR-09 no GET, HEAD or OPTIONS changes anything, but the callback and a delivery`() async throws {
        try await withGateway { gateway in
            let id = try #require(await gateway.ask().string("id"))
            let begun = await gateway.operate(.post, "/admin/authorize")
            let authorization = try #require(begun.string("id"))
            let state = try Self.state(of: begun)
            let before = gateway.mimiKey.calls
            for route in Routes.all {
                let path = route.path.replacing("{id}", with: route.audience == .owner ? authorization : id)
                for method in [HTTPMethod.get, .head, .options] {
                    for body in [nil, #"{"op":"pick_item"}"#] {
                        _ = await gateway.send(method, path, body: body)
                        _ = await gateway.operate(method, path)
                    }
                }
            }
            for method in [HTTPMethod.head, .options] {
                _ = await gateway.send(method, "/callback?state=\(state)&error=access_denied", token: nil)
            }
            // Whose account it is, MimiKey is asked each time, and that changes nothing.
            #expect(gateway.mimiKey.calls.filter { $0 != "GET /api/oauth/account" } == before)
            #expect(gateway.mimiKey.cards.count == 1)
            #expect(await gateway.look(id).state == "pending")
            #expect(try await gateway.store.openAsks().count == 1)
            let status = await gateway.operate(.get, "/admin/authorize/\(authorization)").string("status")
            #expect(status == "waiting")

            // The exceptions. A callback ends what waits for it:
            _ = await gateway.send(.get, "/callback?state=\(state)&error=access_denied", token: nil)
            let ended = await gateway.operate(.get, "/admin/authorize/\(authorization)").string("status")
            #expect(ended == "denied")
            // and a delivery by GET starts the 60 s, which HEAD and an answer that was lost do not.
            gateway.mimiKey.approve()
            await gateway.poll()
            _ = await gateway.look(id, wait: 20, method: .head)
            #expect(await gateway.look(id, delivered: false).string("result_state") == "held")
            gateway.clock.advance(by: .seconds(61))
            #expect(await gateway.look(id).string("result_state") == "held")
            // Pruning, ten minutes after completion, one minute after delivery.
            await gateway.clock.untilSleepers { $0.contains(.seconds(60)) }
            gateway.clock.advance(by: .seconds(60))
            #expect(await gateway.look(id).string("result_state") == "released")
        }
    }
}

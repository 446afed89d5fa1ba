import Core
import Foundation
import TestSupport
import Testing

/// The whole memory of a gateway that has done its work, read from outside. Takes root: others are refused, see SE-05.
@Suite(.timeLimit(.minutes(5)), .enabled(if: getuid() == 0, "only root may read the memory of the gateway"))
struct MemoryMatrixTests {
    @Test func `what was delivered, used or replaced is nowhere in the gateway's memory`() async throws {
        let stage = try await Stage(person: "after=0s", open: 10, fields: "all", manners: .polite)
        var values: [Canary] = []
        for number in 0..<8 {
            let url = "https://canary-\(number).example.com"
            values += try await stage.addItem(url: url)
            let record = try await stage.ask(wait: 20, body: #"{"op":"pick_item","hint":{"url":"\#(url)"}}"#).record
            #expect(record?["one_time_code"]?.string != nil && record?["password"]?.string != nil)
            // The next ask refreshes the token.
            if number == 3 { try await stage.control("access-tokens/expire") }
        }
        _ = try await stage.home.curl("-H", "Authorization: Bearer \(stage.token)x", stage.url("/v1/whoami"))
        // A connection that is kept, and idle.
        let kept = try await RawSocket.connect(port: stage.port)
        let field = "Host: 127.0.0.1:\(stage.port)\r\nAuthorization: Bearer \(stage.token)\r\n\r\n"
        try await kept.send("GET /v1/whoami HTTP/1.1\r\n\(field)")
        _ = try await kept.receive(through: #""caller":"agent""#)
        // The answers are delivered and the callers that took them have gone; those to MimiKey are still open.
        let secrets = try await stage.secrets()
        #expect(secrets.spent.count == 4 && secrets.liveAccessToken.count == 1 && secrets.keys.count == 3)

        var gone = Search(secrets.spent + values + [secrets.callerToken])
        var used = Search(secrets.liveAccessToken + secrets.liveRefreshToken + secrets.keys)
        let regions = try await ProcessMemory.regions(of: stage.gateway.processID)
        for region in regions {
            gone.add(region.bytes, region.name)
            used.add(region.bytes, region.name)
        }
        let left = await gone.found()
        #expect(left.isEmpty, "\(left.joined(separator: "\n"))")
        // What is in use is in locked memory alone, and as it is: not encoded, not in a buffer.
        let locked = regions.filter(\.isLocked).map(\.name)
        let places = await used.found()
        for line in places {
            #expect(locked.contains { line.hasSuffix(" in \($0)") } && !line.contains("in base64"), "\(line)")
        }
        let whole = places.filter { $0.contains("as it is") }
        #expect(whole.count(where: { $0.hasPrefix("access token") }) == 1, "\(whole)")
        #expect(whole.count(where: { $0.hasPrefix("refresh token") }) == 1, "\(whole)")
        #expect(whole.count == 5, "\(whole)")
        print(
            "memory: \(gone.bytes) bytes in \(gone.places) places, "
                + "\(gone.canaries.count + used.canaries.count) canaries, \(gone.forms + used.forms) forms")
        kept.close()
        await stage.end()
    }
}

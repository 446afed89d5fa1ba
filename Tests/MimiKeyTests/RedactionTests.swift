import Strongbox
import Testing

@testable import MimiKey

struct RedactionTests {
    @Test func `SE-03 the secrets of an authorization print nothing`() {
        let secrets = AuthorizationSecrets()
        var dumped = ""
        dump(secrets, to: &dumped)
        let flow = AuthorizationFlow.Phase.waiting(secrets)
        var dumpedFlow = ""
        dump(flow, to: &dumpedFlow)
        let verifier = String(decoding: secrets.verifier.exposed(), as: UTF8.self)
        for text in ["\(secrets)", String(reflecting: secrets), dumped, "\(flow)", dumpedFlow] {
            #expect(text.contains("<redacted>"))
            #expect(!text.contains(verifier) && !text.contains("verifier"))
        }
        #expect(Mirror(reflecting: secrets).children.isEmpty)
        #expect(!(secrets as Any is any Encodable))
    }
}

import Core
import Foundation
import Testing

@testable import CLI

@Suite struct ExitStatusTableTests {
    @Test(arguments: [
        (ErrorCode.denied, CLI.ExitStatus.denied), (ErrorCode("access_denied"), .denied), (.expired, .expired),
        (.notAuthorized, .notAuthorized), (.revoked, .notAuthorized), (.refreshUnknown, .notAuthorized),
        (ErrorCode("grant_revoked"), .notAuthorized), (.tooManyPending, .limit),
        (ErrorCode("too_many_requests"), .limit),
        (ErrorCode("configuration"), .configuration), (ErrorCode("key_missing"), .configuration),
        (ErrorCode("state_in_use"), .configuration), (.upstreamCertificate, .configuration),
        (.upstreamTLS, .configuration), (.cancelled, .cancelled), (.grantReplaced, .cancelled),
        (.policyDenied, .policy), (.policyDeniedOnItem, .policy), (.unauthorized, .policy), (.internalError, .failure),
        (ErrorCode("cooling_down"), .limit), (ErrorCode("too_soon"), .limit), (ErrorCode("trust_not_allowed"), .policy),
        (ErrorCode("no_granted_vault"), .notAuthorized), (ErrorCode("revoke_unconfirmed"), .failure),
        (.conflict, .failure), (ErrorCode("a_newer_code"), .failure),
    ])
    func `UI-03 a code has its exit status`(code: ErrorCode, status: CLI.ExitStatus) {
        #expect(CLI.ExitStatus(of: code) == status)
    }

    @Test func `only what the person decided is called denied`() {
        let denied = ErrorCatalogue.entries.keys.filter { CLI.ExitStatus(of: $0) == .denied }
        #expect(Set(denied.map(\.rawValue)) == ["denied", "access_denied"])
    }
}

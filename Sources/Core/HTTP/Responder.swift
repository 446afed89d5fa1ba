/// Answers requests: the seam between what listens and what the product does.
///
/// The task in which `respond` runs is cancelled when the peer hangs up; the answer is then still written if it can be.
package protocol Responder: Sendable {
    func respond(to request: HTTPRequest) async -> HTTPResponse
}

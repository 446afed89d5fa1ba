import Core

extension RouteContext {
    /// The longest body of a JSON route, in bytes: MimiKey's own limit.
    static let longestBody = 400_000

    /// How long `Prefer: wait=N` asks to hold the answer, cut to `longest`; `nil` when it does not ask.
    func wait(longest: Duration) throws(Problem) -> Duration? {
        guard let seconds = try Preference.wait(in: request.head.fields) else { return nil }
        return min(.seconds(seconds), longest)
    }

    /// The body, when it is announced as JSON and not too long. Nothing of it is read before that is known.
    func jsonBody() async throws(Problem) -> [UInt8] {
        let fields = request.head.fields
        guard fields.count("content-type") == 1, let type = fields.text("content-type"), MediaType.isJSON(type) else {
            throw Problem(
                .unsupportedMediaType, "Send JSON with `Content-Type: application/json`; `curl --json` does that.")
        }
        guard !fields.contains("content-encoding") else {
            throw Problem(.unsupportedMediaType, "Send the body as it is, without a Content-Encoding.")
        }
        do throws(RequestBodyError) {
            return try await request.body.collect(upTo: Self.longestBody)
        } catch {
            switch error {
            case .tooLarge(let limit): throw Problem(.contentTooLarge, "A body has at most \(limit) bytes.")
            case .broken: throw Problem(.requestTimeout, "The body did not come to its end.")
            }
        }
    }
}

extension HTTPResponse {
    /// Says that the wait that was asked for was applied.
    func applying(_ wait: Duration?) -> HTTPResponse {
        guard let wait else { return self }
        var response = self
        response.fields.append("preference-applied", "wait=\(wait.components.seconds)")
        return response
    }
}

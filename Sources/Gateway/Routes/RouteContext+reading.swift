import Core

extension RouteContext {
    /// The longest body of a JSON route, in bytes: MimiKey's own limit.
    static let longestBody = 400_000

    /// How long `Prefer: wait=N` asks to hold the answer, cut to `longest`; `nil` when it does not ask.
    func wait(longest: Duration) throws(Problem) -> Duration? {
        guard let seconds = try Preference.wait(in: request.head.fields) else { return nil }
        return min(.seconds(seconds), longest)
    }

    /// Members of the query that can be `true` or `false`. Nothing else may stand in it.
    func flags(_ names: String...) throws(Problem) -> [String: Bool] {
        guard let query = QueryString(parsing: request.head.query ?? "") else {
            throw Problem(.invalidRequest, "The query cannot be read.")
        }
        let known = names.map { "`\($0)`" }.joined(separator: " and ")
        var flags: [String: Bool] = [:]
        for (name, value) in query.pairs {
            guard names.contains(name), flags[name] == nil else {
                throw Problem(.invalidRequest, "The query can have \(known), each once, and nothing else.")
            }
            guard let flag = Bool(value) else { throw Problem(.invalidRequest, "\(known) can be `true` or `false`.") }
            flags[name] = flag
        }
        return flags
    }

    /// A body that is a JSON object with these members at most; `nil` when there is no body.
    func optionalJSONObject(of what: String, members: Set<String>) async throws(Problem) -> JSONValue? {
        if case .none = request.body.framing { return nil }
        let document: JSONDocument
        let bytes = try await jsonBody()
        do throws(JSONError) { document = try JSONDocument(bytes) } catch {
            throw Problem(error.code, "\(error.detail) It is at byte \(error.offset).")
        }
        guard document.root.kind == .object else { throw Problem(.invalidJSON, "The body must be a JSON object.") }
        for member in document.root.members where !members.contains(member.name) {
            let known = members.sorted().map { "`\($0)`" }.joined(separator: ", ")
            let all = known.isEmpty ? "no member" : "\(known) and nothing else"
            throw Problem(.unknownMember, "\(what) can have \(all).")
        }
        return document.root
    }

    /// Of a route that says everything by its path: no body, or `{}`.
    func noBody() async throws(Problem) {
        _ = try await optionalJSONObject(of: "The body of this route", members: [])
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

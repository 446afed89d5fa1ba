import Core

/// One call as it came: what the world decides on.
struct APICall: Sendable {
    let method: HTTPMethod
    /// As sent on the request line, never decoded, without the query.
    let path: String
    var query: String?
    var fields: HTTPFields = HTTPFields()
    var body: [UInt8] = []
}

/// What is answered.
struct Reply: Hashable, Sendable {
    enum Body: Hashable, Sendable {
        case json(JSON)
        case text(String)
        case html(String)
    }

    let status: Int
    var body: Body
    /// Beside those that every answer has.
    var fields = HTTPFields()

    init(status: Int = 200, _ json: JSON) {
        self.status = status
        body = .json(json)
    }

    init(status: Int = 200, text: String) {
        self.status = status
        body = .text(text)
    }

    init(status: Int = 200, html: String) {
        self.status = status
        body = .html(html)
    }

    init(_ refusal: Refusal) {
        status = refusal.status
        switch refusal.body {
        case .code(let code): body = .json(["error": .string(code)])
        case .plain(let text): body = .text(text)
        }
    }

    /// The error code, when it is an error with one.
    var code: String? {
        guard case .json(.object(let members)) = body, case .string(let code)? = members["error"] else { return nil }
        return code
    }

    /// With another JSON body, where there is one.
    func shaped(_ shape: (JSON) -> JSON) -> Reply {
        guard case .json(let json) = body else { return self }
        var reply = self
        reply.body = .json(shape(json))
        return reply
    }
}

extension APICall {
    /// The body of a signed call: an object, or `invalid_input`.
    func signedBody() throws(Refusal) -> JSONValue {
        guard let document = try? JSONDocument(body), document.root.kind == .object else { throw .invalidInput }
        return document.root
    }

    /// The body where a fixed structure is parsed: plain-text 415, 400 and 422.
    func structuredBody() throws(Refusal) -> JSONValue {
        let mediaType = fields.text("content-type")?.split(separator: ";").first.map(String.init) ?? ""
        let name = String(decoding: mediaType.utf8.filter { $0 != 0x20 && $0 != 0x09 }, as: UTF8.self)
        guard name.lowercased() == "application/json" else { throw .noJSONContentType }
        guard let document = try? JSONDocument(body) else { throw .malformedJSON }
        guard document.root.kind == .object else { throw .wrongStructure }
        return document.root
    }
}

extension JSONValue {
    /// The text of a member; `nil` when it is absent or null. Anything else is refused so.
    func text(_ name: String, orRefuse refusal: Refusal) throws(Refusal) -> String? {
        guard let value = self[name], !value.isNull else { return nil }
        guard let text = value.string else { throw refusal }
        return text
    }
}

extension [JSON.Member] {
    subscript(name: String) -> JSON? { first { $0.name == name }?.value }
}

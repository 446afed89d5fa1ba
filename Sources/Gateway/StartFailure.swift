package import Core

/// Why the gateway did not start: one sentence, and how to mend it.
package struct StartFailure: Error, Sendable {
    package let code: ErrorCode
    package let detail: String
    package let hint: String?

    package init(code: ErrorCode, detail: String, hint: String?) {
        self.code = code
        self.detail = detail
        self.hint = hint
    }
}

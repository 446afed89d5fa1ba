/// The request target (RFC 9112, section 3.2) as it stood on the request line, checked and cut but never decoded.
///
/// `path` and `query` are ASCII: no space, control character, `#` or `\`, and every `%` is followed by two hex digits.
package enum RequestTarget: Hashable, Sendable {
    /// `/path?query`; `path` starts with `/`. For an absolute-form target the codec checks scheme and authority and
    /// hands on the origin form.
    case origin(path: String, query: String?)
    /// `host:port`, of CONNECT.
    case authority(String)
    /// `*`, of OPTIONS.
    case asterisk
}

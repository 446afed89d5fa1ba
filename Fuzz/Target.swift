/// A request target, with each method: what is let through is written again as it stood, and holds only what may stand
/// on a request line.
func checkTarget(_ bytes: [UInt8]) {
    for method in [HTTPMethod.get, .options, .connect] {
        guard let read = Cost.bounded({ try? HTTP1Target(bytes, method: method) }) else { continue }
        let encoded = require(
            HTTP1Encoder.encode(RequestHead(method: method, target: read.target)), "the target cannot be written")
        let line = Array(encoded.dropLast(4))
        let again = require(try? HTTP1RequestLine(line.span), "what is written again is refused")
        require(again.target.target == read.target, "what is written again is read otherwise")
        require(again.method == method, "the method has changed")
        switch read.target {
        case .origin(let path, let query):
            require(path.utf8.first == UInt8(ascii: "/"), "a path does not begin with a slash")
            require(!path.utf8.contains(UInt8(ascii: "?")), "a path holds a question mark")
            let written = Array((path + (query.map { "?\($0)" } ?? "")).utf8)
            require(written.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "a target holds a byte that may not stand there")
            require(!written.contains(UInt8(ascii: "#")), "a target holds a fragment")
            let isRaw = written == bytes || (read.authority != nil && bytes.suffix(written.count) == written)
            let isBare = read.authority != nil && (path == "/" && !bytes.contains { $0 == UInt8(ascii: "?") })
            let hasNoPath = read.authority != nil && path == "/" && bytes.suffix(written.count - 1) == written[1...]
            require(isRaw || isBare || hasNoPath, "a target is not kept as it stood")
            require((read.authority == nil) == (bytes.first == UInt8(ascii: "/")), "an authority is made up")
        case .authority(let authority):
            require(method == .connect, "\(method) takes an authority")
            require(Authority(authority.utf8)?.port != nil, "CONNECT goes to no port")
        case .asterisk: require(method == .options, "\(method) takes an asterisk")
        }
    }
}

/// Origins and the hosts of URLs: described, they read back as the same, and both readers see one host.
func checkURL(_ bytes: [UInt8]) {
    guard let text = String(validating: bytes, as: UTF8.self) else { return }
    let origin = Cost.bounded { Origin(text) }
    let name = Cost.bounded { HostName(ofURL: text) }
    if let origin {
        require(Origin(origin.description) == origin, "\(origin) reads back as another origin")
        require(Origin("\(origin)/") == origin, "a slash at the end changes \(origin)")
        let bare = Origin(scheme: origin.scheme, host: origin.host, port: origin.scheme.defaultPort)
        let host = origin.host.contains(":") ? "[\(origin.host)]" : origin.host
        require(Origin("\(origin.scheme)://\(host)") == bare, "a port that is left out is not the scheme's")
        require(origin.port != 0, "port 0 is an origin's")
        require(Authority(origin.authority.utf8)?.host == origin.host, "the host field names another host")
        require(name == HostName(origin.host), "two readers see two hosts")
    }
    if let name {
        for path in ["", "/", "/a@b", "?c=@d", "#e"] {
            let host = name.rawValue.contains(":") ? "[\(name)]" : "\(name)"
            require(HostName(ofURL: "https://\(host)\(path)") == name, "\(name) is not found in a URL again")
        }
    }
}

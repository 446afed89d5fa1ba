import Glibc

/// Hosts, addresses and ports: what is accepted is described in a way that reads back as the same, and an IP address is
/// what the C library says it is.
func checkAddress(_ bytes: [UInt8]) {
    if let authority = Cost.bounded({ Authority(bytes) }) {
        require(Authority(authority.description.utf8) == authority, "\(authority) reads back as another authority")
        require(authority.host == authority.host.lowercased(), "a host is not in lower case")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else { return }
    let address = Cost.bounded { IPAddress(text) }
    require(address == systemAddress(text), "the C library reads another address")
    if let address { require(IPAddress(address.description) == address, "\(address) reads back as another address") }
    if let address = TCPAddress(text) {
        require(TCPAddress(address.description) == address, "\(address) reads back as another address")
    }
    if let name = HostName(text) {
        require(HostName(name.description) == name, "\(name) reads back as another host")
    }
}

private func systemAddress(_ text: String) -> IPAddress? {
    guard !text.utf8.contains(0) else { return nil }
    var v4 = [UInt8](repeating: 0, count: 4)
    if inet_pton(AF_INET, text, &v4) == 1 { return .v4(v4) }
    var v6 = [UInt8](repeating: 0, count: 16)
    return inet_pton(AF_INET6, text, &v6) == 1 ? .v6(v6) : nil
}

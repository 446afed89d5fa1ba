import CPSL

/// What somebody registers with a registry: `example.co.uk`, for `www.example.co.uk` as for itself. Two hosts with the same
/// one belong together.
///
/// The public suffix list is the one that libpsl was built with: no file is read.
package struct RegistrableDomain: Hashable, Sendable {
    package let name: String

    /// `nil` for what has none: an IP literal, a public suffix itself, a single label, what is no host name.
    package init?(of host: String) {
        var host = Substring(host.lowercased())
        if host.last == "." { host.removeLast() }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        guard host.utf8.count <= 253, labels.count > 1, labels.allSatisfy({ (1...63).contains($0.utf8.count) }),
            host.unicodeScalars.allSatisfy(RegistrableDomain.mayStandInName), let last = labels.last,
            !RegistrableDomain.isNumber(last), let list = psl_builtin()
        else { return nil }
        let name = String(host).withCString { psl_registrable_domain(list, $0).map { String(cString: $0) } }
        guard let name else { return nil }
        self.name = name
    }

    /// The colon of an address of six, its brackets, an end of text or a blank never do.
    private static func mayStandInName(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "0"..."9", "-", "_", ".": true
        default: scalar.value >= 0x80
        }
    }

    /// A host whose last label is a number is an IPv4 address, well written or not.
    private static func isNumber(_ label: Substring) -> Bool {
        if label.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { return true }
        guard label.hasPrefix("0x") else { return false }
        return label.dropFirst(2).allSatisfy(\.isHexDigit)
    }
}

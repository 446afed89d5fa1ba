import Core
import MimiKey
import Strongbox
import Transport

extension ConfigurationDecoder {
    mutating func mimiKeySettings(_ node: YAMLNode) -> MimiKeySettings? {
        let keys = mapping(
            node, "`mimikey`",
            allowed: [
                "origin", "client_id", "client_secret_file", "redirect_uri", "ca_file", "open", "poll_interval",
                "authorize_timeout",
                "download_url",
            ],
            required: ["origin", "client_id", "redirect_uri"])
        let origin = keys["origin"].flatMap { self.origin($0) }
        let clientID = keys["client_id"].flatMap { self.clientID($0) }
        let clientSecret = keys["client_secret_file"].flatMap { self.clientSecret($0) }
        let redirectURI = keys["redirect_uri"].flatMap { self.redirectURI($0) }
        let interval = keys["poll_interval"].flatMap { duration($0, "`poll_interval`", .seconds(2)...(.seconds(60))) }
        let timeout = keys["authorize_timeout"].flatMap {
            duration($0, "`authorize_timeout`", .seconds(30)...(.seconds(3600)))
        }
        let authorities = keys["ca_file"].flatMap { self.authorities($0) }
        if let origin, origin.scheme == .http, let file = keys["ca_file"] {
            report(file, "`ca_file` is for an `https` origin only", hint: "leave it out")
        }
        let open = keys["open"].map { arguments($0) } ?? []
        let downloadURL = keys["download_url"].flatMap { webURL($0, "`download_url`") }
        guard let origin, let clientID, let redirectURI else { return nil }
        return MimiKeySettings(
            client: MimiKeyConfiguration(
                origin: origin, clientID: clientID, clientSecret: clientSecret, redirectURI: redirectURI,
                pollInterval: interval ?? .seconds(2), authorizeTimeout: timeout ?? .seconds(600)),
            open: open, downloadURL: downloadURL, authorities: authorities)
    }

    private mutating func origin(_ node: YAMLNode) -> Origin? {
        guard let text = text(node, "`origin`") else { return nil }
        guard let origin = Origin(text) else {
            report(node, "`origin` is no origin", hint: "write a scheme and a host, such as `https://mimikey.example`")
            return nil
        }
        guard origin.scheme == .https || origin.isLoopbackLiteral else {
            report(
                node, "`http` is only for a loopback IP address",
                hint: "write `https`, or for a sandbox `http://127.0.0.1:7448`")
            return nil
        }
        return origin
    }

    /// A bundle of all public authorities has some 250 KB.
    private static let longestCAFile = 8 << 20

    /// The file is read here, so that whatever is wrong with it is told with its place.
    private mutating func authorities(_ node: YAMLNode) -> TLSAuthorities? {
        guard let path = path(node, "`ca_file`") else { return nil }
        let bytes: [UInt8]
        do throws(ConfigurationProblem) {
            bytes = try ConfigurationFile(path: path, limit: Self.longestCAFile, whenMissing: nil).bytes
        } catch {
            report(node, "`ca_file`: \(error.message)", hint: error.hint)
            return nil
        }
        guard bytes.count <= Self.longestCAFile else {
            report(node, "`ca_file` is larger than 8 MiB")
            return nil
        }
        do throws(TLSAuthorities.Unreadable) { return try TLSAuthorities(pem: bytes) } catch {
            switch error {
            case .noCertificate:
                report(node, "`ca_file` holds no certificate", hint: "PEM is read: `-----BEGIN CERTIFICATE-----`")
            case .damaged(let number): report(node, "certificate \(number) of `ca_file` cannot be read")
            }
            return nil
        }
    }

    private static let longestClientSecret = 4096

    /// Of a confidential client. Read here, as `ca_file` is; one newline at the end, which editors write, is not part of it.
    private mutating func clientSecret(_ node: YAMLNode) -> ClientSecret? {
        let what = "`client_secret_file`"
        guard let path = path(node, what) else { return nil }
        var bytes: [UInt8]
        do throws(ConfigurationProblem) {
            bytes = try ConfigurationFile(
                path: path, limit: Self.longestClientSecret, access: .secret,
                whenMissing: "MimiKey shows the secret when a confidential client is registered; a public one has none"
            ).bytes
        } catch {
            report(node, "\(what): \(error.message)", hint: error.hint)
            return nil
        }
        guard bytes.count <= Self.longestClientSecret else {
            report(node, "\(what): the file is larger than 4 KiB", hint: "it holds the secret and nothing else")
            return nil
        }
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        guard !bytes.isEmpty else {
            report(node, "\(what): the file is empty", hint: "a public client has no secret: leave the key out")
            return nil
        }
        guard bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            report(
                node, "\(what): a secret is visible ASCII characters, without a blank or a line break",
                hint: "it stands there alone, on one line")
            return nil
        }
        return ClientSecret(Secret(copying: bytes))
    }

    private mutating func clientID(_ node: YAMLNode) -> String? {
        guard let text = text(node, "`client_id`") else { return nil }
        guard text.utf8.count <= 200, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            report(
                node, "`client_id` is no client id",
                hint: "it looks like `pmc_…`; MimiKey shows it when a client is registered")
            return nil
        }
        return text
    }

    private mutating func redirectURI(_ node: YAMLNode) -> String? {
        guard let text = text(node, "`redirect_uri`") else { return nil }
        let hint = "write `http://127.0.0.1:7447/callback`, an https URL, or a scheme of your own"
        guard text.utf8.count <= 2000, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), !text.contains("#"),
            let colon = text.firstIndex(of: ":"), HTTPFieldName(text[..<colon].utf8) != nil
        else {
            report(node, "`redirect_uri` is no URL", hint: hint)
            return nil
        }
        if text.hasPrefix("http://") {
            let authority = text.dropFirst(7).prefix { $0 != "/" && $0 != "?" }
            guard let origin = Origin("http://" + authority), origin.isLoopbackLiteral else {
                report(node, "an `http` redirect URI must be on a loopback address", hint: hint)
                return nil
            }
        }
        return text
    }

    private mutating func webURL(_ node: YAMLNode, _ what: String) -> String? {
        guard let text = text(node, what) else { return nil }
        guard text.hasPrefix("https://"), text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), text.utf8.count <= 2000
        else {
            report(node, "\(what) must be an https URL")
            return nil
        }
        return text
    }

    private mutating func arguments(_ node: YAMLNode) -> [String] {
        let arguments = sequence(node, "`open`").compactMap { text($0, "an argument") }
        if arguments.isEmpty, problems.isEmpty {
            report(node, "`open` is empty", hint: "write `[xdg-open]`, or leave it out")
        }
        for (argument, element) in zip(arguments, sequence(node, "`open`")) where argument.utf8.contains(0) {
            report(element, "an argument cannot hold a NUL")
        }
        return arguments
    }
}

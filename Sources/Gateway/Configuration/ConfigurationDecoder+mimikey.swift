import Core
import MimiKey

extension ConfigurationDecoder {
    mutating func mimiKeySettings(_ node: YAMLNode) -> MimiKeySettings? {
        let keys = mapping(
            node, "`mimikey`",
            allowed: [
                "origin", "client_id", "redirect_uri", "open", "poll_interval", "authorize_timeout", "download_url",
            ],
            required: ["origin", "client_id", "redirect_uri"])
        let origin = keys["origin"].flatMap { self.origin($0) }
        let clientID = keys["client_id"].flatMap { self.clientID($0) }
        let redirectURI = keys["redirect_uri"].flatMap { self.redirectURI($0) }
        let interval = keys["poll_interval"].flatMap { duration($0, "`poll_interval`", .seconds(2)...(.seconds(60))) }
        let timeout = keys["authorize_timeout"].flatMap {
            duration($0, "`authorize_timeout`", .seconds(30)...(.seconds(3600)))
        }
        let open = keys["open"].map { arguments($0) } ?? []
        let downloadURL = keys["download_url"].flatMap { webURL($0, "`download_url`") }
        guard let origin, let clientID, let redirectURI else { return nil }
        return MimiKeySettings(
            client: MimiKeyConfiguration(
                origin: origin, clientID: clientID, redirectURI: redirectURI, pollInterval: interval ?? .seconds(2),
                authorizeTimeout: timeout ?? .seconds(600)),
            open: open, downloadURL: downloadURL)
    }

    private mutating func origin(_ node: YAMLNode) -> Origin? {
        guard let text = text(node, "`origin`") else { return nil }
        guard let origin = Origin(text) else {
            report(node, "`origin` is no origin", hint: "write a scheme and a host, such as `http://127.0.0.1:7448`")
            return nil
        }
        guard origin.scheme == .http else {
            report(
                node, "an `https` origin needs TLS, which this version does not have",
                hint: "it reaches a sandbox on this machine: `http://127.0.0.1:7448`")
            return nil
        }
        guard origin.isLoopbackLiteral else {
            report(node, "`http` is only for a loopback IP address", hint: "write `http://127.0.0.1:7448`")
            return nil
        }
        return origin
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

import Core

/// What a developer registers, in the order in which it is judged.
struct ClientRegistration: Sendable {
    let name: String
    let isConfidential: Bool
    let redirectURIs: [String]
    let sealKey: [UInt8]?

    init(_ body: JSONValue) throws(Refusal) {
        guard let name = body["name"]?.string, let type = body["client_type"]?.string,
            let uris = body["redirect_uris"], uris.kind == .array
        else { throw .wrongStructure }
        let redirectURIs = uris.elements.compactMap(\.string)
        guard redirectURIs.count == uris.elements.count else { throw .wrongStructure }
        let sealKey = try body.text("seal_public_key", orRefuse: .wrongStructure)
        let serviceKey = try body.text("service_public_key", orRefuse: .wrongStructure)

        guard serviceKey?.isEmpty ?? true else { throw .modeRetired }
        guard (1...100).contains(name.count) else { throw .invalidInput }
        guard type == "public" || type == "confidential" else { throw .invalidClientType }
        let kind: Client.Kind = type == "public" ? .public : .confidential(secret: "")
        guard RedirectRule.counts.contains(redirectURIs.count),
            redirectURIs.allSatisfy({ RedirectRule.permits($0, to: kind) })
        else { throw .invalidRedirectURIs }
        if let sealKey {
            guard let key = Wire.key(sealKey) else { throw .invalidPublicKey }
            self.sealKey = key
        } else {
            self.sealKey = nil
        }
        try ClientRegistration.check(platforms: body["platforms"])
        try ClientRegistration.check(brand: body["brand"])
        self.name = name
        isConfidential = type == "confidential"
        self.redirectURIs = redirectURIs
    }

    private static func check(platforms value: JSONValue?) throws(Refusal) {
        guard let value, !value.isNull else { return }
        guard value.kind == .array, value.elements.count <= 10 else { throw .invalidPlatforms }
        for element in value.elements {
            guard let name = element.string, (1...32).contains(name.utf8.count), name.utf8.allSatisfy(isPlatformByte)
            else { throw .invalidPlatforms }
        }
    }

    private static func isPlatformByte(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x5F || byte == 0x2D
    }

    /// `{"color"?,"icon_url"?,"homepage"?}`
    private static func check(brand value: JSONValue?) throws(Refusal) {
        guard let value, !value.isNull else { return }
        guard value.kind == .object else { throw .invalidBrand }
        if let color = try value.text("color", orRefuse: .invalidBrand) {
            guard color.utf8.count == 7, color.hasPrefix("#"), color.dropFirst().allSatisfy(\.isHexDigit),
                color.utf8.allSatisfy({ $0 < 0x80 })
            else { throw .invalidBrand }
        }
        if let icon = try value.text("icon_url", orRefuse: .invalidBrand) {
            guard isWebAddress(icon, schemes: ["https://"]) else { throw .invalidBrand }
        }
        if let homepage = try value.text("homepage", orRefuse: .invalidBrand) {
            guard isWebAddress(homepage, schemes: ["https://", "http://"]) else { throw .invalidBrand }
        }
    }

    private static func isWebAddress(_ text: String, schemes: [String]) -> Bool {
        text.utf8.count <= 2048 && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
            && schemes.contains { text.hasPrefix($0) && text.utf8.count > $0.utf8.count }
    }
}

/// base64url and hex: what is read is written and read again as the same, and every sequence of bytes goes through.
func checkBase64URL(_ bytes: [UInt8]) {
    require(Base64URL.decode(Base64URL.encode(bytes)) == bytes, "bytes do not come back from base64url")
    require(Hex.decode(Hex.encode(bytes)) == bytes, "bytes do not come back from hex")
    if let decoded = Cost.bounded({ Base64URL.decode(bytes) }) {
        let text = Array(Base64URL.encode(decoded).utf8)
        let digits = Array(bytes.prefix { $0 != UInt8(ascii: "=") })
        require(text.count == digits.count, "base64url is written in another length")
        require(text.dropLast() == digits.dropLast(), "base64url is written otherwise")
        require(bytes.count - digits.count <= 2, "there is too much padding")
    }
    if let text = String(validating: bytes, as: UTF8.self), let decoded = Hex.decode(text) {
        require(Hex.encode(decoded) == text.lowercased(), "hex is written otherwise")
    }
}

import Core
import Foundation
import Testing

/// Reads a file of `Vectors/`.
enum VectorFile {
    static func load<Contents: Decodable>(_ name: String, as type: Contents.Type = Contents.self) throws -> Contents {
        let url = try #require(Bundle.module.url(forResource: name, withExtension: "json", subdirectory: "Vectors"))
        return try JSONDecoder().decode(Contents.self, from: Data(contentsOf: url))
    }
}

extension String {
    /// The bytes of base64url.
    func base64URL() throws -> [UInt8] { try #require(Base64URL.decode(self)) }
    /// The bytes of hexadecimal digits.
    func hex() throws -> [UInt8] { try #require(Hex.decode(self)) }
}

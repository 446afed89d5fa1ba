import Core
import Strongbox
import Synchronization
import TestSupport
import Testing

@testable import MimiKey

/// What a client makes of a damaged or foreign box: always the same, and nothing of what is in it.
struct SealedResultTests {
    private static let canary = "canary-hunter2"
    private static let plaintext = Array(
        #"{"item":{"id":"it_1","revision":7,"record":{"password":"\#(canary)"}}}"#.utf8)

    private func sealed(
        _ plaintext: [UInt8] = plaintext, for house: House, _ id: String = "rq_1", grant: String = "gr_1"
    ) throws -> [UInt8] {
        try SealedBox.seal(
            plaintext, to: house.fake.state.withLock { $0.sealKey }, info: Wire.ResultBox.info,
            aad: Wire.ResultBox.aad(grantID: grant, requestID: id))
    }

    /// What comes of a box; `nil` when it opens.
    private func code(_ text: String, _ house: House) async -> ErrorCode? {
        let problem = await house.problem { try await house.client.open(text, of: "rq_1") }
        if let problem { #expect(!"\(problem)".contains(Self.canary)) }
        return problem?.code
    }

    private func code(_ box: [UInt8], _ house: House) async -> ErrorCode? {
        await code(Base64URL.encode(box), house)
    }

    @Test func `SB-01 one flipped bit in any byte is result_open_failed`() async throws {
        let house = try await House.authorized()
        let box = try sealed(for: house)
        #expect(await code(box, house) == nil)
        for position in box.indices {
            var damaged = box
            damaged[position] ^= 1 << UInt8(position % 8)
            // RFC 7748: the top bit of a point is not read; but the encapsulated key is bound as it came.
            #expect(await code(damaged, house) == .resultOpenFailed, "byte \(position)")
        }
    }

    @Test func `SB-01 a box that is cut anywhere is result_open_failed, and none is result_missing`() async throws {
        let house = try await House.authorized()
        let box = try sealed(for: house)
        for count in 1..<box.count { #expect(await code(Array(box.prefix(count)), house) == .resultOpenFailed) }
        for count in 1..<box.count { #expect(await code(Array(box.dropFirst(count)), house) == .resultOpenFailed) }
        #expect(await code("", house) == .resultMissing)
    }

    @Test func `SB-01 another box's ephemeral key, or another's private key, is result_open_failed`() async throws {
        let house = try await House.authorized()
        let first = try sealed(for: house)
        let second = try sealed(for: house)
        #expect(await code(Array(first.prefix(32)) + second.dropFirst(32), house) == .resultOpenFailed)
        let other = try await House.authorized()
        #expect(await code(first, other) == .resultOpenFailed)
    }

    /// The points whose shared secret everybody knows: zero, one, two of order 8, and p − 1, p, p + 1.
    private static let lowOrder = [
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
        "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    ]

    @Test(arguments: lowOrder)
    func `SB-01 an ephemeral key of low order is result_open_failed, and an identity key none`(
        _ point: String
    ) async throws {
        let house = try await House.authorized()
        let key = try #require(Hex.decode(point))
        #expect(await code(key + (try sealed(for: house)).dropFirst(32), house) == .resultOpenFailed)
        #expect(!SealedBox.isRecipient(key))
        var topBit = key
        topBit[31] |= 0x80
        #expect(await code(topBit + (try sealed(for: house)).dropFirst(32), house) == .resultOpenFailed)
        #expect(!SealedBox.isRecipient(topBit))
    }

    @Test func `SB-02 the result of another request, or of another grant, is result_open_failed`() async throws {
        let house = try await House.authorized()
        #expect(await code(try sealed(for: house, "rq_2"), house) == .resultOpenFailed)
        #expect(await code(try sealed(for: house, grant: "gr_2"), house) == .resultOpenFailed)
        // The line feed between them cannot be moved: no id holds one.
        #expect(await code(try sealed(for: house, "1\nrq_1", grant: "gr_"), house) == .resultOpenFailed)
    }

    @Test func `SB-04 padding may be there or not, and nothing else may`() async throws {
        let house = try await House.authorized()
        // Two bytes more than a multiple of three, so that padding belongs to it.
        var box = try sealed(for: house)
        var text = Self.plaintext
        while box.count % 3 != 2 {
            text.append(UInt8(ascii: " "))
            box = try sealed(text, for: house)
        }
        let encoded = Base64URL.encode(box)
        #expect(await code(encoded, house) == nil)
        #expect(await code(encoded + "=", house) == nil)
        for bad in [
            encoded + "==", encoded + "A=", "=" + encoded, encoded + " ", " " + encoded, encoded + "\n", encoded + "\0",
            String(encoded.prefix(40)) + "\n" + encoded.dropFirst(40), encoded + "AA", encoded + "é", encoded + "!",
        ] {
            #expect(await code(bad, house) == .resultOpenFailed, "\(bad.suffix(4))")
        }
    }

    @Test func `SB-04 the standard alphabet is not taken for the other one`() async throws {
        let house = try await House.authorized()
        var encoded = Base64URL.encode(try sealed(for: house))
        while !encoded.contains("-") || !encoded.contains("_") { encoded = Base64URL.encode(try sealed(for: house)) }
        let standard = String(encoded.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
        #expect(await code(standard, house) == .resultOpenFailed)
    }

    @Test(arguments: [
        Array(#"{"item":{"id":"it_1","revision":7,"record":{"password":"\#(canary)"#.utf8) + [0xFF]
            + Array(#""}}}"#.utf8),
        Array(#"{"item":{"id":"it_1","revision":7,"record":{"password":"\#(canary)"#.utf8) + [0] + Array(#""}}}"#.utf8),
        Array("\u{FEFF}".utf8) + plaintext, Array(canary.utf8), [], [0],
        Array(#"{"item":{"id":"it_1","revision":7,"record":{"password":"\#(canary)\ud800"}}}"#.utf8),
    ])
    func `SB-05 a plaintext that is no UTF-8, has a bare NUL or is no JSON is result_malformed`(
        _ plaintext: [UInt8]
    ) async throws {
        let house = try await House.authorized()
        let body = try await house.client.open(Base64URL.encode(sealed(plaintext, for: house)), of: "rq_1")
        do {
            _ = try ItemResult(reading: body)
            Issue.record("it was read")
        } catch {
            #expect(error.code == .resultMalformed)
            #expect(!"\(error)".contains(Self.canary))
        }
    }

    @Test func `SB-05 an escaped NUL is a character like others`() async throws {
        let house = try await House.authorized()
        let plaintext = Array(#"{"item":{"id":"it_1","revision":7,"record":{"password":"a\u0000b"}}}"#.utf8)
        let body = try await house.client.open(Base64URL.encode(sealed(plaintext, for: house)), of: "rq_1")
        #expect(try ItemResult(reading: body).names == ["password"])
    }

    @Test func `SB-05 a plaintext of 1 MiB is result_open_failed, without being opened`() async throws {
        let house = try await House.authorized()
        let plaintext = Array(#"{"item":"\#(String(repeating: "x", count: 1 << 20))"}"#.utf8)
        #expect(await code(try sealed(plaintext, for: house), house) == .resultOpenFailed)
    }
}

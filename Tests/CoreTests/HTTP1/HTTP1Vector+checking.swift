import Core
import TestSupport
import Testing

extension HTTP1Vector: CustomTestStringConvertible {
    package var testDescription: String { name }
}

extension HTTP1Vector {
    static let all: [HTTP1Vector] = {
        do { return try load() } catch {
            Issue.record("the vectors cannot be read: \(error)")
            return []
        }
    }()

    /// An empty list is a mistake in an id, so it is recorded as one.
    static func holding(_ id: String) -> [HTTP1Vector] {
        let found = all.filter { $0.ids.contains(id) }
        if found.isEmpty { Issue.record("no vector holds \(id)") }
        return found
    }

    /// What the decoder makes of the bytes when they come in these pieces.
    func outcome(_ pieces: [ArraySlice<UInt8>]) -> HTTP1Outcome {
        switch role {
        case .request: .request(pieces, closes: closes)
        case .response(let methods): .response(pieces, to: methods, closes: closes)
        }
    }

    /// Holds the file to its verdict, whole and split at every byte boundary and into single bytes.
    func check() {
        let whole = outcome([bytes[...]])
        switch whole.end {
        case .accepted: #expect(verdict == "accept", "\(name): \(whole.lines)")
        case .waiting: #expect(verdict == "wait", "\(name): \(whole.lines)")
        case .refused(let error):
            #expect(role == .request ? verdict == "\(error.status)" : verdict == "refuse", "\(name): \(error.detail)")
        }
        if let expected { #expect(whole.lines == expected, "\(name)") }
        for boundary in bytes.indices.dropFirst() {
            let split = outcome([bytes[..<boundary], bytes[boundary...]])
            #expect(split == whole, "\(name), split at \(boundary)")
        }
        #expect(outcome(bytes.indices.map { bytes[$0...$0] }) == whole, "\(name), byte by byte")
    }
}

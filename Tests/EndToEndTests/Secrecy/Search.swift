import Foundation
import Testing

/// Looks for canaries in what was collected, and counts what it has looked at.
///
/// It looks on a thread of its own: the other tests need theirs.
struct Search: Sendable {
    let canaries: [Canary]
    private var haystacks: [(place: String, bytes: [UInt8])] = []

    init(_ canaries: [Canary]) { self.canaries = canaries }

    var forms: Int { canaries.reduce(0) { $0 + $1.forms.count } }
    var places: Int { haystacks.count }
    var bytes: Int { haystacks.reduce(0) { $0 + $1.bytes.count } }

    // MARK: Collecting

    mutating func add(_ bytes: [UInt8], _ place: String) { haystacks.append((place, bytes)) }
    mutating func add(_ text: String, _ place: String) { add(Array(text.utf8), place) }

    /// Every regular file below the directory.
    mutating func add(filesOf directory: String, besides known: Set<String> = []) throws {
        let names = try #require(FileManager.default.enumerator(atPath: directory)).compactMap { $0 as? String }
        for name in names where !known.contains(name) {
            let path = directory + "/" + name
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            guard attributes?[.type] as? FileAttributeType == .typeRegular else { continue }
            if let contents = FileManager.default.contents(atPath: path) { add(Array(contents), name) }
        }
    }

    /// What a program was started with.
    mutating func add(startOf process: Int32, _ name: String) throws {
        // The environment is told to root alone.
        for file in getuid() == 0 ? ["cmdline", "environ"] : ["cmdline"] {
            let contents = try Procfs.bytes(file, of: process)
            #expect(!contents.isEmpty)
            add(contents, "\(file) of \(name)")
        }
    }

    // MARK: Looking

    /// Which canary was found, in which form, and where.
    func found() async -> [String] {
        await onOwnThread {
            let all = Haystack(haystacks.map(\.bytes))
            var found: [String] = []
            for canary in canaries where !all.forms(of: canary).isEmpty {
                for (place, bytes) in haystacks {
                    for form in Haystack([bytes]).forms(of: canary) {
                        found.append("\(canary.name), \(form), in \(place)")
                    }
                }
            }
            return found
        }
    }
}

/// Bytes to look in, as they are and without blanks and the ends of lines, where a text may have been broken.
private struct Haystack {
    private let whole: [UInt8]
    private let joined: [UInt8]
    /// Stands in no canary, and is not taken out.
    private static let border: [UInt8] = [0xFF, 0xFF]

    init(_ parts: [[UInt8]]) {
        var whole: [UInt8] = []
        for part in parts {
            whole += part
            whole += Self.border
        }
        self.whole = whole
        joined = [UInt8](unsafeUninitializedCapacity: whole.count) { buffer, count in
            whole.withUnsafeBytes { bytes in
                var index = 0
                while index < bytes.count {
                    if bytes[index] > 0x20 {
                        buffer[count] = bytes[index]
                        count += 1
                    }
                    index += 1
                }
            }
        }
    }

    func forms(of canary: Canary) -> [String] {
        var found = canary.forms.filter { Self.holds(whole, $0.bytes) }.map(\.name)
        if found.isEmpty, let plain = canary.forms.first, Self.holds(joined, plain.bytes) { found = ["over two lines"] }
        return found
    }

    private static func holds(_ haystack: [UInt8], _ needle: [UInt8]) -> Bool {
        haystack.withUnsafeBytes { haystack in
            needle.withUnsafeBytes { needle in
                memmem(haystack.baseAddress!, haystack.count, needle.baseAddress!, needle.count) != nil
            }
        }
    }
}

/// Work that takes long and waits for nothing.
func onOwnThread<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: work()) }
    }
}

/// A GNU function that the imported headers do not show.
@_silgen_name("memmem")
private func memmem(
    _ haystack: UnsafeRawPointer, _ haystackCount: Int, _ needle: UnsafeRawPointer, _ needleCount: Int
) -> UnsafeRawPointer?

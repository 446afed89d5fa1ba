import Foundation
import Testing

/// Looks for canaries, and counts what it has looked at.
final class Search {
    let canaries: [Canary]
    private(set) var places = 0
    private(set) var bytes = 0
    private(set) var found: [String] = []

    init(_ canaries: [Canary]) { self.canaries = canaries }

    var forms: Int { canaries.reduce(0) { $0 + $1.forms.count } }

    /// Also with the ends of lines and blanks taken out, as they stand where a text was broken.
    func look(at haystack: [UInt8], _ place: String) {
        places += 1
        bytes += haystack.count
        for canary in canaries {
            for form in canary.forms where count(of: form.bytes, in: haystack) > 0 {
                found.append("\(canary.name), \(form.name), in \(place)")
            }
        }
        let joined = haystack.filter { $0 > 0x20 }
        guard joined.count != haystack.count else { return }
        for canary in canaries {
            guard let plain = canary.forms.first, !plain.bytes.contains(where: { $0 <= 0x20 }) else { continue }
            if count(of: plain.bytes, in: joined) > count(of: plain.bytes, in: haystack) {
                found.append("\(canary.name), over two lines, in \(place)")
            }
        }
    }

    func look(at text: String, _ place: String) { look(at: Array(text.utf8), place) }

    /// Every regular file below the directory.
    func look(inFilesOf directory: String, besides known: Set<String> = []) throws {
        let names = try #require(FileManager.default.enumerator(atPath: directory)).compactMap { $0 as? String }
        for name in names where !known.contains(name) {
            let path = directory + "/" + name
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            guard attributes?[.type] as? FileAttributeType == .typeRegular else { continue }
            if let contents = FileManager.default.contents(atPath: path) { look(at: Array(contents), name) }
        }
    }

    /// What a program was started with.
    func look(atStartOf process: Int32, _ name: String) throws {
        // The environment is told to root alone.
        for file in getuid() == 0 ? ["cmdline", "environ"] : ["cmdline"] {
            let contents = try Procfs.bytes(file, of: process)
            #expect(!contents.isEmpty)
            look(at: contents, "\(file) of \(name)")
        }
    }

    private func count(of needle: [UInt8], in haystack: [UInt8]) -> Int {
        haystack.withUnsafeBytes { haystack in
            needle.withUnsafeBytes { needle in
                var rest = haystack[...]
                var count = 0
                while let start = UnsafeRawBufferPointer(rebasing: rest).baseAddress,
                    let hit = memmem(start, rest.count, needle.baseAddress!, needle.count)
                {
                    count += 1
                    rest = rest.dropFirst(hit - start + needle.count)
                }
                return count
            }
        }
    }
}

/// A GNU function that the imported headers do not show.
@_silgen_name("memmem")
private func memmem(
    _ haystack: UnsafeRawPointer, _ haystackCount: Int, _ needle: UnsafeRawPointer, _ needleCount: Int
) -> UnsafeRawPointer?

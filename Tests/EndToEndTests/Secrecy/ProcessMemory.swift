import Foundation

/// The memory of another process, from outside. Only root may look.
struct ProcessMemory {
    struct Region {
        let name: String
        /// Kept out of swap and of core dumps.
        let isLocked: Bool
        let bytes: [UInt8]
    }

    /// Whatever is mapped, may be read and is not just a file's contents; in pieces of at most 8 MiB that overlap.
    static func forEachRegion(of process: Int32, _ body: (Region) throws -> Void) throws {
        let descriptor = open("/proc/\(process)/mem", O_RDONLY)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EPERM) }
        defer { close(descriptor) }
        for mapping in try Mapping.all(of: process) where mapping.canHoldSecrets {
            var start = mapping.start
            while start < mapping.end {
                let count = min(mapping.end - start, piece + overlap)
                let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialised in
                    initialised = max(0, pread(descriptor, buffer.baseAddress, count, off_t(start)))
                }
                if bytes.contains(where: { $0 != 0 }) {
                    let name = "\(mapping.name) at \(String(start, radix: 16))"
                    try body(Region(name: name, isLocked: mapping.isLocked, bytes: bytes))
                }
                start += piece
            }
        }
    }

    private static let piece = 8 << 20
    private static let overlap = 4096
}

/// A line of `/proc/PID/smaps`, with its flags.
private struct Mapping {
    let start: Int
    let end: Int
    let name: String
    let canHoldSecrets: Bool
    var isLocked = false

    static func all(of process: Int32) throws -> [Mapping] {
        var mappings: [Mapping] = []
        for line in try Procfs.text("smaps", of: process).split(separator: "\n") {
            if let mapping = Mapping(line) {
                mappings.append(mapping)
            } else if line.hasPrefix("VmFlags:") {
                let flags = line.split(separator: " ")
                mappings[mappings.count - 1].isLocked = flags.contains("lo") && flags.contains("dd")
            }
        }
        return mappings
    }

    private init?(_ line: Substring) {
        let words = line.split(separator: " ", maxSplits: 5)
        let ends = words[0].split(separator: "-").compactMap { Int($0, radix: 16) }
        guard ends.count == 2, words.count >= 5 else { return nil }
        start = ends[0]
        end = ends[1]
        name = words.count > 5 ? String(words[5].drop { $0 == " " }) : "anonymous"
        let isOnlyFile = name.hasPrefix("/") && !words[1].contains("w")
        canHoldSecrets = words[1].hasPrefix("r") && !isOnlyFile && !name.hasPrefix("[v")
    }
}

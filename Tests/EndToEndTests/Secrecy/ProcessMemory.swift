import Foundation

/// The memory of another process, from outside. Only root may look.
struct ProcessMemory {
    struct Region {
        let name: String
        /// Kept out of swap and of core dumps.
        let isLocked: Bool
        let bytes: [UInt8]
    }

    /// Whatever is mapped, may be read and is not just a file's contents: each run of pages that are not all zero.
    static func regions(of process: Int32) async throws -> [Region] {
        try await onOwnThread { Result { try regionsHere(of: process) } }.get()
    }

    private static func regionsHere(of process: Int32) throws -> [Region] {
        let descriptor = open("/proc/\(process)/mem", O_RDONLY)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EPERM) }
        defer { close(descriptor) }
        let zeroes = [UInt8](repeating: 0, count: page)
        var regions: [Region] = []
        for mapping in try Mapping.all(of: process) where mapping.canHoldSecrets {
            var run: [UInt8] = []
            var buffer = zeroes
            for start in stride(from: mapping.start, to: mapping.end, by: page) {
                let isRead = pread(descriptor, &buffer, page, off_t(start)) == page
                let holdsSomething = isRead && memcmp(buffer, zeroes, page) != 0
                if holdsSomething { run += buffer }
                if !run.isEmpty, !holdsSomething || start + page >= mapping.end {
                    let name = "\(mapping.name), the run that ends at \(String(start, radix: 16))"
                    regions.append(Region(name: name, isLocked: mapping.isLocked, bytes: run))
                    run = []
                }
            }
        }
        return regions
    }

    private static let page = 4096
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

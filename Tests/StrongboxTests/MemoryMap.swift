import Foundation

/// What the kernel says about this process's memory.
enum MemoryMap {
    /// The `VmFlags` of the mapping that holds the address (see proc_pid_smaps(5)): `dd` is "not dumped", `lo` "locked".
    static func flags(of address: UInt) throws -> Set<String>? {
        // A file of /proc has no size, so that reading "the whole file" at once gives only its beginning.
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/self/smaps"))
        let lines = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self).split(separator: "\n")
        var isInside = false
        for line in lines {
            let words = line.split(separator: " ")
            let ends = words[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
            if ends.count == 2, !words[0].hasSuffix(":") { isInside = (ends[0]..<ends[1]).contains(address) }
            if isInside, words[0] == "VmFlags:" { return Set(words.dropFirst().map(String.init)) }
        }
        return nil
    }
}

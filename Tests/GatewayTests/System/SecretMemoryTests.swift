import Foundation
import Testing

@testable import Gateway

struct SecretMemoryTests {
    /// There is no unit of ours yet that could set it; who writes one is told.
    @Test func `SE-08 the documents tell what reaches swap and hibernation, and how to prevent it`() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../docs/secrets.md")
        let text = try String(contentsOf: file, encoding: .utf8)
        let section = try #require(text.components(separatedBy: "## Swap and hibernation").last)
        for phrase in ["`MemorySwapMax=0`", "`LimitMEMLOCK=`", "Hibernation writes all memory", "`memory_not_locked`"] {
            #expect(section.contains(phrase), "\(phrase)")
        }
        #expect(section.contains("4352 KiB") && SecretMemory.advice.contains("4352 KiB"))
    }
}

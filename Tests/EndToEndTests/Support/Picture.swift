/// A QR code that was drawn on a terminal with half blocks, read back into modules.
struct Picture {
    /// Rows of modules; `true` is dark.
    private(set) var rows: [[Bool]] = []

    /// `nil` when nothing was drawn.
    init?(in text: String) {
        for line in text.split(whereSeparator: \.isNewline) where line.contains("\u{1B}[97;40m") {
            let blocks = line.replacing("\u{1B}[97;40m", with: "").replacing("\u{1B}[0m", with: "")
            rows.append(blocks.map { $0 == " " || $0 == "▄" })
            rows.append(blocks.map { $0 == " " || $0 == "▀" })
        }
        if rows.isEmpty { return nil }
    }

    /// Does each of the three corners hold the mark that cameras look for, behind the light margin?
    var hasFinders: Bool {
        let finder = [0b1111111, 0b1000001, 0b1011101, 0b1011101, 0b1011101, 0b1000001, 0b1111111]
        guard let first = rows.firstIndex(where: { $0.contains(true) }), let row = rows.first else { return false }
        let left = rows[first].firstIndex(of: true) ?? 0
        let width = row.count - 2 * left
        return [(0, 0), (0, width - 7), (width - 7, 0)].allSatisfy { corner in
            finder.enumerated().allSatisfy { line, bits in
                (0..<7).allSatisfy { column in
                    rows[first + corner.0 + line][left + corner.1 + column] == (bits >> (6 - column) & 1 == 1)
                }
            }
        }
    }
}

extension QRCode {
    /// Light modules around the code: half of what the standard asks for, as is usual where room is short.
    private static let margin = 2

    /// Columns of a terminal that the picture takes.
    var columns: Int { width + 2 * Self.margin }

    /// The picture for a terminal, two rows of modules in a line. Its colours are its own, so that it is dark on light
    /// whatever the terminal's are.
    var halfBlocks: [String] {
        stride(from: -Self.margin, to: width + Self.margin, by: 2).map { row in
            let blocks = (-Self.margin..<width + Self.margin).map { column -> String in
                switch (isDark(row: row, column: column), isDark(row: row + 1, column: column)) {
                case (false, false): "█"
                case (false, true): "▀"
                case (true, false): "▄"
                case (true, true): " "
                }
            }
            // Bright white on black: a block is light.
            return "\u{1B}[97;40m\(blocks.joined())\u{1B}[0m"
        }
    }
}

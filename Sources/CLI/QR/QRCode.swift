import CQREncode

/// A text as a QR code: a square of dark and light modules, without its margin. The library picks the smallest version
/// that holds the text.
struct QRCode: Sendable {
    /// Modules in a row.
    let width: Int
    private let dark: [Bool]

    /// `nil` for a text that fits into no code, or none at all.
    init?(_ text: String) {
        guard !text.isEmpty, !text.utf8.contains(0),
            // What a screen shows has no scratches: the lowest correction makes the smallest code.
            let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_L)
        else { return nil }
        defer { QRcode_free(code) }
        let width = Int(code.pointee.width)
        self.width = width
        // The lowest bit of each byte is the module, the others tell what it is for.
        dark = (0..<width * width).map { code.pointee.data[$0] & 1 == 1 }
    }

    /// Outside of the square everything is light.
    func isDark(row: Int, column: Int) -> Bool {
        guard (0..<width).contains(row), (0..<width).contains(column) else { return false }
        return dark[row * width + column]
    }
}

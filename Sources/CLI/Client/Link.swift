/// A `mimikey://` link that the person has to open.
struct Link: Hashable, Sendable {
    let url: String

    /// As a code for a phone's camera, on standard error: where that is a terminal wide enough for it. The link itself
    /// has been said already.
    func draw() {
        guard Terminal.showsPictures, let code = QRCode(url), code.columns <= Terminal.columns ?? .max else { return }
        for line in code.halfBlocks { Output.note(line) }
    }
}

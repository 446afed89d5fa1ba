import Core
import Transport

/// A request that is being answered, and how far its body has been read.
struct Exchange {
    /// Counts the requests of a connection: a body that is kept after its exchange must not read the next one's.
    let number: Int
    let head: RequestHead
    /// `100 Continue` is owed to the client once the body is asked for.
    var owesContinue: Bool
    /// The last byte of the body was taken.
    var isOver = false
    /// Somebody waits for a piece.
    var isBeingRead = false
    /// The body broke; the server answers by itself.
    var failure: HTTP1DecodeError?
    /// Set when the body is first asked for.
    var bodyDeadline: Instant?
    /// Something of the body has come.
    var hasBodyBegun = false
    var pace: Pace
    /// A streamed answer failed, whether or not the one who writes it has noticed.
    var hasLostWriter = false
    var isBeingWritten = false

    init(number: Int, head: RequestHead, framing: BodyFraming, pace: Pace) {
        self.number = number
        self.head = head
        self.pace = pace
        owesContinue = framing != .none && head.expectsContinue
    }
}

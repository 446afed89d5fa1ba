/// A place in the code where a crash, a stop or a failure matters. A test can have the program die there, wait, fail, or
/// go on with a full disk; `docs/crash-safety.md` tells how. A release build cannot be told to: see `reached`.
package enum FaultPoint: String, Hashable, Sendable, CaseIterable {
    /// The configuration file is read, and nothing is opened yet.
    case policyParsed = "policy.parsed"

    /// It is on the disk that a refresh token will be offered.
    case refreshMarkerWritten = "refresh.marker.written"
    /// The request with the refresh token was handed to the kernel.
    case refreshSent = "refresh.sent"
    /// The new tokens have come, and are only in memory.
    case refreshAnswered = "refresh.answered"
    /// The new tokens are on the disk, and not in use yet.
    case refreshStored = "refresh.stored"

    /// An ask is on the disk, and MimiKey has not heard of it.
    case requestIntentWritten = "request.intent.written"
    /// The request for a card was handed to the kernel.
    case requestSubmitted = "request.submitted"
    /// MimiKey has made the card, and its id is only in memory.
    case requestAnswered = "request.answered"
    /// The card's id is on the disk.
    case requestStored = "request.stored"

    /// MimiKey has made a draft for an update, and its patch is only in memory.
    case draftCreated = "draft.created"

    /// A poll has brought the sealed result.
    case resultFetched = "result.fetched"
    /// The result is open, and not a byte of it has left.
    case resultOpened = "result.opened"
    /// The caller has the whole result, and that is not on the disk yet.
    case resultDelivered = "result.delivered"

    /// Reached twice: before the write-ahead log is moved into the database, and after.
    case databaseCheckpoint = "db.checkpoint"
    /// A step of a migration is carried out, in a transaction that is still open.
    case migrationStep = "migrate.step"
}

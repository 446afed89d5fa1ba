import Core

/// Decides whether a call is made again after MimiKey said that it did nothing (`database_error`): after 1, 2 and 4 s, and
/// not a fourth time. A longer `Retry-After` counts.
struct Retries: Hashable, Sendable {
    static let most = 3

    private var count = 0

    /// `nil`: the failure stands.
    mutating func pause(after failure: CallFailure) -> Duration? {
        guard case .refused(let refusal) = failure, refusal.code == Wire.Code.databaseError, count < Self.most else {
            return nil
        }
        let pause = Duration.seconds(1 << count)
        count += 1
        return max(pause, refusal.retryAfter ?? .zero)
    }
}

extension MimiKeyClient {
    func rest(_ duration: Duration) async throws(Problem) {
        do { try await time.sleep(time.now() + duration) } catch {
            throw Problem(.cancelled, "The call was cancelled.")
        }
    }
}

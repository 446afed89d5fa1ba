package import Core
import Strongbox

extension PollSchedule {
    /// From 0 to 500 ms, in steps of 2 ms.
    package static func randomSpread() -> Duration {
        let byte = Int64(Randomness.bytes(1)[0])
        return .milliseconds(byte * 2) < longestSpread ? .milliseconds(byte * 2) : longestSpread
    }
}

/// What stands wherever a secret would be printed.
let redacted = "<redacted>"

/// A class that holds secrets: it prints `<redacted>`, and shows no members to `dump` and `Mirror`.
package protocol Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Redacted {
    package var description: String { redacted }
    package var debugDescription: String { redacted }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension SecretBody: Redacted {}
extension ApprovalKey: Redacted {}
extension SealKey: Redacted {}
extension StoredGrant: Redacted {}

/// What became of the grant that was in use, for those who have something open under it.
package enum GrantChange: Hashable, Sendable {
    /// A new grant is stored. The old one, which had this id, can still take cards back, until `forgetReplacedGrant`.
    case replaced(grantID: String)
    /// MimiKey does not accept it any more, or the operator revoked it; its keys are wiped.
    case revoked
    /// The operator wiped it without telling MimiKey.
    case reset
}

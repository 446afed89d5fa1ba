package import Core
package import Strongbox

extension MimiKeyClient {
    /// Opens a result. Throws `result_missing` for an empty one, `result_open_failed` for what is no box, is sealed to
    /// another key, or belongs to another grant or request.
    package func open(_ sealedResult: String, of requestID: String) throws(Problem) -> SecretBody {
        guard !sealedResult.isEmpty else {
            throw Problem(.resultMissing, "MimiKey says that the request is completed, but there is no result.")
        }
        let grant = try currentGrant().stored
        let failed = Problem(.resultOpenFailed, "The result could not be opened with this grant's key.")
        guard let box = Wire.ResultBox.bytes(of: sealedResult) else { throw failed }
        do throws(BoxNotOpened) {
            return try grant.sealKey.open(
                box, info: Wire.ResultBox.info,
                aad: Wire.ResultBox.aad(grantID: grant.grantID, requestID: requestID))
        } catch {
            throw failed
        }
    }
}

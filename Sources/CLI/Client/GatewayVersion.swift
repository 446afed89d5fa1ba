import Core

/// A gateway that was started from an older or newer program than this one.
enum GatewayVersion {
    /// What every gateway of our version has, so that it never answers 404 there; paths with an id may.
    private static let paths: Set<Substring> = [
        "/v1/requests", "/v1/vaults", "/v1/account", "/admin/authorize", "/admin/grant", "/admin/grant/refresh",
        "/admin/grant/identity-key", "/admin/requests", "/readyz",
    ]

    /// Does this answer tell that the gateway does not know what we ask for?
    static func isOther(_ target: String, _ status: HTTPStatus) -> Bool {
        status == 405 || (status == 404 && paths.contains(target.prefix { $0 != "?" }))
    }
}

extension Failure {
    static let otherVersion = Failure(
        .failure,
        "the gateway that runs is of another version than this program: it does not know what it was asked for",
        hint: "end it, and start it again with `countersign serve`; `countersign version` tells ours")
}

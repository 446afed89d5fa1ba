import Core

/// The contract, as it is written at the top of the repository.
enum ContractRoutes {
    static let all = [Route(.get, "/openapi.yaml", for: .anyone, contract)]

    private static func contract(_ context: RouteContext) async throws(Problem) -> HTTPResponse {
        HTTPResponse(
            status: 200, fields: HTTPResponse.fields(contentType: "application/yaml"),
            body: .bytes(PackageResources.openapi_yaml))
    }
}

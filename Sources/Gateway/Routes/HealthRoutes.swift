import Core
import MimiKey
import Strongbox

/// Is it up, and can it serve?
enum HealthRoutes {
    static let all = [
        Route(.get, "/healthz", for: .anyone, health),
        Route(.get, "/readyz", for: .anyoneOrCaller, readiness),
    ]

    /// Whoever watches over the gateway must not take it for dead because its callers are many.
    static func isAboutHealth(_ head: RequestHead) -> Bool {
        head.path == "/healthz" && (head.method == .get || head.method == .head)
    }

    private static func health(_ context: RouteContext) async throws(Problem) -> HTTPResponse {
        .json(["status": "ok"])
    }

    private static func readiness(_ context: RouteContext) async throws(Problem) -> HTTPResponse {
        let readiness = await Readiness(of: context.services)
        return .json(readiness.json(for: context.visitor), status: readiness.isReady ? 200 : 503)
    }
}

/// What an ask needs, each with a state word.
private struct Readiness {
    let grant: GrantStatus.State
    let unknownCause: UnknownCause?
    let upstream: UpstreamHealth.State
    /// By how much MimiKey's clock is ahead of ours, as far as is known.
    let clockOffset: Duration?
    let storeWorks: Bool
    let hasRules: Bool
    let isSandbox: Bool
    let warnings: [ConfigurationWarning]

    /// A clock that is further off than this is reported.
    private static let largestOffset = Duration.seconds(60)

    init(of services: Services) async {
        let status = await services.client.grantStatus()
        grant = status.state
        unknownCause = status.unknownCause
        clockOffset = await services.client.clockOffset
        storeWorks = (try? await services.store.check()) != nil
        upstream = services.upstream.state
        hasRules = services.configuration.callers.values.contains { !$0.policy.rules.isEmpty }
        isSandbox = services.isSandbox
        warnings = services.warnings + services.configuration.warnings(granted: status.vaults)
    }

    private var clockIsOff: Bool {
        let offset = clockOffset ?? .zero
        return offset > Self.largestOffset || offset < .zero - Self.largestOffset
    }

    /// `refresh_unknown` serves on while its access token lives.
    var isReady: Bool {
        (grant == .active || grant == .refreshUnknown) && answers && storeWorks && hasRules
    }

    private var answers: Bool {
        switch upstream {
        case .unknown, .ok: true
        case .unreachable, .untrusted: false
        }
    }

    /// A caller learns more than a stranger, and nothing of the other callers.
    func json(for visitor: Visitor) -> JSON {
        var members: [JSON.Member] = [
            .init("ready", .bool(isReady)),
            .init("grant", .string(grant.rawValue)),
            .init("upstream", .string(upstream.rawValue)),
            .init("clock", clockIsOff ? "off" : "ok"),
            .init("store", storeWorks ? "ok" : "failing"),
            .init("policy", hasRules ? "ok" : "empty"),
        ]
        let shown: [ConfigurationWarning]
        switch visitor {
        case .unknown: return .object(members)
        case .caller(let caller, _): shown = warnings.filter { $0.caller == caller.name }
        case .owner: shown = warnings
        }
        members.append(.init("sandbox", .bool(isSandbox)))
        members.append(.init("details", details))
        members.append(.init("warnings", .array(shown.map(json))))
        return .object(members)
    }

    private func json(_ warning: ConfigurationWarning) -> JSON {
        ["code": .string(warning.code.rawValue), "detail": .string(warning.detail)]
    }

    private var details: JSON {
        [
            "grant": .string(grantSentence),
            "upstream": .string(upstreamSentence),
            "clock": clockIsOff
                ? "This machine's clock is more than a minute off; calls are signed with the corrected time."
                : "No difference to MimiKey's clock is known that matters.",
            "clock_offset_seconds": clockOffset.map { .integer($0.components.seconds) } ?? .null,
            "store": storeWorks ? "It can be written." : "Nothing new can be written; see the log.",
            "policy": hasRules ? "Loaded." : "No caller has a rule, so nothing is allowed.",
        ]
    }

    private var grantSentence: String {
        switch grant {
        case .none: "There is no grant; run `countersign authorize`."
        case .active: "There is a grant."
        case .refreshUnknown where unknownCause == .stateCopied:
            """
            The state was copied or restored, so that its refresh token may be spent; run `countersign authorize` for a new \
            grant, or, if nothing uses the original any more, `countersign refresh --try-once`.
            """
        case .refreshUnknown:
            """
            A token refresh ended without an answer; run `countersign authorize` for a new grant, or \
            `countersign refresh --try-once` to offer the old token once more, which may cost the grant.
            """
        case .revoked: "The grant was revoked; run `countersign authorize`."
        }
    }

    private var upstreamSentence: String {
        switch upstream {
        case .unknown: "MimiKey was not called yet."
        case .ok: "MimiKey answered the last call."
        case .unreachable: "MimiKey did not answer the last call."
        case .untrusted: "What answered the last call could not prove that it is MimiKey; see the log."
        }
    }
}

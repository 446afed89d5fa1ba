package import Core
import Strongbox

extension MimiKeyClient {
    /// The query of an authorization's callback URL. Its code is exchanged before this returns; the exchange goes on when
    /// the caller is cancelled.
    package func handleCallback(_ query: QueryString) async -> CallbackOutcome {
        expireOverdue()
        guard let state = query.value(Wire.Callback.state) else { return .unknown }
        guard let flow = flows.last(where: { ConstantTime.areEqual($0.state, Array(state.utf8)) }) else {
            return .unknown
        }
        switch flow.phase {
        case .waiting(let secrets): return await callback(query, of: flow.status.id, secrets)
        // A page that was loaded twice: the code is being spent already.
        case .exchanging(let task):
            await task.value
            return outcome(of: flow.status.id)
        case .storing, .finished: return .unknown
        }
    }

    private func callback(
        _ query: QueryString, of id: String, _ secrets: AuthorizationSecrets
    ) async -> CallbackOutcome {
        if let error = Self.error(in: query) {
            finish(id, error == Wire.Callback.accessDenied ? .denied : .failed, error)
            return outcome(of: id)
        }
        guard let code = query.value(Wire.Callback.code), (1...Wire.Callback.longestCode).contains(code.utf8.count)
        else {
            finish(id, .failed, .invalidCallback)
            return .invalid
        }
        let task = detached { await $0.exchange(code, of: id, secrets) }
        if let index = index(of: id) { flows[index].phase = .exchanging(task) }
        await task.value
        return outcome(of: id)
    }

    private func outcome(of id: String) -> CallbackOutcome {
        authorization(id).map(CallbackOutcome.authorization) ?? .unknown
    }

    /// What the app reports; `invalid_callback` when it is no code.
    private static func error(in query: QueryString) -> ErrorCode? {
        guard query.count(Wire.Callback.error) > 0 else { return nil }
        guard let text = query.value(Wire.Callback.error), Wire.isErrorCode(text) else { return .invalidCallback }
        return ErrorCode(text)
    }
}

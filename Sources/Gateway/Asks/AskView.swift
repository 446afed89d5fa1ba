import Core
import Strongbox

/// An ask as its caller sees it: the journalled row, and what is known of it besides.
struct AskView: Sendable {
    let ask: Ask
    /// This request found the ask open.
    var joined = false
    /// Why the opener did not show the card.
    var openError: ErrorCode?
    var downloadURL: String?
    /// What the app reported on its way back, while the ask goes on.
    var appError: ErrorCode?
    /// Of a completed ask.
    var resultState: ResultLife.State?

    var path: String { "/v1/requests/\(ask.id)" }

    /// The resource, without what a box holds.
    var json: JSON { .object(members) }

    /// The same for the operator, who sees everybody's.
    var operatorJSON: JSON { .object(members + [.init("caller", .string(ask.call.caller.rawValue))]) }

    /// Names this state of an unfinished ask, for `ETag`: it changes with whatever a look at it shows.
    var tag: String { Base64URL.encode(Array(SHA256.digest(json.encoded()).prefix(15))) }

    private var members: [JSON.Member] {
        members(before: true) + [.init("result", plainResult)] + members(before: false)
    }

    /// What a completed ask came to that is no secret.
    private var plainResult: JSON {
        guard ask.state == .completed else { return .null }
        if let item = ask.updatedItem {
            return ["updated_item": ["item_id": .string(item.itemID), "revision": .integer(item.revision)]]
        }
        return ask.isSavedOutOfScope ? ["saved_out_of_scope": true] : .null
    }

    /// The resource around a result, for locked memory.
    func segments(around result: [Segment]) -> [Segment] {
        var start = JSON.object(members(before: true)).encoded()
        start.removeLast()
        let end = JSON.object(members(before: false)).encoded().dropFirst()
        return [.literal(start + Array(",\"result\":".utf8))] + result + [.literal([UInt8(ascii: ",")] + end)]
    }

    private func members(before isBefore: Bool) -> [JSON.Member] {
        guard isBefore else {
            var members: [JSON.Member] = [.init("result_state", .text(resultState?.rawValue))]
            if !ask.state.isFinished { members.append(.init("next", next)) }
            return members
        }
        var members: [JSON.Member] = [
            .init("id", .string(ask.id.rawValue)),
            .init("upstream_id", .text(ask.upstreamID)),
            .init("op", .string(ask.call.op.rawValue)),
            .init("state", .string(ask.state.rawValue)),
            .init("created_at", .string(RFC3339.format(ask.createdAt))),
            .init("expires_at", .text(ask.expiresAt.map(RFC3339.format))),
            .init("open_url", .text(ask.state.isFinished ? nil : ask.openURL)),
            .init("open_error", .text(openError?.rawValue)),
        ]
        if openError != nil, let downloadURL { members.append(.init("download_url", .string(downloadURL))) }
        members += [
            .init("joined", .bool(joined)),
            .init("executed", .bool(isExecuted)),
            .init("retryable", .bool(isRetryable)),
            .init("next_action", .string(nextAction.rawValue)),
            .init("message", .string(message)),
            .init("error", .text((ask.error ?? appError)?.rawValue)),
            .init("deny_reason", .text(ask.denyReason)),
        ]
        return members
    }

    private var next: JSON {
        ["method": "GET", "href": .string(path), "headers": ["Prefer": "wait=25"]]
    }
}

extension Ask {
    /// Completed with a sealed result; what the others came to is known, and no secret.
    var hasBox: Bool { state == .completed && updatedItem == nil && !isSavedOutOfScope }
}

import Core

/// What an ask came to, on standard output and as an exit status.
enum AskOutcome {
    /// - Parameter field: print the value of this member alone.
    static func show(_ ask: AskShown, field: String?, asJSON isJSON: Bool) throws(Failure) -> ExitStatus {
        if isJSON { Output.result(ask.body) }
        let status = status(of: ask)
        guard status == .ok else { throw failure(of: ask, status) }
        guard !isJSON else { return .ok }
        guard let result = ask.result else {
            throw Failure(.failure, "\(ask.message ?? "there is no result any more") (\(ask.id))")
        }
        if let record = result["item"]?["record"] {
            try show(record, field: field)
        } else if let updated = result["updated_item"] {
            show(members: updated)
        } else if result["saved_out_of_scope"]?.bool == true {
            Output.result("saved_out_of_scope: true")
            Output.talk("the person saved it in a vault that the grant does not cover, so that nothing of it is shown")
        }
        return .ok
    }

    static func status(of ask: AskShown) -> ExitStatus {
        switch ask.state {
        case .draft, .pending, .approved: .pending
        case .completed: ask.error.map { ExitStatus(of: $0) } ?? .ok
        case .denied: ask.isConflict ? ExitStatus(of: .conflict) : .denied
        case .cancelled: .cancelled
        case .expired: .expired
        case .failed: ExitStatus(of: ask.error ?? .internalError)
        }
    }

    private static func failure(of ask: AskShown, _ status: ExitStatus) -> Failure {
        if status == .pending {
            // Its link was said before.
            return Failure(
                status, "the person has not answered yet: the ask \(ask.id) lives on",
                hint: "`countersign wait \(ask.id)` goes on waiting, `countersign cancel \(ask.id)` takes it back")
        }
        let code = ask.error.map { ", \($0.rawValue.shownOnTerminal)" } ?? ""
        return Failure(
            status, "\(ask.message ?? "the ask is \(ask.state.rawValue)") (\(ask.id)\(code))",
            hint: status == .denied && ask.isJoined
                ? "`countersign forgive \(ask.id)`, by the operator, lets it be asked again" : ask.nextAction?.hint)
    }

    private static func show(_ record: JSONValue, field: String?) throws(Failure) {
        guard let field else { return show(members: record) }
        guard let value = record[field] else {
            throw Failure(.failure, "the item has no field `\(field.shownOnTerminal)`, or the rule keeps it back")
        }
        Output.result(value.string.map { Array($0.utf8) } ?? value.raw)
    }

    /// One a line.
    private static func show(members value: JSONValue) {
        for member in value.members {
            let text = member.value.string ?? String(decoding: member.value.raw, as: UTF8.self)
            Output.result("\(member.name.shownOnTerminal): \(text.shownOnTerminal)")
        }
    }
}

import Core

/// What is answered, and with what manners.
struct Outcome: Hashable, Sendable {
    enum Delivery: Hashable, Sendable {
        case prompt
        case late(Duration)
        /// Nothing at all is answered.
        case cut
        /// Half of the body comes.
        case half
    }

    let reply: Reply
    var manner = Delivery.prompt
    /// How long the connection may be idle afterwards.
    var idle: Duration?
}

extension World {
    /// What is in store for the next call: decided before a byte of its body is read.
    mutating func nextTurn(for path: String) -> Turn {
        guard let route = Route(path: path), !route.isOfUser else { return .polite }
        return manners.nextTurn()
    }

    /// Answers one call, with the fault that waits for it, else with the manners of its turn.
    mutating func receive(_ call: APICall, at now: UnixTime, turn given: Turn? = nil) -> Outcome {
        let turn = given ?? nextTurn(for: call.path)
        let now = now + .seconds(clockOffset)
        let route = Route(path: call.path)
        self.turn = turn
        defer { self.turn = .polite }
        var outcome: Outcome
        if let index = faults.firstIndex(where: { $0.matches(call) }) {
            outcome = carryOut(faults.remove(at: index), call, at: now)
        } else if let refusal = rudeness(turn, route) {
            if let route, call.method == route.method { stats.saw(route, at: now) }
            outcome = refusal
        } else {
            outcome = Outcome(reply: answer(call, at: now), manner: delivery(turn, call, route))
        }
        if turn.strikes(.idleClose) { outcome.idle = turn.idle }
        // An error is as bare as ever.
        let shapedRoute = outcome.reply.status == 200 ? route : nil
        let reply = outcome.reply.shaped { turn.muddled(shapes.applied(to: $0, of: shapedRoute)) }
        return Outcome(reply: reply, manner: outcome.manner, idle: outcome.idle)
    }

    /// The call is not carried out.
    private mutating func rudeness(_ turn: Turn, _ route: Route?) -> Outcome? {
        guard let route, !route.isOfUser else { return nil }
        for manner in [Manner.closeBefore, .unavailable, .tooMany, .htmlError, .databaseError, .nonceSeen]
        where turn.strikes(manner) {
            var reply: Reply
            switch manner {
            case .closeBefore: return struck(manner, Outcome(reply: Reply(text: ""), manner: .cut))
            case .unavailable:
                reply = Reply(status: 503, text: "service unavailable")
                reply.fields.append("retry-after", String(turn.retryAfter))
            case .tooMany:
                reply = Reply(.tooManyRequests)
                reply.fields.append("retry-after", String(turn.retryAfter))
            case .htmlError: reply = Reply(status: 502, html: World.badGateway)
            case .databaseError: reply = Reply(.databaseError)
            case .nonceSeen where route.isSigned: reply = Reply(.nonceReplayed)
            default: continue
            }
            return struck(manner, Outcome(reply: reply))
        }
        return nil
    }

    /// The call was carried out.
    private mutating func delivery(_ turn: Turn, _ call: APICall, _ route: Route?) -> Outcome.Delivery {
        guard let route, !route.isOfUser else { return .prompt }
        if turn.strikes(.lostRefresh), route == .token, call.grantType == "refresh_token" {
            return struck(.lostRefresh, .cut)
        }
        if turn.strikes(.closeAfter) { return struck(.closeAfter, .cut) }
        if turn.strikes(.truncated) { return struck(.truncated, .half) }
        if turn.strikes(.delay) { return struck(.delay, .late(turn.delay)) }
        return .prompt
    }

    private mutating func struck<Result>(_ manner: Manner, _ result: Result) -> Result {
        stats.struck(manner)
        return result
    }

    private mutating func carryOut(_ fault: Fault, _ call: APICall, at now: UnixTime) -> Outcome {
        switch fault.kind {
        case .closeBeforeAnswer: return Outcome(reply: answer(call, at: now), manner: .cut)
        case .closeBeforeDeed: return Outcome(reply: Reply(text: ""), manner: .cut)
        case .truncate: return Outcome(reply: answer(call, at: now), manner: .half)
        case .delay(let delay): return Outcome(reply: answer(call, at: now), manner: .late(delay))
        case .answer(let reply):
            if let route = Route(path: call.path), route.method == call.method { stats.saw(route, at: now) }
            return Outcome(reply: reply)
        }
    }

    private static let badGateway = """
        <!DOCTYPE html>
        <html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>

        """
}

extension APICall {
    /// Of a call to the token endpoint.
    fileprivate var grantType: String? { (try? JSONDocument(body))?.root["grant_type"]?.string }
}

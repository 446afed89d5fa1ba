import Core
import Testing

@testable import MimiKey

/// What follows in an update, decided without a clock or a network.
struct DraftStepsTests {
    private static let made = Instant(nanoseconds: 5_000_000_000)

    private func at(_ seconds: Int64) -> Instant { Self.made + .seconds(seconds) }

    private func steps(isSecond: Bool = false) -> DraftSteps { DraftSteps(madeAt: Self.made, isSecond: isSecond) }

    private func found(_ state: AskState) -> Result<RequestSnapshot, CallFailure> { .success(snapshot(state)) }

    private func snapshot(_ state: AskState) -> RequestSnapshot {
        RequestSnapshot(
            id: "rq_1", state: state, expiresAt: nil, openURL: nil, denyReason: nil, sealedResult: nil,
            updatedItem: nil,
            isSavedOutOfScope: false)
    }

    private func refused(_ status: Int, _ code: String?) -> Result<RequestSnapshot, CallFailure> {
        .failure(.refused(Refusal(status: HTTPStatus(code: status), code: code.map(ErrorCode.init))))
    }

    private func code(_ step: DraftSteps.Step) -> ErrorCode? {
        if case .fail(let problem) = step { problem.code } else { nil }
    }

    private static let lost = Result<RequestSnapshot, CallFailure>.failure(.transport(.resetAfterSending))
    private static let notSent = Result<RequestSnapshot, CallFailure>.failure(.transport(.refusedConnection))

    @Test func `AP-01 a patch is sent until 45 s after its draft, and not later`() {
        #expect(steps().step(at: at(44)) == .upload(after: .zero))
        #expect(steps().step(at: at(45)) == .replace)
        #expect(code(steps(isSecond: true).step(at: at(45))) == .draftLost)
    }

    @Test func `AP-02 after a lost answer comes a look, and another upload while there is time`() {
        var steps = steps()
        #expect(steps.uploaded(Self.lost, at: at(1)) == .look(after: .zero))
        #expect(steps.looked(found(.draft), at: at(2)) == .upload(after: .seconds(1)))
        #expect(steps.uploaded(Self.lost, at: at(3)) == .look(after: .zero))
        #expect(steps.looked(found(.draft), at: at(45)) == .retract)
        #expect(code(steps.looked(found(.draft), at: at(75))) == .outcomeUnknown)
    }

    @Test func `AP-02 what may have arrived is taken back before an update is given up`() {
        var steps = steps()
        #expect(steps.uploaded(Self.lost, at: at(1)) == .look(after: .zero))
        for (second, pause) in [(2, 1), (4, 2), (7, 4), (12, 8)] as [(Int64, Int64)] {
            #expect(steps.looked(found(.draft), at: at(second)) == .upload(after: .seconds(pause)))
            if pause < 8 { #expect(steps.uploaded(Self.lost, at: at(second + 1)) == .look(after: .zero)) }
        }
        #expect(steps.uploaded(Self.notSent, at: at(21)) == .retract)
        #expect(steps.retracted(found(.pending), at: at(22)) == .done(snapshot(.pending)))
    }

    @Test(arguments: [AskState.pending, .approved, .completed, .denied, .cancelled])
    func `AP-01 AP-02 whatever is no draft any more is the card`(_ state: AskState) {
        for (status, code) in [(409, "request_not_draft"), (502, nil)] as [(Int, String?)] {
            var steps = steps()
            #expect(steps.uploaded(refused(status, code), at: at(1)) == .look(after: .zero))
            #expect(steps.looked(found(state), at: at(2)) == .done(snapshot(state)))
        }
    }

    @Test func `AP-01 only a draft that has run out is replaced, and only once`() {
        for isSecond in [false, true] {
            var steps = steps(isSecond: isSecond)
            #expect(steps.uploaded(refused(409, "request_not_draft"), at: at(1)) == .look(after: .zero))
            let next = steps.looked(found(.expired), at: at(2))
            if isSecond { #expect(code(next) == .draftLost) } else { #expect(next == .replace) }
        }
    }

    @Test func `what did not leave is sent again after 1, 2, 4 and 8 s, then it fails as what it was`() {
        var steps = steps()
        for pause in [1, 2, 4, 8] as [Int64] {
            #expect(steps.uploaded(Self.notSent, at: at(1)) == .upload(after: .seconds(pause)))
        }
        #expect(code(steps.uploaded(Self.notSent, at: at(1))) == .upstreamUnreachable)
        // It certainly never was there.
        #expect(steps.step(at: at(50)) == .replace)
    }

    @Test func `no pause reaches beyond the time of a draft`() {
        var steps = steps()
        #expect(steps.pause(at: at(43)) == .seconds(1))
        #expect(steps.pause(at: at(43)) == nil)
    }

    @Test func `a draft that is not found yet gets its patch a little later`() {
        var steps = steps()
        #expect(steps.uploaded(refused(404, "request_not_found"), at: at(1)) == .upload(after: .seconds(1)))
        #expect(steps.uploaded(refused(404, "request_not_found"), at: at(2)) == .upload(after: .seconds(2)))
        #expect(steps.uploaded(found(.pending), at: at(4)) == .done(snapshot(.pending)))
    }

    @Test func `a refusal is final, a storage that failed is not`() {
        var steps = steps()
        #expect(code(steps.uploaded(refused(400, "invalid_patch"), at: at(1))) == .invalidPatch)
        #expect(code(steps.uploaded(refused(404, "request_not_found"), at: at(10))) == Wire.Code.requestNotFound)
        #expect(steps.uploaded(refused(500, "database_error"), at: at(1)) == .upload(after: .seconds(1)))
        #expect(code(steps.uploaded(.failure(.ours(Problem(.revoked, ""))), at: at(1))) == .revoked)
        let cancelled = CallFailure.transport(SendFailure(.cancelled, bytesMayHaveLeft: true))
        #expect(code(steps.uploaded(.failure(cancelled), at: at(1))) == .cancelled)
    }

    @Test func `AP-18 a draft that is not found may not be visible yet, for 10 s`() {
        var steps = steps()
        _ = steps.uploaded(Self.lost, at: at(1))
        #expect(steps.looked(refused(404, "request_not_found"), at: at(9)) == .look(after: .seconds(2)))
        #expect(code(steps.looked(refused(404, "request_not_found"), at: at(10))) == Wire.Code.requestNotFound)
    }

    @Test func `a draft that was taken back is replaced, a card that came first is kept`() {
        var steps = steps()
        _ = steps.uploaded(Self.lost, at: at(1))
        #expect(steps.retracted(found(.cancelled), at: at(46)) == .replace)
        #expect(steps.retracted(found(.expired), at: at(61)) == .replace)
        #expect(steps.retracted(refused(409, "request_not_pending"), at: at(46)) == .look(after: .seconds(2)))
        #expect(steps.retracted(found(.completed), at: at(46)) == .done(snapshot(.completed)))
        #expect(steps.retracted(Self.lost, at: at(46)) == .look(after: .seconds(2)))
        #expect(code(steps.retracted(Self.lost, at: at(75))) == .outcomeUnknown)
    }
}

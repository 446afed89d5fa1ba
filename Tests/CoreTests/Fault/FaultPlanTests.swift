import Testing

@testable import Core

struct FaultPlanTests {
    @Test(arguments: FaultPoint.allCases)
    func `every point can be named, and is reached at the turn that was said`(_ point: FaultPoint) throws {
        var plan = try #require(FaultPlan("\(point.rawValue):kill:2,\(point.rawValue):throw"))
        let visits = (0..<3).map { _ in plan.visit(point) }
        #expect(visits == [[.fail], [.kill], []])
    }

    @Test func `a point says nothing of the others`() throws {
        var plan = try #require(FaultPlan("refresh.sent:sleep=250"))
        let visits = [plan.visit(.refreshAnswered), plan.visit(.refreshSent)]
        #expect(visits == [[], [.sleep(.milliseconds(250))]])
    }

    @Test func `a disk that fills up refuses as many writes as were said`() throws {
        var plan = try #require(FaultPlan("request.stored:disk-full=2"))
        var taken = [plan.takesWrite()]
        _ = plan.visit(.requestStored)
        for _ in 0..<3 { taken.append(plan.takesWrite()) }
        #expect(taken == [true, false, false, true])

        var whole = try #require(FaultPlan("request.stored:disk-full"))
        _ = whole.visit(.requestStored)
        let later = (0..<100).map { _ in whole.takesWrite() }
        #expect(!later.contains(true))
    }

    @Test(
        arguments: [
            "", ",", "refresh.sent", "refresh.sent:", "refresh.sent:die", "refresh.sent:kill:0", "refresh.sent:kill:x",
            "nowhere:kill", "refresh.sent:kill:1:1", "refresh.sent:sleep", "refresh.sent:sleep=-1",
            "refresh.sent:disk-full=0", "refresh.sent:kill,",
        ])
    func `what is no plan is refused whole`(_ text: String) {
        #expect(FaultPlan(text) == nil)
    }
}

import Testing

@testable import Sandbox

struct PersonScriptTests {
    @Test(arguments: [
        ("approve", PersonScript.approve(after: .zero)), ("approve after=2s", .approve(after: .seconds(2))),
        ("after=2s", .approve(after: .seconds(2))), ("after=500ms", .approve(after: .milliseconds(500))),
        ("after=1m", .approve(after: .seconds(60))), ("deny", .deny(after: .zero)),
        ("deny after=3s", .deny(after: .seconds(3))), ("expire", .expire), ("none", .manual),
        ("conflict", .conflict(after: .zero)), ("conflict after=1s", .conflict(after: .seconds(1))),
        ("not_signed_in", .notSignedIn), ("save=outside", .approve(after: .zero, savesOutside: true)),
        ("after=2s save=outside", .approve(after: .seconds(2), savesOutside: true)),
        ("approve save=outside after=2s", .approve(after: .seconds(2), savesOutside: true)),
        ("none consent=deny", PersonScript(.manual, consent: .deny)),
        ("deny consent=allow after=1s", PersonScript(.deny(after: .seconds(1)), consent: .allow)),
    ])
    func `a script is read`(text: String, script: PersonScript) {
        #expect(PersonScript(text) == script)
    }

    @Test(arguments: [
        "", " ", "yes", "approve 2s", "after=", "after=2", "after=-2s", "after=2h", "after=2.5s", "after=٣s",
        "after=999999999s", "after=3601s", "approve after=2s now", "expire after=2s", "none none", "Approve",
        "deny after=2s after=3s", "deny save=outside", "save=inside", "none after=2s", "not_signed_in after=2s",
        "after=2s consent=maybe", "after=2s mood=good", "after=2s =", "save=outside save=outside",
    ])
    func `what is no script is refused`(text: String) {
        #expect(PersonScript(text) == nil)
    }
}

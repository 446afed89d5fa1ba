import Core
import TestSupport
import Testing

@testable import MimiKey

struct WakeupTests {
    @Test func `a signal before the wait is not lost`() async {
        let wakeup = Wakeup()
        wakeup.signal()
        #expect(await wakeup.wait())
    }

    @Test func `a wait ends at its time without a signal`() async {
        let clock = ManualClock()
        let wakeup = Wakeup()
        async let signalled = wakeup.wait(until: clock.now + .seconds(1), on: clock.source)
        await clock.untilSleeping()
        clock.advance(by: .seconds(1))
        #expect(await !signalled)
    }

    @Test func `a wait ends at the signal, and the next one waits again`() async {
        let clock = ManualClock()
        let wakeup = Wakeup()
        async let first = wakeup.wait(until: clock.now + .seconds(1), on: clock.source)
        await clock.untilSleeping()
        wakeup.signal()
        #expect(await first)
        async let second = wakeup.wait(until: clock.now + .seconds(1), on: clock.source)
        await clock.untilSleeping()
        clock.advance(by: .seconds(1))
        #expect(await !second)
    }

    @Test func `a cancelled wait ends`() async {
        let wakeup = Wakeup()
        let task = Task { await wakeup.wait() }
        task.cancel()
        #expect(await !task.value)
    }
}

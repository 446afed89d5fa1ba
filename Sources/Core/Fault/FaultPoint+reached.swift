import Synchronization

/// The only place where a debug build differs from a release build. In a release build nothing reads the variable, nothing
/// holds a plan, and reaching a point is no instruction at all.
extension FaultPoint {
    #if DEBUG
        private struct Armed: Sendable {
            var plan: FaultPlan
            let kill: @Sendable () -> Void
            let sleep: @Sendable (Duration) -> Void
        }

        private static let armed = Mutex<Armed?>(nil)
        private static let variable = "COUNTERSIGN_FAULT"

        /// Takes the plan from the environment, once, at the start. Gives `false` when there is one that cannot be read.
        package static func arm(
            environment: (String) -> String?, kill: @escaping @Sendable () -> Void,
            sleep: @escaping @Sendable (Duration) -> Void
        ) -> Bool {
            guard let text = environment(variable) else { return true }
            guard let plan = FaultPlan(text) else { return false }
            armed.withLock { $0 = Armed(plan: plan, kill: kill, sleep: sleep) }
            return true
        }

        /// The program has got here. `sleep` holds the thread that did. What is thrown is the failure that this place
        /// could meet by itself.
        package func reached<Failure: Error>(orThrow failure: @autoclosure () -> Failure) throws(Failure) {
            let (actions, armed) = Self.armed.withLock { armed in (armed?.plan.visit(self) ?? [], armed) }
            guard let armed else { return }
            for action in actions {
                switch action {
                case .kill: armed.kill()
                case .sleep(let duration): armed.sleep(duration)
                case .fail: throw failure()
                case .fillDisk: break
                }
            }
        }

        /// Is a disk played that is full, for the write that is to come?
        package static var refusesWrite: Bool {
            armed.withLock { armed in armed?.plan.takesWrite() == false }
        }
    #else
        @inlinable
        package static func arm(
            environment: (String) -> String?, kill: @escaping @Sendable () -> Void,
            sleep: @escaping @Sendable (Duration) -> Void
        ) -> Bool { true }

        @inlinable
        package func reached<Failure: Error>(orThrow failure: @autoclosure () -> Failure) throws(Failure) {}

        @inlinable
        package static var refusesWrite: Bool { false }
    #endif
}

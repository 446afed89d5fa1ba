import Core
import Glibc

/// Deaths and failures that a test has ordered. There are none in a release build, whatever the environment says.
enum Faults {
    /// Before anything else is done.
    static func arm() {
        let isRead = FaultPoint.arm(
            environment: Process.environment, kill: { kill(getpid(), SIGKILL) },
            sleep: { duration in
                usleep(
                    useconds_t(duration.components.attoseconds / 1_000_000_000_000)
                        + useconds_t(duration.components.seconds) * 1_000_000)
            })
        guard !isRead else { return }
        Output.talk("the variable that orders faults names a point or an action that there is not")
        Process.exit(.usage)
    }
}

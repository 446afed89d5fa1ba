import Core
import Testing

@testable import Server

struct RefusedUsersTests {
    @Test func `who goes on trying gets a line in a second, and is counted`() {
        var users = RefusedUsers()
        let peer = Peer(
            door: .unix(path: "/run/a.sock", mode: 0o600), credentials: PeerCredentials(uid: 1001, pid: 7))
        let start = Instant(nanoseconds: 1_000_000_000)
        let first = users.note(peer, at: start)
        #expect(first?.values.map(\.value) == [.integer(1001), .integer(7), .integer(1)])
        for milliseconds in 1...999 {
            let line = users.note(peer, at: start + .milliseconds(milliseconds))
            #expect(line == nil)
        }
        let next = users.note(peer, at: start + .seconds(1))
        #expect(next?.values.last?.value == .integer(1000))
    }
}

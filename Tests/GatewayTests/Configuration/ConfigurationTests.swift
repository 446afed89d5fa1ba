import Core
import Foundation
import MimiKey
import Strongbox
import Testing

@testable import Gateway

@Suite struct ConfigurationTests {
    static let complete = """
        listen:
          - tcp: 127.0.0.1:7447
            hosts: ["Countersign:7447"]
          - tcp: "[::1]:7447"
          - unix: /run/countersign/agent.sock
            caller: agent
            allow_uids: [1001, 1002]
            mode: "0660"
            group: 12345
          - unix: /run/countersign/bot.sock
            caller: bot
        admin:
          unix: /run/countersign/admin.sock
        state: /var/lib/countersign
        key: { file: /etc/countersign/master.key }
        mimikey:
          origin: http://127.0.0.1:7448/
          client_id: pmc_sandbox
          redirect_uri: http://127.0.0.1:7447/callback
          open: [xdg-open]
          poll_interval: 2500ms
          authorize_timeout: 5m
          download_url: https://mimikey.example/download
        callers:
          agent:
            tokens: ["sha256:\(String(repeating: "0a", count: 32))"]
            may:
              - ops: [pick_item]
                hosts: ["bank.example.com", "*.shop.example"]
                fields: [username, password]
              - ops: any
                hosts: any
                vaults: [Work, v_2]
                items: any
                kinds: any
                fields: all
                writes: [password, notes]
                trust: allow
            limits: { open: 5, connections: 7, longest_wait: 1m }
          bot:
            may: [{ ops: [get_item], items: [it_1], kinds: [login, card] }, { ops: any, items: [it_2], writes: all }]
        limits: { open: 10, connections: 64 }
        loops: 3
        """

    private func decode(_ text: String) throws -> Configuration {
        try Configuration.decode(Array(text.utf8), file: "countersign.yaml")
    }

    @Test func `a complete file says all that it says`() throws {
        let configuration = try decode(Self.complete)
        #expect(configuration.listeners.map(\.address.description) == ["127.0.0.1:7447", "[::1]:7447"])
        #expect(configuration.listeners[0].hosts == ["countersign:7447"])
        #expect(configuration.adminSocket == "/run/countersign/admin.sock")
        #expect(configuration.state == .directory("/var/lib/countersign"))
        #expect(configuration.keyFile == "/etc/countersign/master.key")
        #expect(configuration.mimiKey.client.origin.description == "http://127.0.0.1:7448")
        #expect(configuration.mimiKey.client.pollInterval == .milliseconds(2500))
        #expect(configuration.mimiKey.client.authorizeTimeout == .seconds(300))
        #expect(configuration.mimiKey.open == ["xdg-open"])
        #expect(configuration.limits == GatewayLimits(open: 10, connections: 64))
        #expect(configuration.loops == 3)
        let name = try #require(CallerName("agent"))
        let bot = try #require(CallerName("bot"))
        #expect(
            configuration.sockets == [
                CallerSocket(
                    path: "/run/countersign/agent.sock", caller: name, users: [1001, 1002], mode: 0o660, group: 12345),
                CallerSocket(path: "/run/countersign/bot.sock", caller: bot, users: nil, mode: 0o600, group: nil),
            ])
        #expect(configuration.callers[bot]?.tokenHashes == [])
        let agent = try #require(configuration.callers[name])
        #expect(agent.tokenHashes == [[UInt8](repeating: 0x0A, count: 32)])
        #expect(agent.limits == CallerLimits(open: 5, connections: 7, longestWait: .seconds(60)))
        #expect(agent.policy.rules.map(\.fields) == [.only(["username", "password"]), .all])
        #expect(agent.policy.rules[1].ops == Set(Operation.allCases))
        #expect(
            agent.policy.rules[1]
                == Rule(
                    ops: Set(Operation.allCases), vaults: ["Work", "v_2"], fields: .all,
                    writes: .only(["password", "notes"]), allowsTrust: true))
        #expect(
            configuration.callers[bot]?.policy.rules == [
                Rule(ops: [.getItem], items: ["it_1"], kinds: ["login", "card"]),
                Rule(ops: Set(Operation.allCases), items: ["it_2"], writes: .all),
            ])
    }

    @Test func `the path of a socket has one spelling, so no two sockets can share a file`() throws {
        let path = "/run/countersign/bot.sock"
        let spelled = try decode(Self.complete.replacing(path, with: "/run//./countersign/././bot.sock"))
        #expect(spelled.sockets.map(\.path) == ["/run/countersign/agent.sock", path])
        for other in ["/run/countersign/./admin.sock", "//run/countersign//agent.sock"] {
            let error = #expect(throws: ConfigurationError.self) {
                try self.decode(Self.complete.replacing(path, with: other))
            }
            #expect(error?.lines.first?.contains("two sockets have the path `/run/countersign/a") == true)
        }
    }

    @Test(arguments: ["/", "//", "/run/x/", "/run/x/.", "/run/../x.sock", "/run/x/..", "/run/..//x.sock"])
    func `the path of a socket ends with a name, and goes nowhere by two dots`(path: String) throws {
        for socket in ["/run/countersign/bot.sock", "/run/countersign/admin.sock"] {
            let error = #expect(throws: ConfigurationError.self) {
                try self.decode(Self.complete.replacing(socket, with: path))
            }
            #expect(error?.lines.first?.contains("the path of a Unix socket must end with its name") == true)
        }
    }

    @Test func `what is left out has the documented default`() throws {
        let text = Self.complete
            .replacing("    limits: { open: 5, connections: 7, longest_wait: 1m }\n", with: "")
            .replacing("limits: { open: 10, connections: 64 }\nloops: 3", with: "")
            .replacing("  poll_interval: 2500ms\n  authorize_timeout: 5m\n", with: "")
        let configuration = try decode(text)
        #expect(configuration.limits == GatewayLimits(open: 90, connections: 512))
        #expect(configuration.loops == min(4, ProcessInfo.processInfo.activeProcessorCount))
        #expect(configuration.mimiKey.client.pollInterval == .seconds(2))
        #expect(configuration.mimiKey.client.authorizeTimeout == .seconds(600))
        #expect(configuration.callers.values.map(\.limits) == [CallerLimits(), CallerLimits()])
        #expect(CallerLimits() == CallerLimits(open: 3, connections: 64, longestWait: .seconds(300)))
    }

    @Test func `Windows line ends mean the same`() throws {
        let text = Self.complete.replacing("\n", with: "\r\n")
        #expect(try decode(text).listeners == decode(Self.complete).listeners)
    }

    @Test func `every problem is told at once, in the order of the file`() throws {
        let text = Self.complete
            .replacing("127.0.0.1:7447\n    hosts", with: "0.0.0.0:7447\n    hosts")
            .replacing("open: 5", with: "open: 0")
            .replacing("fields: all", with: "feilds: all")
        let error = try #require(throws: ConfigurationError.self) { try decode(text) }
        #expect(
            error.lines == [
                "countersign.yaml:2:10: `tcp` is no loopback address (only 127.0.0.0/8 and [::1] are listened on)",
                "countersign.yaml:36:9: a rule has no key `feilds` (it has ops, hosts, vaults, items, kinds, fields, writes, trust)",
                "countersign.yaml:39:21: `open` must be a whole number from 1 to 90",
            ])
    }

    @Test(
        arguments: [
            ("{ ops: [update_item], writes: all }", "must name `vaults` or `items`"),
            ("{ ops: any }", "must name `vaults` or `items`"),
            ("{ ops: [update_item], vaults: any, writes: all }", "must name `vaults` or `items`"),
            ("{ ops: [update_item], vaults: [v_1], hosts: [bank.example.com] }", "cannot have `hosts` or `kinds`"),
            ("{ ops: [get_item, update_item], items: [it_1], kinds: [login] }", "cannot have `hosts` or `kinds`"),
            ("{ ops: [get_item], trust: true }", "`trust` can only be `allow`"),
            ("{ ops: [get_item], trust: [allow] }", "`trust` must be a single value"),
            ("{ ops: [get_item], vaults: Work }", "`vaults` must be a list"),
            ("{ ops: [get_item], items: it_1 }", "`items` must be a list"),
            ("{ ops: [get_item], kinds: { login: yes } }", "`kinds` must be a list"),
            ("{ ops: [get_item], kinds: [[login]] }", "a kind must be a single value"),
            (
                "{ ops: [get_item], items: [\(String(repeating: "x", count: 257))] }",
                "an item has at most 256 characters"
            ),
            ("{ ops: [update_item], items: [it_1], writes: [Password] }", "`Password` is no field name"),
        ])
    func `a rule that cannot be meant is refused`(rule: String, problem: String) throws {
        let text = Self.complete.replacing("may: [{ ops: [get_item]", with: "may: [\(rule), { ops: [get_item]")
        let error = try #require(throws: ConfigurationError.self) { try decode(text) }
        #expect(error.problems.count == 1)
        #expect(error.problems.first?.message.contains(problem) == true)
    }

    @Test func `a rule of update_item under any hosts or kinds is as one without`() throws {
        let rule = "{ ops: [update_item], vaults: [v_1], hosts: any, kinds: any, writes: all }"
        let text = Self.complete.replacing("may: [{ ops: [get_item]", with: "may: [\(rule), { ops: [get_item]")
        let bot = try #require(CallerName("bot"))
        #expect(
            try decode(text).callers[bot]?.policy.rules.first == Rule(ops: [.updateItem], vaults: ["v_1"], writes: .all)
        )
    }

    @Test func `a vault name that is granted twice is warned of, by caller and rule`() throws {
        let configuration = try decode(Self.complete)
        let granted = ["v_1", "v_2", "v_3"].map { Vault(id: $0, name: $0 == "v_3" ? "Else" : "Work", policy: .ask) }
        let warnings = configuration.warnings(granted: granted)
        #expect(warnings.map(\.code.rawValue) == ["vault_name_ambiguous"])
        #expect(warnings.first?.detail.contains("Rule 2 of the caller `agent` names the vault `Work`") == true)
        #expect(configuration.warnings(granted: Array(granted.dropFirst())).isEmpty)
    }

    @Test(arguments: ["0", "65", "-1", "two", "1.5", "[2]"])
    func `loops is a number from 1 to 64`(_ value: String) throws {
        let text = Self.complete.replacing("loops: 3", with: "loops: \(value)")
        let error = try #require(throws: ConfigurationError.self) { try decode(text) }
        let line = text.split(separator: "\n").count
        #expect(error.problems.map(\.position) == [TextPosition(line: line, column: 8)])
        #expect(error.problems.first?.message.hasPrefix("`loops` must be ") == true)
    }

    @Test func `one token cannot name two callers`() throws {
        let second =
            "  other:\n    tokens: [\"sha256:\(String(repeating: "0A", count: 32))\"]\n    may: []\nlimits: {}\n"
        let text = Self.complete.replacing("limits: { open: 10, connections: 64 }", with: second)
        let error = try #require(throws: ConfigurationError.self) { try decode(text) }
        #expect(error.problems.map(\.message) == ["one token is given to `agent` and to `other`"])
    }

    @Test func `an alias bomb is refused at its first anchor`() throws {
        let bomb = "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\n"
        let error = try #require(throws: ConfigurationError.self) { try decode(bomb) }
        #expect(error.problems.first?.position == TextPosition(line: 1, column: 4))
    }

    @Test func `a file of more than 256 KiB is not read`() throws {
        let error = try #require(throws: ConfigurationError.self) {
            try decode(String(repeating: "#", count: 256 << 10 + 1))
        }
        #expect(error.problems.map(\.message) == ["the file is larger than 256 KiB"])
    }

    @Test func `a socket is for our own user unless it says for whom, and root is nobody special`() throws {
        let sockets = try decode(Self.complete).sockets.map { $0.address(owner: 77) }
        #expect(sockets.map(\.users) == [[1001, 1002], [77]])
        #expect(sockets.map(\.hasReserve) == [false, false])
        let operators = try decode(Self.complete).operatorAddress(owner: 77)
        #expect(operators.users == [77, 0])
        #expect(operators.mode == 0o600)
        #expect(operators.hasReserve)
    }

    @Test func `a group can be written by its name`() throws {
        let text = Self.complete.replacing("group: 12345", with: "group: root")
        #expect(try decode(text).sockets.first?.group == 0)
    }

    @Test func `problems never carry terminal control`() throws {
        let error = try #require(throws: ConfigurationError.self) { try decode("\"a\\e[31m\\u202eb\": 1") }
        #expect(!error.lines.joined().unicodeScalars.contains { $0.value < 0x20 || $0.value > 0x7E && $0 != "…" })
    }
}

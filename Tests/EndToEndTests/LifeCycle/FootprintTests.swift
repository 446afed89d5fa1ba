import Core
import Foundation
import TestSupport
import Testing

/// What a gateway leaves on the disk.
@Suite(.timeLimit(.minutes(5))) struct FootprintTests {
    @Test(arguments: ["000", "077"])
    func `DB-14 nobody else can use what a gateway makes, whatever the umask`(_ mask: String) async throws {
        let scene = try await CrashScene(person: "none")
        try FileManager.default.removeItem(atPath: scene.state)
        let command = "umask \(mask); exec countersign serve"
        let process = try Running("sh", ["-c", command], in: scene.home)
        try await process.says("listening on http://127.0.0.1:\(scene.port)")
        #expect(try await scene.authorize())
        let made = try FileManager.default.subpathsOfDirectory(atPath: scene.state)
        #expect(
            Set(made).isSuperset(of: ["countersign.db", "countersign.db-wal", "countersign.db-shm", "lock", "run"]))
        for name in made {
            var status = stat()
            lstat(scene.state + "/" + name, &status)
            let isDirectory = status.st_mode & S_IFMT == S_IFDIR
            #expect(status.st_mode & 0o777 == (isDirectory ? 0o700 : 0o600), "\(name)")
        }
        #expect(try scene.home.mode(scene.state) == 0o700)
        let key = (scene.home.configuration as NSString).deletingLastPathComponent + "/master.key"
        #expect(try scene.home.mode(key) == 0o600)
        #expect(await process.end().status == 0)
        await scene.end()
    }

    @Test
    func
        `DB-15 files that are no database come into being whole: temporary, synchronised, put in place, directory too`()
        async throws
    {
        let home = try Home()
        let folder = home.directory + "/new/config"
        // What a crash of an earlier start has left.
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        for leftover in ["master.key.new", "countersign.yaml.4194000.new"] {
            try Data("half".utf8).write(to: URL(filePath: folder + "/" + leftover))
        }
        let port = try Ports.free()
        let faults = try DiskFaults(in: home, root: folder)
        let arguments = [
            "--origin", "http://127.0.0.1:9", "--client-id", "pmc_x", "--port", "\(port)", "--config",
            folder + "/countersign.yaml", "--state", home.directory + "/new/state",
        ]
        let made = try await Running("env", faults.environment + ["countersign", "init"] + arguments, in: home)
            .finished()
        #expect(made.status == 0, "\(made.errors)")
        let written = faults.log
        #expect(Self.isWhole(written, "countersign.yaml", folder), "\(written.joined(separator: "\n"))")
        try faults.order(.mmap, 1)
        let serve = ["countersign", "serve", "--config", folder + "/countersign.yaml"]
        let process = try Running("env", faults.environment + serve, in: home)
        try await process.says("listening on http://127.0.0.1:\(port)")
        #expect(await process.end().status == 0)
        #expect(Self.isWhole(faults.log, "master.key", folder), "\(faults.log.joined(separator: "\n"))")
        #expect(Set(try FileManager.default.contentsOfDirectory(atPath: folder)) == ["countersign.yaml", "master.key"])
        for name in ["countersign.yaml", "master.key"] { #expect(try home.mode(folder + "/" + name) == 0o600) }
    }

    /// Written beside its place, synchronised, renamed or linked there, and the directory synchronised: in this order.
    private static func isWhole(_ log: [String], _ name: String, _ folder: String) -> Bool {
        var steps = [
            "open \(folder)/\(name).", "write \(folder)/\(name).", "fsync \(folder)/\(name).",
            "rename \(folder)/\(name)", "fsync \(folder)",
        ]
        for line in log {
            guard let step = steps.first else { break }
            let isStep = step.hasSuffix(".") ? line.hasPrefix(step) && line.hasSuffix(".new") : line == step
            if isStep { steps.removeFirst() }
        }
        return steps.isEmpty
    }

    @Test func `DB-16 links that were planted where the gateway puts its files are not followed`() async throws {
        let scene = try await CrashScene(person: "none")
        await scene.end()
        let first = try scene.launch()
        try await first.says("listening on http://127.0.0.1:\(scene.port)")
        #expect(await first.end().status == 0)
        let victim = scene.home.directory + "/victim"
        let key = (scene.home.configuration as NSString).deletingLastPathComponent + "/master.key"
        let places = ["countersign.db", "countersign.db-wal", "countersign.db-shm", "countersign.db-journal", "lock"]
            .map {
                scene.state + "/" + $0
            }
        for place in places + [key, scene.state + "/run/admin.sock"] {
            for isHard in [false, true] {
                try Data("precious".utf8).write(to: URL(filePath: victim))
                chmod(victim, 0o600)
                let aside = scene.home.directory + "/aside"
                let wasThere = rename(place, aside) == 0
                #expect((isHard ? link(victim, place) : symlink(victim, place)) == 0)
                let ended = try await scene.launch().finished()
                #expect(ended.status == 7, "\(place): \(ended.errors)")
                #expect(try scene.home.text(victim) == "precious", "\(place)")
                #expect(try scene.home.mode(victim) == 0o600, "\(place)")
                unlink(place)
                if wasThere { rename(aside, place) }
            }
        }
        let last = try scene.launch()
        try await last.says("listening on http://127.0.0.1:\(scene.port)")
        #expect(await last.end().status == 0)
    }

    @Test func `LC-11 no child of the gateway stays as a zombie`() async throws {
        let scene = try await CrashScene(person: "none")
        let configuration = try scene.home.text(scene.home.configuration)
        _ = try scene.home.write(
            configuration.replacing("  # open: [xdg-open] ", with: "  open: [\"true\"] # "),
            to: ".config/countersign/countersign.yaml")
        let life = try await scene.start()
        #expect(try await scene.authorize())
        for number in 0..<5 {
            let body = #"{"op":"pick_item","hint":{"url":"https://z\#(number).example.com"}}"#
            #expect(await life.caller.send(.post, "/v1/requests", body, wait: 0)?.status == 202)
        }
        life.process.signal(SIGCHLD)
        // Each is collected within a second or two; the time limit of the test ends this otherwise.
        while try !Self.children(of: life.process.processID).isEmpty { await Task.yield() }
        #expect(await life.end() == 0)
        await scene.end()
    }

    private static func children(of process: Int32) throws -> [Substring] {
        let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")
        return threads.flatMap { thread -> [Substring] in
            guard let file = FileHandle(forReadingAtPath: "/proc/\(process)/task/\(thread)/children") else { return [] }
            defer { try? file.close() }
            return String(decoding: (try? file.readToEnd()) ?? Data(), as: UTF8.self).split(separator: " ").map {
                Substring(String($0))
            }
        }
    }
}

import Foundation

/// A second user of this machine, who dials our sockets. Only root can become somebody else; elsewhere it is our own user,
/// and the sockets are closed to that one. Which of both a run has tested is said in its output.
enum OtherUser {
    static let isReal: Bool = {
        if geteuid() == 0 { return true }
        FileHandle.standardError.write(
            Data("sockets: not root, so that no second user was there; our own was the one who is not let in\n".utf8))
        return false
    }()

    /// `nobody`, where we can become it.
    static let id: UInt32 = isReal ? 65534 : getuid()
    /// Somebody whom a socket can be for, and who is neither of us.
    static let third: UInt32 = 54321

    /// What the scripts begin with. Each prints one JSON document.
    private static let opening = """
        import json, os, socket, sys, time

        def become(user):
            if os.geteuid() == 0 and user != 0:
                os.setgroups([]); os.setgid(user); os.setuid(user)

        def dial(path):
            s = socket.socket(socket.AF_UNIX)
            s.settimeout(60)
            s.connect(path)
            return s

        def ask(s, method, target, body="", more=""):
            # The status and the JSON of the answer; None when it was hung up on.
            text = f"{method} {target} HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n{more}"
            if body:
                text += f"Content-Type: application/json\\r\\nContent-Length: {len(body)}\\r\\n"
            answer = b""
            try:
                s.sendall((text + "\\r\\n" + body).encode())
                while piece := s.recv(65536):
                    answer += piece
            except (BrokenPipeError, ConnectionResetError):
                pass
            if not answer:
                return None
            head, _, body = answer.partition(b"\\r\\n\\r\\n")
            return [int(head.split()[1]), json.loads(body)]

        def apart(work):
            # In a process of its own.
            read, write = os.pipe()
            if os.fork() == 0:
                os.close(read)
                with os.fdopen(write, "w") as out: json.dump(work(), out)
                os._exit(0)
            os.close(write)
            with os.fdopen(read) as text: result = json.load(text)
            os.wait()
            return result


        """

    static func run(_ script: String, _ arguments: String..., in home: Home) throws -> Running {
        try Running("python3", ["-c", opening + script] + arguments, in: home)
    }
}

/// A directory that other users can enter, with a short path. It goes with the test.
final class SharedPlace: Sendable {
    let directory: String

    init() throws {
        var template = Array("/tmp/cst-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw CocoaError(.fileWriteUnknown) }
        directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: directory)
    }

    deinit { try? FileManager.default.removeItem(atPath: directory) }

    func path(_ name: String) -> String { directory + "/" + name }

    /// The permission bits and whether it is a socket; `nil` when nothing is there.
    func status(_ name: String) -> (mode: mode_t, isSocket: Bool, group: gid_t)? {
        var status = stat()
        guard lstat(path(name), &status) == 0 else { return nil }
        return (status.st_mode & 0o7777, status.st_mode & S_IFMT == S_IFSOCK, status.st_gid)
    }
}

extension Home {
    /// Writes a configuration without a MimiKey that exists, and gives its path.
    func configure(listen: String, admin: String? = nil, name: String = "c.yaml") throws -> String {
        let text = """
            listen:
            \(listen)
            admin: { unix: \(admin ?? directory + "/run/admin.sock") }
            state: memory
            mimikey:
              origin: http://127.0.0.1:9
              client_id: pmc_test
              redirect_uri: http://127.0.0.1:7447/callback
            callers: { agent: { may: [{ ops: [pick_item] }] } }
            """
        return try write(text, to: name)
    }
}

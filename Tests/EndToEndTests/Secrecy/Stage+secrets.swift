import Core
import Foundation
import Testing

@testable import Strongbox

/// Everything secret that a stage holds by now.
struct StageSecrets: Sendable {
    /// No longer good for anything: used, replaced, expired.
    var spent: [Canary] = []
    var liveAccessToken: [Canary] = []
    var liveRefreshToken: [Canary] = []
    /// Private keys of the grant, and the master key.
    var keys: [Canary] = []
    var callerToken: Canary

    var all: [Canary] { spent + liveAccessToken + liveRefreshToken + keys + [callerToken] }
}

extension Stage {
    func secrets() async throws -> StageSecrets {
        let answer = try await home.curl("http://127.0.0.1:\(sandboxPort)/_sandbox/secrets")
        let json = try #require(answer.json)
        var secrets = StageSecrets(callerToken: Canary("the caller's token", token))
        for code in json["codes"]?.elements ?? [] { secrets.spent.append(Canary("a code", try #require(code.string))) }
        for verifier in json["verifiers"]?.elements ?? [] {
            secrets.spent.append(Canary("a PKCE verifier", try #require(verifier.string)))
        }
        for (index, token) in (json["access_tokens"]?.elements ?? []).enumerated() {
            let canary = Canary("access token \(index)", try #require(token["token"]?.string))
            if token["live"]?.bool == true {
                secrets.liveAccessToken.append(canary)
            } else {
                secrets.spent.append(canary)
            }
        }
        for (index, token) in (json["refresh_tokens"]?.elements ?? []).enumerated() {
            let canary = Canary("refresh token \(index)", try #require(token["token"]?.string))
            if token["live"]?.bool == true {
                secrets.liveRefreshToken.append(canary)
            } else {
                secrets.spent.append(canary)
            }
        }
        secrets.keys = try await keys()
        return secrets
    }

    /// Puts an item into the vault whose values stand nowhere else, not even in the sandbox's program.
    func addItem(url: String) async throws -> [Canary] {
        let password = "pw-" + UUID().uuidString
        let code = "otp-" + UUID().uuidString
        try await control("items", #"{"url":"\#(url)","password":"\#(password)","one_time_code":"\#(code)"}"#)
        return [Canary("the password of \(url)", password), Canary("the one-time code of \(url)", code)]
    }

    /// Read with the master key from a copy of the state, as it is now.
    private func keys() async throws -> [Canary] {
        let copy = try Home()
        let state = copy.directory + "/state"
        let keyFile = copy.directory + "/master.key"
        let original = home.directory + "/.config/countersign/master.key"
        try FileManager.default.createDirectory(
            atPath: state, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        for name in try FileManager.default.contentsOfDirectory(atPath: home.state) where name.contains(".db") {
            try FileManager.default.copyItem(atPath: home.state + "/" + name, toPath: state + "/" + name)
        }
        try FileManager.default.copyItem(atPath: original, toPath: keyFile)
        let store = try Store(.directory(state), keyFile: keyFile)
        let grant = try await store.loadGrant()
        await store.close()
        var keys = [Canary("the master key", key: Array(try Data(contentsOf: URL(filePath: original))))]
        if let grant {
            keys.append(Canary("the approval key", key: grant.approvalKey.seed.exposed()))
            keys.append(Canary("the seal key", key: grant.sealKey.privateKey.exposed()))
        }
        return keys
    }
}

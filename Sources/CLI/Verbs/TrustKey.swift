import Core

/// `countersign trust-key`: accepts another account key than the one that was pinned.
enum TrustKeyVerb {
    static let verb = Verb(
        ["trust-key"], "accept the account key that MimiKey shows now, by its fingerprint", operands: ["FINGERPRINT"],
        options: [.config, .json],
        notes: """
            Updates are sealed to this key. `countersign status` shows the fingerprint of the key that is trusted, and of
            another one that MimiKey has shown since. Accept it only if the person sees the same one in MimiKey.
            """,
        run: run)

    private static func run(_ arguments: Arguments) async throws(Failure) -> ExitStatus {
        guard let fingerprint = fingerprint(arguments.operands[0]) else {
            throw .usage("a fingerprint is 64 hexadecimal digits", verb: verb)
        }
        let gateway = try OperatorDoor.open(arguments)
        return try await AskVerb.closing(gateway) { () async throws(Failure) in
            let answer: GatewayClient.Answer
            do throws(Failure) {
                answer = try await gateway.send(
                    .post, "/admin/grant/identity-key", json: ["accept": .string(fingerprint)])
            } catch {
                guard error.code == .nothingPending else { throw error }
                throw Failure(
                    error.status, "MimiKey has shown no other key with this fingerprint", code: error.code,
                    hint: "`countersign status` shows which there are")
            }
            if arguments.has("--json") { Output.result(answer.body) }
            Output.talk("from now on updates are sealed to the key \(fingerprint)")
            return .ok
        }
    }

    /// As people copy it: in capitals, in groups with blanks or colons.
    static func fingerprint(_ text: String) -> String? {
        let digits = text.lowercased().filter { $0 != ":" && $0 != " " }
        let isHex = digits.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
        return digits.utf8.count == 64 && isHex ? digits : nil
    }
}

import Foundation
import Synchronization

/// Certificates for a test, made by the `openssl` program in a directory of their own, which goes with it, or with the
/// process.
///
/// `NAME.pem` is the certificate, `NAME.key` its key (P-256), `NAME.chain.pem` the certificate with those between it and
/// its root.
package final class TestPKI: Sendable {
    package let directory: String

    /// When a certificate holds.
    package enum Time: Sendable {
        case now
        case past
        case future

        fileprivate var days: (from: Double, until: Double) {
            switch self {
            case .now: (-1, 30)
            case .past: (-30, -1)
            case .future: (1, 30)
            }
        }
    }

    package init() throws {
        var template = Array("/tmp/pki-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw CocoaError(.fileWriteUnknown) }
        let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        directory = path
        _ = Self.cleansUp
        Self.directories.withLock { _ = $0.insert(path) }
    }

    /// Those that are there.
    private static let directories = Mutex(Set<String>())
    private static let cleansUp: Void = {
        atexit {
            for directory in TestPKI.directories.withLock({ $0 }) { TestPKI.remove(directory) }
        }
    }()

    private static func remove(_ directory: String) {
        try? FileManager.default.removeItem(atPath: directory)
        _ = directories.withLock { $0.remove(directory) }
    }

    /// As `newStandard`, and the same for all tests: many programs have to run for it. More may be added under other names.
    package static func standard() async throws -> TestPKI { try await shared.value }

    private static let shared = Task { try await newStandard() }

    /// An authority `root` with an intermediate one, `middle`, and a certificate `good` of the latter, for the names
    /// `mimikey.test` and `localhost` and the addresses of the loopback.
    package static func newStandard() async throws -> TestPKI {
        let pki = try TestPKI()
        try await pki.makeAuthority("root")
        try await pki.makeAuthority("middle", below: "root")
        try await pki.makeCertificate(
            "good", by: "middle", names: ["DNS:mimikey.test", "DNS:localhost", "IP:127.0.0.1", "IP:::1"])
        return pki
    }

    deinit { Self.remove(directory) }

    package func path(_ file: String) -> String { directory + "/" + file }

    /// An authority: a root, or one below another.
    package func makeAuthority(_ name: String, below issuer: String? = nil, valid time: Time = .now) async throws {
        let extensions = "basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign,cRLSign"
        try await make(name, by: issuer, extensions, valid: time)
    }

    /// A certificate of a service.
    /// - Parameters:
    ///   - issuer: `nil`: itself.
    ///   - names: such as `DNS:localhost` and `IP:127.0.0.1`; none: only a common name, `localhost`.
    package func makeCertificate(
        _ name: String, by issuer: String?, names: [String], valid time: Time = .now, usage: String = "serverAuth",
        key: [String] = TestPKI.p256
    ) async throws {
        var extensions = "basicConstraints=CA:FALSE\nextendedKeyUsage=\(usage)"
        if !names.isEmpty { extensions += "\nsubjectAltName=" + names.joined(separator: ",") }
        try await make(name, by: issuer, extensions, valid: time, key: key)
    }

    package static let p256 = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]

    private func make(
        _ name: String, by issuer: String?, _ extensions: String, valid time: Time, key: [String] = TestPKI.p256
    ) async throws {
        let commonName = extensions.contains("CA:TRUE") ? name : "localhost"
        try await openssl(
            ["req", "-new", "-nodes", "-keyout", "\(name).key", "-out", "\(name).csr", "-subj", "/CN=\(commonName)"]
                + key)
        try write(extensions + "\n", to: "\(name).ext")
        try write("", to: "\(name).index")
        try write(
            """
            [ca]
            default_ca = it
            [it]
            database = \(name).index
            new_certs_dir = .
            rand_serial = yes
            default_md = sha256
            policy = any
            [any]
            commonName = supplied
            """, to: "\(name).cnf")
        let (from, until) = time.days
        var signer = ["-selfsign", "-keyfile", "\(name).key"]
        if let issuer { signer = ["-cert", "\(issuer).pem", "-keyfile", "\(issuer).key"] }
        try await openssl(
            ["ca", "-batch", "-notext", "-config", "\(name).cnf", "-in", "\(name).csr", "-out", "\(name).pem"]
                + ["-extfile", "\(name).ext", "-startdate", Self.date(from), "-enddate", Self.date(until)] + signer)
        var chain = try text("\(name).pem")
        if let issuer, FileManager.default.fileExists(atPath: path("\(issuer).chain.pem")) {
            chain += try text("\(issuer).chain.pem")
        }
        // A root is known to whoever believes it, and is not sent.
        let isRoot = issuer == nil && extensions.contains("CA:TRUE")
        if !isRoot { try write(chain, to: "\(name).chain.pem") }
    }

    private func openssl(_ arguments: [String]) async throws {
        let command = arguments.map { "'\($0)'" }.joined(separator: " ")
        try await Tool.run("sh", "-c", "openssl " + command, in: directory)
    }

    private static func date(_ days: Double) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "UTC")
        formatter.dateFormat = "yyyyMMddHHmmss'Z'"
        return formatter.string(from: Date(timeIntervalSinceNow: days * 86_400))
    }

    private func text(_ file: String) throws -> String { try String(contentsOfFile: path(file), encoding: .utf8) }

    package func write(_ text: String, to file: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path(file)))
    }

    package func bytes(of file: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path(file)))) }
}

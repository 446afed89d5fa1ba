import Foundation

/// An nginx that speaks TLS on a port of 127.0.0.1 (and of ::1, where there is one), with certificates of a `TestPKI`.
package final class Nginx: Sendable {
    package let port: UInt16
    private let tool: Tool
    private let pki: TestPKI

    /// - Parameters:
    ///   - certificate: a name of the PKI; its whole chain is sent.
    ///   - sendsChain: `false`: the certificate alone is sent.
    ///   - protocols: the versions of TLS that it speaks.
    ///   - server: more directives of the server.
    package init(
        _ pki: TestPKI, certificate: String, sendsChain: Bool = true, port: UInt16? = nil,
        protocols: String = "TLSv1.2 TLSv1.3",
        server: String = "location / { return 200 \"$ssl_protocol $ssl_session_reused $ssl_server_name\"; }"
    ) async throws {
        let port = try port ?? Ports.free()
        let home = "nginx-\(port)"
        try FileManager.default.createDirectory(atPath: pki.path(home), withIntermediateDirectories: true)
        try pki.write(
            """
            daemon off;
            master_process off;
            pid \(pki.path(home))/pid;
            error_log stderr notice;
            events { worker_connections 256; }
            http {
              access_log off;
              client_body_temp_path \(pki.path(home))/body;
              proxy_temp_path \(pki.path(home))/proxy;
              fastcgi_temp_path \(pki.path(home))/fastcgi;
              uwsgi_temp_path \(pki.path(home))/uwsgi;
              scgi_temp_path \(pki.path(home))/scgi;
              client_max_body_size 8m;
              server {
                listen 127.0.0.1:\(port) ssl;
                ssl_certificate \(pki.path(certificate + (sendsChain ? ".chain.pem" : ".pem")));
                ssl_certificate_key \(pki.path(certificate + ".key"));
                ssl_protocols \(protocols);
                \(server)
              }
            }
            """, to: home + "/nginx.conf")
        self.port = port
        self.pki = pki
        tool = try Tool(["nginx", "-e", "stderr", "-p", pki.path(home), "-c", pki.path(home) + "/nginx.conf"])
        try await tool.says("event method")
    }

    /// Ends it, with its connections.
    package func end() async { await tool.ended() }
}

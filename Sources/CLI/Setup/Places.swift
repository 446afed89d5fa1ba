/// Where the configuration and the state lie, by the rules of the XDG base directories.
enum Places {
    /// What `init` writes.
    static func newConfiguration() throws(Failure) -> String {
        try base("XDG_CONFIG_HOME", below: ".config") + "/countersign/countersign.yaml"
    }

    static func newState() throws(Failure) -> String {
        try base("XDG_STATE_HOME", below: ".local/state") + "/countersign"
    }

    /// The operator's socket, in a directory of ours.
    static func adminSocket(state: String) -> String {
        guard let runtime = directory(in: "XDG_RUNTIME_DIR") else { return state + "/run/admin.sock" }
        return runtime + "/countersign/admin.sock"
    }

    /// The configuration that is in use: `--config`, else `$COUNTERSIGN_CONFIG`, else the user's, else the machine's.
    static func configuration(_ arguments: Arguments) throws(Failure) -> String {
        if let named = arguments.value("--config") ?? Process.environment("COUNTERSIGN_CONFIG") { return named }
        let mine = try newConfiguration()
        let machine = "/etc/countersign/countersign.yaml"
        return !Files.exists(mine) && Files.exists(machine) ? machine : mine
    }

    private static func base(_ variable: String, below home: String) throws(Failure) -> String {
        if let directory = directory(in: variable) { return directory }
        guard let directory = directory(in: "HOME") else {
            throw Failure(.configuration, "neither $\(variable) nor $HOME is set", hint: "name the files with options")
        }
        return directory + "/" + home
    }

    /// A relative path in one of these variables counts as none.
    private static func directory(in variable: String) -> String? {
        Process.environment(variable).flatMap { $0.hasPrefix("/") ? $0 : nil }
    }

    /// The configuration holds absolute paths only.
    static func absolute(path: String) -> String {
        if path.hasPrefix("/") { return path }
        return (Files.workingDirectory ?? "") + "/" + path
    }

    /// The directory of a file.
    static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}

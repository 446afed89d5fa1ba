/// One thing that is wrong with a configuration file.
package struct ConfigurationProblem: Error, Hashable, Sendable {
    /// `nil` when it concerns the file as a whole.
    package let position: TextPosition?
    /// What is wrong, without capital and full stop.
    package let message: String
    /// What to write instead.
    package let hint: String?

    init(at position: TextPosition?, _ message: String, hint: String? = nil) {
        self.position = position
        self.message = message
        self.hint = hint
    }
}

/// Everything that is wrong with a configuration file, in the order of the file. The file is not used.
package struct ConfigurationError: Error, Sendable {
    package let file: String
    package let problems: [ConfigurationProblem]

    /// One line for each problem: `FILE:LINE:COLUMN: message (hint)`.
    package var lines: [String] {
        problems.map { problem in
            let place = problem.position.map { ":\($0.line):\($0.column)" } ?? ""
            let hint = problem.hint.map { " (\($0))" } ?? ""
            return "\(file)\(place): \(problem.message)\(hint)"
        }
    }
}

extension String {
    /// A key or a short value of the file, safe for a terminal: at most 40 characters, none of them a control character.
    var shownInConfiguration: String {
        let shown = unicodeScalars.prefix(40).map { scalar -> String in
            let isPlain = scalar.value >= 0x20 && scalar.value < 0x7F
            return isPlain ? String(Character(scalar)) : "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
        }
        return shown.joined() + (unicodeScalars.count > 40 ? "…" : "")
    }
}

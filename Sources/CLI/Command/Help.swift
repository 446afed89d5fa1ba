/// The texts of `--help`, made from the table of verbs.
enum Help {
    static var overview: String {
        let width = Verb.all.map { $0.words.joined(separator: " ").count }.max() ?? 0
        let verbs = Verb.all.map { verb in
            "  " + verb.words.joined(separator: " ").padded(to: width) + "  " + verb.summary
        }
        return """
            Countersign is a local gateway: agents ask it for a password in plain HTTP, the person taps in MimiKey,
            and the answer comes back as JSON.

            usage: countersign VERB [OPTIONS]

            \(verbs.joined(separator: "\n"))

            `countersign VERB --help` tells more. Results go to standard output, everything else to standard error.
            Exit status: 0 ok, 1 other failure, 2 usage, 3 denied, 4 expired, 5 not authorized, 6 limit,
            7 configuration, 8 cancelled, 9 pending, 10 policy, 130 interrupted.
            """
    }

    static func text(for verb: Verb) -> String {
        let words = verb.words.joined(separator: " ")
        let usage = (["usage: countersign", words] + (verb.options.isEmpty ? [] : ["[OPTIONS]"]) + verb.operands)
            .joined(separator: " ")
        let shown = verb.options + [Option("--help", flag: "show this")]
        let width = shown.map(\.usage.count).max() ?? 0
        let options = shown.map { option in
            let times = option.repeats ? " (may be given more than once)" : ""
            return "  \(option.usage.padded(to: width))  \(option.help)\(times)"
        }
        let notes = verb.notes.isEmpty ? "" : "\n\n" + verb.notes
        return
            "\(usage)\n\n\(verb.summary.prefix(1).uppercased() + verb.summary.dropFirst()).\n\n\(options.joined(separator: "\n"))\(notes)"
    }
}

extension Option {
    fileprivate var usage: String { value.map { "\(name) \($0)" } ?? mayTake.map { "\(name)[=\($0)]" } ?? name }
}

extension String {
    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }

    /// Text of somebody else's, safe for a terminal: control, bidi and zero-width characters are shown escaped.
    var shownOnTerminal: String {
        var shown = ""
        for scalar in unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
                shown += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            default: shown.unicodeScalars.append(scalar)
            }
        }
        return shown
    }
}

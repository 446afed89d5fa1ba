import Core
import Foundation
import Testing

/// What a line of the log may look like: names out of the closed list, and under each a value of its shape.
enum LogShapes {
    /// Sentences for the person share standard error with the log.
    static func lines(of text: String) -> [Substring] {
        text.split(separator: "\n").filter { !$0.hasPrefix("countersign: ") && !$0.hasPrefix("hint: ") }
    }

    static func check(_ line: Substring) {
        guard let value = try? JSONDocument(Array(line.utf8)).root, value.kind == .object else {
            Issue.record("no JSON object: \(line)")
            return
        }
        for member in value.members {
            let text = member.value.string ?? String(decoding: member.value.raw, as: UTF8.self)
            guard let shape = shape(of: member.name) else {
                Issue.record("a name that is not in the list: \(line)")
                continue
            }
            #expect(text.wholeMatch(of: shape) != nil, "\(member.name) is not of its shape: \(line)")
        }
    }

    private static func shape(of name: String) -> Regex<Substring>? {
        switch name {
        case "time": return /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/
        case "level": return /debug|info|warning|error/
        case "message": return /[A-Za-z' ,;:-]{1,120}/
        default: break
        }
        guard let field = LogEvent.Field(rawValue: name) else { return nil }
        switch field {
        case .address, .door: return /unix|\/[ -~]{1,107}|[0-9a-f.:\[\]]{1,60}/
        case .askID: return /ask_[A-Za-z0-9_-]{22}/
        case .caller: return /[a-z0-9._-]{1,64}/
        case .cause: return /E[A-Z0-9]{1,20}/
        case .code, .error, .fault, .reason, .state: return /[a-z_]{1,40}/
        case .count, .microseconds, .seconds, .pid, .uid: return /-?\d{1,12}/
        case .detail: return /[ -~]{1,300}/
        case .method: return /GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|other/
        case .op: return /[a-z]{1,20}_item/
        case .route: return /\/[a-z_.{}\/0-9-]{1,60}/
        case .status: return /[1-5]\d\d|[a-z]{1,20}/
        case .traceID: return /[0-9a-f]{16}/
        }
    }
}

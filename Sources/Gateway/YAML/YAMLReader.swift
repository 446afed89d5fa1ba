import CYAML

/// Reads one YAML document with libyaml, and only the plain part of the language: no anchors, aliases, tags, merge keys or
/// second documents; UTF-8; at most 256 KiB, 16 levels deep.
struct YAMLReader: ~Copyable {
    static let longestFile = 256 << 10
    static let deepest = 16

    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let bytes: UnsafeMutableBufferPointer<UInt8>

    /// Throws the first problem that is found.
    static func read(_ bytes: [UInt8]) throws(ConfigurationProblem) -> YAMLNode {
        guard bytes.count <= longestFile else {
            throw ConfigurationProblem(at: nil, "the file is larger than 256 KiB")
        }
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw ConfigurationProblem(at: nil, "the file is not UTF-8")
        }
        let reader = try YAMLReader(bytes)
        return try reader.document()
    }

    private init(_ text: [UInt8]) throws(ConfigurationProblem) {
        bytes = .allocate(capacity: max(text.count, 1))
        _ = bytes.initialize(from: text)
        parser = .allocate(capacity: 1)
        parser.initialize(to: yaml_parser_t())
        guard yaml_parser_initialize(parser) == 1 else {
            parser.deallocate()
            bytes.deallocate()
            throw ConfigurationProblem(at: nil, "there is no memory to read the file")
        }
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(parser, bytes.baseAddress, text.count)
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deallocate()
        bytes.deallocate()
    }

    private func document() throws(ConfigurationProblem) -> YAMLNode {
        var root: YAMLNode?
        while true {
            let event = try next()
            switch event.kind {
            case .streamStart, .documentEnd: continue
            case .documentStart:
                if root != nil { throw ConfigurationProblem(at: event.position, "a second document starts here") }
                root = try node(next(), depth: 1)
            case .streamEnd:
                guard let root else { throw ConfigurationProblem(at: event.position, "the file is empty") }
                return root
            default: throw ConfigurationProblem(at: event.position, "this is not expected here")
            }
        }
    }

    private func node(_ event: Event, depth: Int) throws(ConfigurationProblem) -> YAMLNode {
        guard depth <= Self.deepest else {
            throw ConfigurationProblem(at: event.position, "nested more than \(Self.deepest) levels deep")
        }
        switch event.kind {
        case .scalar(let text): return YAMLNode(position: event.position, content: .scalar(text))
        case .sequenceStart:
            var elements: [YAMLNode] = []
            while true {
                let inner = try next()
                if case .sequenceEnd = inner.kind { break }
                elements.append(try node(inner, depth: depth + 1))
            }
            return YAMLNode(position: event.position, content: .sequence(elements))
        case .mappingStart: return YAMLNode(position: event.position, content: .mapping(try entries(depth: depth)))
        default: throw ConfigurationProblem(at: event.position, "a value is expected here")
        }
    }

    private func entries(depth: Int) throws(ConfigurationProblem) -> [YAMLNode.Entry] {
        var entries: [YAMLNode.Entry] = []
        var seen: Set<String> = []
        while true {
            let event = try next()
            if case .mappingEnd = event.kind { return entries }
            guard case .scalar(let key) = event.kind else {
                throw ConfigurationProblem(at: event.position, "a key must be plain text")
            }
            guard key != "<<" else {
                throw ConfigurationProblem(at: event.position, "merge keys are not read; write the keys out")
            }
            guard seen.insert(key).inserted else {
                throw ConfigurationProblem(
                    at: event.position, "the key `\(key.shownInConfiguration)` stands here twice")
            }
            let value = try node(next(), depth: depth + 1)
            entries.append(YAMLNode.Entry(key: key, position: event.position, value: value))
        }
    }
}

extension YAMLReader {
    private struct Event {
        enum Kind {
            case streamStart, streamEnd, documentStart, documentEnd
            case scalar(String)
            case sequenceStart, sequenceEnd, mappingStart, mappingEnd
        }

        let kind: Kind
        let position: TextPosition
    }

    /// The next event of libyaml, without what we do not read.
    private func next() throws(ConfigurationProblem) -> Event {
        var event = yaml_event_t()
        guard yaml_parser_parse(parser, &event) == 1 else { throw syntaxProblem }
        defer { yaml_event_delete(&event) }
        let position = TextPosition(line: Int(event.start_mark.line) + 1, column: Int(event.start_mark.column) + 1)
        let kind: Event.Kind
        switch event.type {
        case YAML_STREAM_START_EVENT: kind = .streamStart
        case YAML_STREAM_END_EVENT, YAML_NO_EVENT: kind = .streamEnd
        case YAML_DOCUMENT_START_EVENT: kind = .documentStart
        case YAML_DOCUMENT_END_EVENT: kind = .documentEnd
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            try refuse(anchor: scalar.anchor, tag: scalar.tag, at: position)
            let text = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
            kind = .scalar(String(decoding: text, as: UTF8.self))
        case YAML_SEQUENCE_START_EVENT:
            try refuse(anchor: event.data.sequence_start.anchor, tag: event.data.sequence_start.tag, at: position)
            kind = .sequenceStart
        case YAML_SEQUENCE_END_EVENT: kind = .sequenceEnd
        case YAML_MAPPING_START_EVENT:
            try refuse(anchor: event.data.mapping_start.anchor, tag: event.data.mapping_start.tag, at: position)
            kind = .mappingStart
        case YAML_MAPPING_END_EVENT: kind = .mappingEnd
        default: throw ConfigurationProblem(at: position, "aliases are not read; write the value out")
        }
        return Event(kind: kind, position: position)
    }

    private func refuse(
        anchor: UnsafeMutablePointer<yaml_char_t>?, tag: UnsafeMutablePointer<yaml_char_t>?, at position: TextPosition
    ) throws(ConfigurationProblem) {
        if anchor != nil { throw ConfigurationProblem(at: position, "anchors are not read; write the value out") }
        if tag != nil { throw ConfigurationProblem(at: position, "tags are not read; remove the `!…`") }
    }

    private var syntaxProblem: ConfigurationProblem {
        let mark = parser.pointee.problem_mark
        let reason = parser.pointee.problem.map { String(cString: $0) } ?? "this is no YAML"
        return ConfigurationProblem(
            at: TextPosition(line: Int(mark.line) + 1, column: Int(mark.column) + 1), "not YAML: \(reason)")
    }
}

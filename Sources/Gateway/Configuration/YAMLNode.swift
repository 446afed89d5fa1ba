/// A place in a file, as editors count: from 1.
package struct TextPosition: Hashable, Sendable {
    package let line: Int
    package let column: Int
}

/// A value of a YAML file, with its place. Scalars stay the text that was written: nothing is guessed to be a number, a
/// date or a boolean.
struct YAMLNode: Sendable {
    enum Content: Sendable {
        case scalar(String)
        case sequence([YAMLNode])
        /// In order; keys are unique.
        case mapping([Entry])
    }

    struct Entry: Sendable {
        let key: String
        let position: TextPosition
        let value: YAMLNode
    }

    let position: TextPosition
    let content: Content
}

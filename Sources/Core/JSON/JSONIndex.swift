/// A validated index of a JSON text: kinds and byte ranges, no copies. The bytes stay where they are, so an opened box
/// can be read without leaving locked memory.
///
/// Accepted is RFC 8259 in UTF-8, and less: no byte order mark, no member name twice in one object (however it is
/// spelled), no lone surrogate, no `\u0000` unless it is asked for, nothing beyond
/// `JSONLimits`.
///
/// Names are told apart by their Unicode scalars. Two names of one object may therefore still be equal as Swift
/// strings (`é` as one scalar or as two): do not put them into a dictionary that must not meet a key twice.
package struct JSONIndex: Hashable, Sendable {
    package enum Kind: Hashable, Sendable { case object, array, string, number, bool, null }

    /// Names a value of this index.
    package struct NodeID: Hashable, Sendable {
        package let position: Int
        package init(position: Int) { self.position = position }
    }

    /// One value. Nodes stand in the order of the text, so a container is followed by what is inside it.
    struct Node: Hashable, Sendable {
        let kind: Kind
        /// The member name with its quotes; empty for elements and the root.
        let name: Range<Int>
        let start: Int
        var end: Int
        /// The position of the first node behind this value.
        var next: Int
    }

    private let nodes: [Node]

    /// Never recursive; refuses trailing bytes.
    package init(validating bytes: RawSpan, limits: JSONLimits = .standard) throws(JSONError) {
        try self.init(validating: Span<UInt8>(_bytes: bytes), limits: limits)
    }

    package init(validating bytes: Span<UInt8>, limits: JSONLimits = .standard) throws(JSONError) {
        var scanner = JSONScanner(limits: limits)
        try scanner.scan(bytes)
        nodes = scanner.nodes
    }

    package var root: NodeID { NodeID(position: 0) }

    package func kind(of node: NodeID) -> Kind { nodes[node.position].kind }

    /// The bytes of the value, quotes included.
    package func range(of node: NodeID) -> Range<Int> { nodes[node.position].start..<nodes[node.position].end }

    /// Members in order: the range of the name (quotes included) and the value. Empty unless an object.
    package func members(of node: NodeID) -> [(name: Range<Int>, value: NodeID)] {
        guard kind(of: node) == .object else { return [] }
        return children(of: node).map { (name: nodes[$0].name, value: NodeID(position: $0)) }
    }

    /// Elements in order. Empty unless an array.
    package func elements(of node: NodeID) -> [NodeID] {
        guard kind(of: node) == .array else { return [] }
        return children(of: node).map(NodeID.init(position:))
    }

    /// The member of that name, compared after unescaping, scalar by scalar.
    package func member(_ name: String, of node: NodeID, in bytes: RawSpan) -> NodeID? {
        member(name, of: node, in: Span<UInt8>(_bytes: bytes))
    }

    package func member(_ name: String, of node: NodeID, in bytes: Span<UInt8>) -> NodeID? {
        guard kind(of: node) == .object else { return nil }
        for child in children(of: node) where JSONText(quoted: nodes[child].name).equals(name, in: bytes) {
            return NodeID(position: child)
        }
        return nil
    }

    /// The text of a string node or of a member name, unescaped. `range` includes the quotes.
    package func text(at range: Range<Int>, in bytes: RawSpan) -> String {
        text(at: range, in: Span<UInt8>(_bytes: bytes))
    }

    package func text(at range: Range<Int>, in bytes: Span<UInt8>) -> String {
        JSONText(quoted: range).string(in: bytes)
    }

    private func children(of node: NodeID) -> [Int] {
        var found: [Int] = []
        var child = node.position + 1
        while child < nodes[node.position].next {
            found.append(child)
            child = nodes[child].next
        }
        return found
    }
}

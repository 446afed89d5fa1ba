/// A piece of a text that is put together from literals and from ranges of another text.
///
/// A projection is decided here as segments and carried out by `SecretBody`, so that what is secret is copied once,
/// from locked memory to locked memory.
package enum Segment: Hashable, Sendable {
    case literal([UInt8])
    case range(Range<Int>)
}

package import Core
package import Strongbox

/// The plaintext of a result (protocol §6), read where it lies.
package struct ItemResult: Sendable {
    package let facts: ItemFacts
    /// The flat names of the record's members: `card_number`, not `extra.card_number`.
    package let names: Set<String>

    /// Throws `result_malformed` unless the plaintext is of that form, or two members have one flat name.
    package init(reading plaintext: SecretBody) throws(Problem) { fatalError() }

    /// `{"item":{"id","vault_id","revision","kind","record":{…}}}` with only these record members, as segments.
    package func projection(to fields: FieldSelection) -> [Segment] { fatalError() }
}

import Core
import Foundation

/// Does Foundation read the same out of a text? Numbers are compared as `Double`, less its last bit: Foundation keeps
/// no more of the long ones.
func agree(_ value: JSONValue, _ other: Any) -> Bool {
    switch value.kind {
    case .object:
        guard let object = other as? [String: Any], object.count == value.members.count else { return false }
        return value.members.allSatisfy { member in
            object[member.name].map { agree(member.value, $0) } ?? false
        }
    case .array:
        guard let array = other as? [Any], array.count == value.elements.count else { return false }
        return zip(value.elements, array).allSatisfy { agree($0, $1) }
    case .string:
        guard let text = other as? String, let own = value.string else { return false }
        return Array(own.utf8) == Array(text.utf8)
    case .number:
        let text = String(decoding: value.raw, as: UTF8.self)
        guard let number = other as? NSNumber, let double = Double(text) else { return false }
        return number.doubleValue == double || abs(number.doubleValue - double) <= abs(double) * 1e-15
    case .bool: return (other as? Bool) == value.bool
    case .null: return other is NSNull
    }
}

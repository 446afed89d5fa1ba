import Testing

@testable import Sandbox

struct BoundedMapTests {
    @Test func `the oldest go when it is full, however long it runs`() {
        var map = BoundedMap<Int>(capacity: 3)
        for number in 0..<50 {
            map.insert(number, for: "key \(number)")
            #expect(map.count == min(number + 1, 3))
            #expect(Array(map.keys) == (max(0, number - 2)...number).map { "key \($0)" })
        }
        #expect(map["key 46"] == nil)
        #expect(map["key 47"] == 47)
    }

    @Test func `a change does not make an entry younger`() {
        var map = BoundedMap<Int>(capacity: 2)
        map.insert(1, for: "a")
        map.insert(2, for: "b")
        map.update("a") { $0 = 10 }
        map.update("absent") { $0 = 11 }
        #expect(map["a"] == 10)
        map.insert(3, for: "c")
        #expect(map["a"] == nil)
        #expect(map["b"] == 2)
    }
}

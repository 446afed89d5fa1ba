import Glibc

/// The properties, by the name that `FUZZ_TARGET` chooses. They are built into one program with all of `Core`, as one
/// module, so that what is internal there can be called.
private let targets: [String: @Sendable ([UInt8]) -> Void] = [
    "address": checkAddress,
    "base64url": checkBase64URL,
    "chunks": checkChunks,
    "date": checkDate,
    "fields": checkFields,
    "json": checkJSON,
    "query": checkQuery,
    "request": checkRequest,
    "response": checkResponse,
    "target": checkTarget,
    "url": checkURL,
]

private let check: @Sendable ([UInt8]) -> Void = {
    guard let name = getenv("FUZZ_TARGET"), let check = targets[String(cString: name)] else {
        fatalError("FUZZ_TARGET is to be one of: \(targets.keys.sorted().joined(separator: " "))")
    }
    Cost.startCounting()
    return check
}()

/// What libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    check(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}

/// Ends the program, which makes the input a finding.
func require(_ holds: Bool, _ sentence: @autoclosure () -> String) {
    if !holds { fatalError("broken: \(sentence())") }
}

/// The value, which must be there.
func require<Value>(_ value: Value?, _ sentence: @autoclosure () -> String) -> Value {
    guard let value else { fatalError("broken: \(sentence())") }
    return value
}

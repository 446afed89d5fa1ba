/// Queries, preferences and media types.
func checkQuery(_ bytes: [UInt8]) {
    if let text = String(validating: bytes, as: UTF8.self) {
        if let query = Cost.bounded({ QueryString(parsing: text) }) {
            require(QueryString(parsing: query.encoded) == query, "a query reads back as another one")
            require(
                query.pairs.allSatisfy { !$0.name.utf8.contains(0) && !$0.value.utf8.contains(0) }, "a NUL is decoded")
        }
        let isJSON = Cost.bounded { MediaType.isJSON(text) }
        if isJSON {
            require(MediaType.isJSON(text.uppercased()), "the case of a media type matters")
            require(!text.contains(","), "a list is a media type")
        }
    }
    func wait(_ lines: [UInt8]...) -> Result<Int?, Problem> {
        var fields = HTTPFields()
        for line in lines { fields.append(HTTPField("prefer", bytes: line)) }
        do throws(Problem) { return .success(try Preference.wait(in: fields)) } catch { return .failure(error) }
    }
    let alone = Cost.bounded { wait(bytes) }
    let others = [wait(Array("respond-async, ".utf8) + bytes), wait(Array("respond-async".utf8), bytes)]
    switch alone {
    case .success(let seconds):
        require(seconds.map { (0...Preference.longestWait).contains($0) } ?? true, "a wait is out of range")
        for case .success(let other) in others { require(other == seconds, "another preference changes the wait") }
        for case .failure in others { fatalError("broken: another preference makes a right one wrong") }
    case .failure(let problem):
        if case .success = others[0] { fatalError("broken: another preference heals a wrong one") }
        require(problem.code == .invalidPreference, "a wrong preference is told as \(problem.code)")
    }
}

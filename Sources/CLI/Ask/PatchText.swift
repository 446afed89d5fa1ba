import Core

/// The JSON text of a patch, put together from bytes that never become a `String`.
enum PatchText {
    /// Bytes of `{"patch":…}` that MimiKey takes; what is longer is refused by the gateway as well.
    private static let longest = 49_104

    static func read(_ sources: PatchSources) async throws(Failure) -> [UInt8] {
        switch sources {
        case .whole(let source): return try whole(try await bytes(of: source, asking: "the patch as one line of JSON"))
        case .values(let values):
            var text: [UInt8] = []
            for (name, source) in values {
                let value = withoutLineEnd(try await bytes(of: source, asking: name))
                guard (try? UTF8Span(validating: value.span)) != nil else {
                    throw Failure(.failure, "the value for `\(name)` is not text in UTF-8")
                }
                text.append(text.isEmpty ? UInt8(ascii: "{") : UInt8(ascii: ","))
                JSON.append(quotingUTF8: name.utf8, to: &text)
                text.append(UInt8(ascii: ":"))
                JSON.append(quotingUTF8: value, to: &text)
            }
            text.append(UInt8(ascii: "}"))
            return text
        }
    }

    /// The object as it stands in the file, once it was found to be one of texts.
    private static func whole(_ text: [UInt8]) throws(Failure) -> [UInt8] {
        let value: JSONValue
        do throws(JSONError) { value = try JSONDocument(text, limits: JSONLimits(acceptsNUL: true)).root } catch {
            throw Failure(.failure, "the patch is no JSON: \(error.detail.asTalk)")
        }
        guard value.kind == .object, value.members.allSatisfy({ $0.value.kind == .string }) else {
            throw Failure(.failure, "the patch is no JSON object whose values are all strings")
        }
        return value.raw
    }

    private static func bytes(of source: PatchSources.Source, asking what: String) async throws(Failure) -> [UInt8] {
        let bytes: [UInt8]
        switch source {
        case .standardInput where Terminal.canAsk: bytes = try await typed(what)
        case .standardInput:
            do throws(FileError) { bytes = try Files.readStandardInput(limit: longest + 1) } catch {
                throw error.failure
            }
        case .file(let path):
            do throws(FileError) { bytes = try Files.read(path, limit: longest + 1) } catch { throw error.failure }
        }
        guard bytes.count <= longest else {
            throw Failure(.failure, "what is to be written is longer than \(longest) bytes")
        }
        return bytes
    }

    /// One line from the person, which their terminal does not show.
    private static func typed(_ what: String) async throws(Failure) -> [UInt8] {
        return try await Signals.cancelling { () async throws(Failure) in
            try await Terminal.hidingInput { () async throws(Failure) in
                // Said now: what is typed before is thrown away.
                Output.talk("type \(what); it is not shown")
                var lines = TypedLines()
                guard let line = await lines.next() else {
                    throw Task.isCancelled ? .interrupted : Failure(.failure, "nothing was typed")
                }
                return line
            }
        }
    }

    private static func withoutLineEnd(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.last == 0x0A else { return bytes }
        return Array(bytes.dropLast(bytes.dropLast().last == 0x0D ? 2 : 1))
    }
}

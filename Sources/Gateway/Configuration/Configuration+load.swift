import Core

extension Configuration {
    /// Reads and checks a file; the error holds every problem that was found.
    package static func load(file: String) throws(ConfigurationError) -> Configuration {
        let bytes: [UInt8]
        do throws(ConfigurationProblem) {
            bytes =
                try ConfigurationFile(
                    path: file, limit: YAMLReader.longestFile,
                    whenMissing: "`countersign init` writes one; `--config` names another"
                ).bytes
        } catch {
            throw ConfigurationError(file: file, problems: [error])
        }
        let configuration = try decode(bytes, file: file)
        try FaultPoint.policyParsed.reached(
            orThrow: ConfigurationError(
                file: file, problems: [ConfigurationProblem(at: nil, "reading was told to fail")]))
        return configuration
    }

    /// Checks the text of a file. `file` is what the error calls it.
    package static func decode(_ bytes: [UInt8], file: String) throws(ConfigurationError) -> Configuration {
        let root: YAMLNode
        do throws(ConfigurationProblem) {
            root = try YAMLReader.read(bytes)
        } catch {
            throw ConfigurationError(file: file, problems: [error])
        }
        var decoder = ConfigurationDecoder()
        guard let configuration = decoder.configuration(root) else {
            throw ConfigurationError(file: file, problems: decoder.problemsInOrder)
        }
        return configuration
    }
}

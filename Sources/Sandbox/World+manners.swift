import Core

extension World {
    /// `POST /_sandbox/manners`: `{"name":"delay","percent":100}`, where `all` is every manner; `{"rude":true}` is as usual,
    /// `{"rude":false}` polite; `{"seed":7}` begins anew; `{"delay_scale_percent":1}`.
    mutating func changeManners(_ body: JSONValue) throws(Refusal) -> JSON {
        var changed = manners
        if let rude = body["rude"] {
            guard let isRude = rude.bool else { throw .invalidInput }
            if isRude { changed.beUsual() } else { changed.bePolite() }
        }
        if let seed = body["seed"] {
            guard let number = seed.integer ?? seed.string.flatMap(Int64.init), number >= 0 else { throw .invalidInput }
            changed.reseed(UInt64(number))
        }
        if let scale = body["delay_scale_percent"] {
            guard let percent = scale.integer, (0...10_000).contains(percent) else { throw .invalidInput }
            changed.stretchDelays(by: Double(percent) / 100)
        }
        if let name = try body.text("name", orRefuse: .invalidInput) {
            guard let percent = body["percent"]?.integer, (0...100).contains(percent) else { throw .invalidInput }
            if name == "all" {
                for manner in Manner.allCases { changed.set(manner, percent: Int(percent)) }
            } else {
                guard let manner = Manner(rawValue: name) else { throw .invalidInput }
                changed.set(manner, percent: Int(percent))
            }
        }
        manners = changed
        return manners.json
    }
}

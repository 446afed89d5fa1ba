import Core
import Strongbox

/// What the person's device carries out once they have tapped.
extension World {
    mutating func completed(
        _ request: CardRequest, in grant: Grant, itemID: String?, savesOutside: Bool
    ) -> CardRequest.State {
        switch request.operation {
        case .pick, .get:
            let offered = candidates(for: request, in: grant)
            guard let item = itemID.flatMap({ id in offered.first { $0.id == id } }) ?? offered.first else {
                return .denied(reason: nil)
            }
            return sealed(item, for: request, in: grant)
        case .create(let vaultID, let kind, let prefill):
            let item = prefill.item(
                id: newID("it_"), vaultID: savesOutside ? SampleVault.outside : vaultID, kind: kind,
                made: Hex.encode(random(6)))
            keep(item)
            return savesOutside ? .completed(.savedOutOfScope) : sealed(item, for: request, in: grant)
        case .update(_, let itemID, let fields): return updated(itemID, fields, request, in: grant)
        }
    }

    /// The item, sealed to the grant and bound to this request.
    private func sealed(_ item: SampleItem, for request: CardRequest, in grant: Grant) -> CardRequest.State {
        guard
            let box = try? SealedBox.seal(
                item.plaintext, to: grant.sealKey, info: Wire.resultInfo,
                aad: Wire.boundTo(grantID: grant.id, requestID: request.id))
        else { return .denied(reason: nil) }
        return .completed(.result(Wire.text(box)))
    }

    /// Opens the patch, and writes what it has under the names that the card showed. A patch that does not open, or has
    /// other names, is denied by the device.
    private mutating func updated(
        _ itemID: String, _ fields: [String], _ request: CardRequest, in grant: Grant
    ) -> CardRequest.State {
        guard let values = openedPatch(of: request, in: grant), Set(values.map(\.name)) == Set(fields),
            let index = items.firstIndex(where: { $0.id == itemID })
        else { return .denied(reason: Wire.patchRefused) }
        for (name, value) in values { items[index].set(name, to: value) }
        items[index].revision += 1
        return .completed(.updated(itemID: itemID, revision: items[index].revision))
    }

    /// `{"patch":{name:text…}}`
    private func openedPatch(of request: CardRequest, in grant: Grant) -> [(name: String, value: String)]? {
        guard let box = request.patch,
            let body = try? identityKey.open(
                box, info: Wire.patchInfo, aad: Wire.boundTo(grantID: grant.id, requestID: request.id))
        else { return nil }
        return body.withBytes { bytes in
            guard let index = try? JSONIndex(validating: bytes),
                let patch = index.member("patch", of: index.root, in: bytes), index.kind(of: patch) == .object
            else { return nil }
            let members = index.members(of: patch)
            guard members.allSatisfy({ index.kind(of: $0.value) == .string }) else { return nil }
            return members.map { name, value in
                (index.text(at: name, in: bytes), index.text(at: index.range(of: value), in: bytes))
            }
        }
    }

    /// One more item; the oldest that was added goes when there are too many.
    private mutating func keep(_ item: SampleItem) {
        if items.count >= World.mostItems { items.remove(at: SampleItem.samples.count) }
        items.append(item)
    }
}

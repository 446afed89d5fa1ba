/// What an event loop runs.
enum Work: Sendable {
    case job(UnownedJob)
    case call(@Sendable () -> Void)
}

/// First in, first out; the memory is kept between the fillings.
final class WorkQueue {
    private var items: [Work?] = []
    private var head = 0

    var isEmpty: Bool { head == items.count }

    func append(_ work: Work) { items.append(work) }

    /// Takes all of `more`, which is empty afterwards.
    func append(contentsOf more: inout [Work]) {
        guard !more.isEmpty else { return }
        for work in more { items.append(work) }
        more.removeAll(keepingCapacity: true)
    }

    func takeFirst() -> Work? {
        guard head < items.count else { return nil }
        let work = items[head]
        items[head] = nil
        head += 1
        if head == items.count {
            items.removeAll(keepingCapacity: items.capacity <= 4096)
            head = 0
        }
        return work
    }
}

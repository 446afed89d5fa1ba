import CUV

extension TransportError {
    /// From a value of `errno`.
    init(errno: Int32, doing: String) {
        self.init(uv: -errno, doing: doing)
    }

    /// From a status of libuv, which is a negated `errno` or a code of its own.
    init(uv status: Int32, doing: String) {
        var name = [CChar](repeating: 0, count: 64)
        let text = name.withUnsafeMutableBufferPointer { buffer -> String in
            guard let start = uv_err_name_r(status, buffer.baseAddress, buffer.count) else { return "UNKNOWN" }
            return String(cString: start)
        }
        self.init(name: text, doing: doing)
    }
}

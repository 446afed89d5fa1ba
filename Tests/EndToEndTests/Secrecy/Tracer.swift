import Foundation
import Testing

/// Another program of the same user that tries to look into a process, without root's right to look into any.
enum Tracer {
    /// Stands before a command: root, too, is an ordinary user then.
    static let asOrdinaryUser = getuid() == 0 ? ["setpriv", "--bounding-set", "-all", "--inh-caps", "-all"] : []

    /// What became of each attempt: `ok`, or the kernel's name of its refusal.
    static func attempts(on process: Int32, in home: Home) async throws -> [String: String] {
        let finished = try await Running(
            "env", asOrdinaryUser + ["python3", "-c", script, "\(process)"], in: home
        ).finished()
        #expect(finished.status == 0, "\(finished.errors)")
        return try JSONDecoder().decode([String: String].self, from: Data(finished.output.utf8))
    }

    private static let script = """
        import ctypes, errno, json, os, sys

        process = int(sys.argv[1])
        libc = ctypes.CDLL(None, use_errno=True)
        libc.ptrace.restype = ctypes.c_long
        libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
        found = {}

        def name(code):
            return errno.errorcode.get(code, str(code))

        for file in ["mem", "environ", "maps", "auxv"]:
            try:
                with open(f"/proc/{process}/{file}", "rb") as opened:
                    if file != "mem": opened.read(1)
                found[file] = "ok"
            except OSError as problem:
                found[file] = name(problem.errno)

        class Vector(ctypes.Structure):
            _fields_ = [("start", ctypes.c_void_p), ("length", ctypes.c_size_t)]

        byte = ctypes.create_string_buffer(1)
        own, other = Vector(ctypes.addressof(byte), 1), Vector(1, 1)
        read = libc.process_vm_readv(process, ctypes.byref(own), 1, ctypes.byref(other), 1, 0)
        # Nothing is mapped at 1: who may look is told so, who may not is refused first.
        found["process_vm_readv"] = "ok" if ctypes.get_errno() == errno.EFAULT else name(ctypes.get_errno())

        for request, call in [(16, "attach"), (0x4206, "seize")]:
            if libc.ptrace(request, process, None, None) == 0:
                found[call] = "ok"
                if request == 16: os.waitpid(process, 0x40000000)
                libc.ptrace(17, process, None, None)
                break
            found[call] = name(ctypes.get_errno())
        print(json.dumps(found))
        """
}

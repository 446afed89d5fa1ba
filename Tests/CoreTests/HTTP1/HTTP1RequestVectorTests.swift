import Core
import TestSupport
import Testing

/// The request vectors, each under the line that it helps to hold; every one runs whole and split at each byte boundary.
struct HTTP1RequestVectorTests {
    @Test(arguments: HTTP1Vector.holding("H1-01"))
    func `H1-01 Content-Length and Transfer-Encoding together are refused`(_ vector: HTTP1Vector) { vector.check() }

    @Test(arguments: HTTP1Vector.holding("H1-02"))
    func `H1-02 two equal Content-Lengths are refused`(_ vector: HTTP1Vector) { vector.check() }

    @Test(arguments: HTTP1Vector.holding("H1-03"))
    func `H1-03 two different Content-Lengths are refused`(_ vector: HTTP1Vector) { vector.check() }

    @Test(arguments: HTTP1Vector.holding("H1-04"))
    func `H1-04 Content-Length is a plain decimal number that fits`(_ vector: HTTP1Vector) { vector.check() }

    @Test(arguments: HTTP1Vector.holding("H1-05"))
    func `H1-05 transfer codings other than chunked alone are refused`(_ vector: HTTP1Vector) { vector.check() }

    @Test(arguments: HTTP1Vector.holding("H1-06"))
    func `H1-06 a disguised Transfer-Encoding is refused, another case is not`(_ vector: HTTP1Vector) { vector.check() }

    @Test(arguments: HTTP1Vector.holding("H1-07"))
    func `H1-07 HTTP 1.0 has no Transfer-Encoding`(_ vector: HTTP1Vector) { vector.check() }

    @Test(arguments: HTTP1Vector.holding("H1-08"))
    func `H1-08 a field name is a token directly followed by its colon`(_ vector: HTTP1Vector) { vector.check() }

    @Test(arguments: HTTP1Vector.holding("H1-09"))
    func `H1-09 folded lines are refused in heads and trailers`(_ vector: HTTP1Vector) { vector.check() }

    @Test(arguments: HTTP1Vector.holding("H1-10"))
    func `H1-10 lines end in CR LF and hold no control character`(_ vector: HTTP1Vector) { vector.check() }

    @Test(arguments: HTTP1Vector.holding("H1-11"))
    func `H1-11 lines of chunks end in CR LF`(_ vector: HTTP1Vector) { vector.check() }

    @Test(arguments: HTTP1Vector.holding("H1-12"))
    func `H1-12 a chunk size is a plain hexadecimal number that fits`(_ vector: HTTP1Vector) { vector.check() }

    @Test(arguments: HTTP1Vector.holding("H1-13"))
    func `H1-13 chunk extensions have their form`(_ vector: HTTP1Vector) { vector.check() }

    @Test(arguments: HTTP1Vector.holding("H1-14"))
    func `H1-14 chunks are as long as they say`(_ vector: HTTP1Vector) { vector.check() }

    @Test(arguments: HTTP1Vector.holding("H1-15"))
    func `H1-15 trailers are checked and dropped`(_ vector: HTTP1Vector) { vector.check() }

    @Test(arguments: HTTP1Vector.holding("H1-16"))
    func `H1-16 there is one Host and it is a host`(_ vector: HTTP1Vector) { vector.check() }

    @Test(arguments: HTTP1Vector.holding("H1-17"))
    func `H1-17 an absolute target names the host that Host names`(_ vector: HTTP1Vector) { vector.check() }

    @Test(arguments: HTTP1Vector.holding("H1-18"))
    func `H1-18 CONNECT takes an authority and OPTIONS a star`(_ vector: HTTP1Vector) { vector.check() }

    @Test(arguments: HTTP1Vector.holding("H1-19"))
    func `H1-19 a target holds only what may stand there and is kept raw`(_ vector: HTTP1Vector) { vector.check() }

    @Test(arguments: HTTP1Vector.holding("H1-20"))
    func `H1-20 a method is a known token in its own case`(_ vector: HTTP1Vector) { vector.check() }

    @Test(arguments: HTTP1Vector.holding("H1-21"))
    func `H1-21 the version is HTTP 1.1 or 1.0`(_ vector: HTTP1Vector) { vector.check() }

    @Test(arguments: HTTP1Vector.holding("H1-23"))
    func `H1-23 one empty line may stand before a request`(_ vector: HTTP1Vector) { vector.check() }

    @Test(arguments: HTTP1Vector.holding("H1-24"))
    func `H1-24 a body of GET is consumed and the next request is found`(_ vector: HTTP1Vector) { vector.check() }

    @Test(arguments: HTTP1Vector.holding("H1-25"))
    func `H1-25 a body that looks like a request is a body`(_ vector: HTTP1Vector) { vector.check() }

    @Test(arguments: HTTP1Vector.holding("H1-29"))
    func `H1-29 the one expectation is 100-continue in any case`(_ vector: HTTP1Vector) { vector.check() }

    @Test(arguments: HTTP1Vector.holding("H1-34"))
    func `H1-34 a message that the peer cuts is refused`(_ vector: HTTP1Vector) { vector.check() }

    @Test(arguments: HTTP1Vector.holding("H1-42"))
    func `H1-42 the preface of HTTP 2 is refused`(_ vector: HTTP1Vector) { vector.check() }

    @Test(arguments: HTTP1Vector.holding("H1-43"))
    func `H1-43 what is not HTTP is refused at once`(_ vector: HTTP1Vector) { vector.check() }

    @Test(arguments: HTTP1Vector.holding("H1-44"))
    func `H1-44 answers and pipelines read the same whichever way they are split`(_ vector: HTTP1Vector) {
        vector.check()
    }

    @Test func `H1-44 every vector is under a line`() {
        #expect(HTTP1Vector.all.filter(\.ids.isEmpty).map(\.name) == [])
        #expect(HTTP1Vector.all.count > 250)
    }
}

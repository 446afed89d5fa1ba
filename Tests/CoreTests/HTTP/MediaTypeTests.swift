import Core
import Testing

struct MediaTypeTests {
    @Test(arguments: [
        "application/json", "Application/JSON", "application/json; charset=utf-8", "application/json;charset=UTF-8",
        #"application/json; charset="utf-8""#, "application/json ; Charset=utf-8", "application/json;",
        "application/json; ; charset=utf-8 ;", "application/json;\tcharset=utf-8",
    ])
    func `BR-08 JSON is announced as JSON`(value: String) {
        #expect(MediaType.isJSON(value))
    }

    @Test(arguments: [
        "", "application", "application/", "/json", "json", "application/jsonx", "application/jso", "xapplication/json",
        "application/problem+json", "application/json+x", "text/json", "text/plain", "*/*", "application/*",
        "application/json, text/plain", "text/plain, application/json", "application/json, application/json",
        "application/json,", "application/json; charset=utf-7", "application/json; charset=utf-16",
        "application/json; charset=utf8", "application/json; charset=", "application/json; charset",
        "application/json; charset=utf-8; charset=utf-8", "application/json; charset=utf-8; charset=utf-7",
        "application/json; charset=utf-8x", #"application/json; charset="utf-8"#, "application/json; charset =utf-8",
        "application/json; charset= utf-8", "application/json; boundary=x", "application/json; q=1",
        "application/json charset=utf-8", "application /json", "application/ json", " application/json",
        "application/json; charset=utf-8, text/plain", "application/json\u{0}", "application/json\u{a0}",
        "application/x-www-form-urlencoded", "multipart/form-data; boundary=application/json",
    ])
    func `BR-07 BR-08 whatever is near JSON is not JSON`(value: String) {
        #expect(!MediaType.isJSON(value))
    }
}

import TestSupport
import Testing
import TouchWire

@Suite struct `JSON text` {
  @Test func `an object is written in the order of its keys`() {
    var object = JSONObject()
    object.add("text", "a \"b\" \\ \n é \u{1b}")
    object.add("whole", Int32(-5))
    object.add("number", 2.5)
    object.add("even", 20.0)
    object.add("large", 1e300)
    object.add("none", Double.nan)
    object.add("yes", true)
    object.add("list", json: JSONText.list(["1", "\"x\""]))
    #expect(
      object.finished
        == #"{"text":"a \"b\" \\ \u000a é \u001b","whole":-5,"number":2.5,"even":20,"large":1e+300,"#
        + #""none":null,"yes":true,"list":[1,"x"]}"#)
    #expect(JSONObject().finished == "{}")
  }

  @Test func `what was written is read as the same`() {
    var object = JSONObject()
    object.add("te\"xt", "a \"b\" \\ \n é 👆 \u{0}")
    object.add("list", json: JSONText.list(["18446744073709551615", "null", "false", "{}", "[]"]))
    let value = JSONValue(parsing: " " + object.finished + "\n")
    #expect(
      value
        == .object([
          ("te\"xt", .text("a \"b\" \\ \n é 👆 \u{0}")),
          (
            "list",
            .list([.number("18446744073709551615"), .null, .bool(false), .object([]), .list([])])
          ),
        ]))
    #expect(value?["list"]?.elements.count == 5)
    #expect(value?["list"]?.plain == "18446744073709551615, -, no, , ")
    #expect(value?["nothing"] == nil)
  }

  @Test func `escapes are read, pairs of them as one character`() {
    let text = #""\u0041\ud83d\udc46\n\t\r\b\f\/\"\\""#
    #expect(JSONValue(parsing: text) == .text("A👆\n\t\r\u{8}\u{c}/\"\\"))
  }

  static let wrong = [
    "", "{", "[1,]", "{\"a\"}", "{\"a\":1,}", "{a:1}", "\"", "\"\\x\"", "\"\\u12\"", "\"\\u+123\"",
    "\"\\ud800\"", "\"\\udc00\"", "\"\\ud800\\u0041\"", "\"\n\"", "nul", "truefalse", "1 2", "-",
    "1e999",
    "--1", String(repeating: "[", count: 40) + String(repeating: "]", count: 40),
  ]

  @Test(arguments: wrong)
  func `what is no JSON gives nothing`(_ text: String) {
    #expect(JSONValue(parsing: text) == nil)
  }

  @Test func `random changes of a line are read or refused`() {
    let seed = environmentSeed("JSON lines")
    var dice = SplitMix(seed: seed)
    let line = Array(#"{"a":[1,-2.5e3,null,true,{"b":"\u00e9\\"}],"c":"d","e":{}}"#.utf8)
    var read = 0
    for _ in 0..<10 * randomRounds {
      var bytes = line
      for _ in 0..<Int.random(in: 0...3, using: &dice) {
        let place = Int.random(in: 0..<bytes.count, using: &dice)
        bytes[place] = Bool.random(using: &dice) ? .random(in: 32...126, using: &dice) : line[0]
      }
      if JSONValue(parsing: String(decoding: bytes, as: UTF8.self)) != nil { read += 1 }
    }
    #expect(read > randomRounds, "seed \(seed)")
  }
}

import Testing
import TouchWire

@Suite struct `Names on the wire` {
  private static let nameOffset = 40

  /// The name that a reader gets of a hello with these bytes in its name field.
  private func read(_ name: [UInt8]) throws -> String {
    var bytes = try #require(WireValue.hello(Hello(name: "")).encoded(serial: 1))
    bytes.replaceSubrange(
      Self.nameOffset..<Self.nameOffset + 64,
      with: name + Array(repeating: 0, count: 64 - name.count))
    guard case .hello(let hello) = try WireValue.decode(bytes, from: .client) else { return "" }
    return hello.name
  }

  /// The bytes of the name field that a writer makes.
  private func written(_ name: String) throws -> [UInt8] {
    let bytes = try #require(WireValue.hello(Hello(name: name)).encoded(serial: 1))
    return Array(bytes[Self.nameOffset...])
  }

  static let invalid: [([UInt8], String)] = [
    ([0x61, 0xff, 0x62], "a\u{fffd}b"),
    ([0xc3], "\u{fffd}"),
    ([0xe2, 0x82], "\u{fffd}"),
    ([0xed, 0xa0, 0x80], "\u{fffd}\u{fffd}\u{fffd}"),
    ([0xc0, 0xaf], "\u{fffd}\u{fffd}"),
    // Each takes three bytes: 21 of them fit into the field again.
    (Array(repeating: 0xff, count: 64), String(repeating: "\u{fffd}", count: 21)),
  ]

  @Test(arguments: invalid)
  func `bytes that are no UTF-8 become replacement characters`(_ bytes: [UInt8], _ text: String)
    throws
  {
    #expect(try read(bytes) == text)
  }

  @Test func `a name ends at its first zero byte`() throws {
    #expect(try read([0x61, 0, 0x62]) == "a")
    #expect(try read([0, 0x62]) == "")
    #expect(try read(Array(repeating: 0x61, count: 64)) == String(repeating: "a", count: 64))
  }

  @Test func `what comes behind a zero is not written`() throws {
    #expect(try written("a\0b") == [0x61] + Array(repeating: 0, count: 63))
  }

  @Test func `a long name is cut between characters`() throws {
    #expect(try written(String(repeating: "a", count: 65)) == Array(repeating: 0x61, count: 64))
    // The euro sign takes three bytes; 63 are used, the last one stays free.
    let euros = try written(String(repeating: "€", count: 30))
    #expect(euros == Array([UInt8]("€".utf8).repeated(21) + [0]))
    #expect(try written("a" + String(repeating: "👆", count: 16)).suffix(3) == [0, 0, 0])
  }

  @Test func `control characters travel as they are, the log quotes them`() throws {
    #expect(try read([0x1b, 0x5b, 0x32, 0x4a]) == "\u{1b}[2J")
  }

  @Test func `a long refusal is cut like a name`() throws {
    let refusal = Refusal(.limit, String(repeating: "é", count: 150))
    let bytes = try #require(WireValue.refusal(refusal).encoded(serial: 1))
    #expect(
      try WireValue.decode(bytes, from: .daemon)
        == .refusal(Refusal(.limit, String(repeating: "é", count: 100))))
  }
}

extension [UInt8] {
  fileprivate func repeated(_ times: Int) -> [UInt8] {
    Array(repeatElement(self, count: times).joined())
  }
}

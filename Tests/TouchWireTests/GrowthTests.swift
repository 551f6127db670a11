import Testing
import TouchModel
import TouchWire

extension [UInt8] {
  /// Writes a little-endian number over the bytes at an offset.
  mutating func set<Value: FixedWidthInteger>(_ value: Value, at offset: Int) {
    for index in 0..<Value.bitWidth / 8 {
      self[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * index))
    }
  }

  /// States the length that the message has.
  mutating func setLength() { set(UInt32(count), at: 8) }
}

/// Messages of a later version of the daemon or client that speaks version 1 with us.
@Suite struct `Messages that have grown` {
  @Test(arguments: WireExample.documented + WireExample.fixed)
  func `bytes behind what we know are ignored`(_ example: WireExample) throws {
    var bytes = example.block.bytes + Array(repeating: 0xee, count: 40)
    bytes.setLength()
    let side = example.block.bytes[4] < 64 ? WireValue.Side.client : .daemon
    #expect(try WireValue.decode(bytes, from: side) == example.value)
  }

  /// Where lists stand in the messages that have some: count, stride and offset.
  struct ListPlace: Sendable {
    var example: String
    var count: Int
    var stride: Int
    var offset: Int
  }

  static let lists = [
    ListPlace(example: "welcome", count: 48, stride: 50, offset: 52),
    ListPlace(example: "set-scenes", count: 16, stride: 18, offset: 20),
    ListPlace(example: "set-scenes", count: 24, stride: 26, offset: 28),
    ListPlace(example: "frame-merged", count: 56, stride: 58, offset: 60),
    ListPlace(example: "report", count: 64, stride: 66, offset: 68),
    ListPlace(example: "raw-frame", count: 36, stride: 38, offset: 40),
  ]

  @Test(arguments: lists)
  func `elements that have grown and lie elsewhere are found`(_ list: ListPlace) throws {
    let example = try #require(WireExample.documented.first { $0.block.name == list.example })
    try expectSame(example, list, count: number(example.block.bytes, list.count))
  }

  @Test func `samples that have grown and lie elsewhere are found`() throws {
    let example = try #require(WireExample.documented.first { $0.block.name == "frame-merged" })
    // Two steps of two contacts.
    try expectSame(
      example, ListPlace(example: "", count: 64, stride: 66, offset: 68), count: 4)
  }

  /// Moves a list to the end of the message, nine bytes on, each element twelve bytes longer.
  private func expectSame(_ example: WireExample, _ list: ListPlace, count: Int) throws {
    var bytes = example.block.bytes
    let stride = number(bytes, list.stride)
    let offset = number(bytes, list.offset)
    bytes += Array(repeating: 0xee, count: 9)
    bytes.set(UInt32(bytes.count), at: list.offset)
    bytes.set(UInt16(stride + 12), at: list.stride)
    for index in 0..<count {
      let start = offset + index * stride
      bytes += example.block.bytes[start..<start + stride] + Array(repeating: 0xee, count: 12)
    }
    bytes.setLength()
    let side = bytes[4] < 64 ? WireValue.Side.client : .daemon
    #expect(try WireValue.decode(bytes, from: side) == example.value)
  }

  private func number(_ bytes: [UInt8], _ offset: Int) -> Int {
    Int(bytes[offset]) | Int(bytes[offset + 1]) << 8
  }

  @Test func `the text of a status line that lies elsewhere is found, and a long one is whole`()
    throws
  {
    let text = String(repeating: "é", count: WireFormat.maximumStatusLine / 2)
    let line = StatusLine(
      requestSerial: 1, index: 2, isLastOfAnswer: false, hasMore: false, text: text)
    var bytes = try #require(WireValue.statusLine(line).encoded(serial: 1))
    bytes.insert(contentsOf: Array(repeating: 0xee, count: 12), at: 40)
    bytes.set(UInt32(52), at: 32)
    bytes.setLength()
    #expect(try WireValue.decode(bytes, from: .daemon) == .statusLine(line))
  }

  @Test func `a status line that is too long is cut at a character`() throws {
    let text = "x" + String(repeating: "é", count: WireFormat.maximumStatusLine / 2)
    var line = StatusLine(
      requestSerial: 1, index: 2, isLastOfAnswer: false, hasMore: false, text: text)
    let bytes = try #require(WireValue.statusLine(line).encoded(serial: 1))
    line.text = String(text.dropLast())
    #expect(try WireValue.decode(bytes, from: .daemon) == .statusLine(line))
  }

  @Test func `a filter that we do not know is told as none`() throws {
    let example = try #require(WireExample.fixed.first { $0.block.name == "report-filtered" })
    var bytes = example.block.bytes
    bytes[72 + 28] = 99
    guard case .report(let read) = try WireValue.decode(bytes, from: .daemon) else {
      Issue.record("no report")
      return
    }
    #expect(read.contacts.map(\.filter) == [nil, .deadRectangle])
    #expect(read.contacts.map(\.reason) == [.filtered, .filtered])
  }

  @Test func `scenes may share rectangles`() throws {
    let part = Rect(x: 1, y: 2, width: 3, height: 4)
    let frame = Rect(x: 0, y: 0, width: 10, height: 10)
    let scenes = [
      Scene(id: 1, frame: frame, region: [part]), Scene(id: 2, frame: frame, region: [part]),
    ]
    var bytes = try #require(WireValue.setScenes(scenes).encoded(serial: 1))
    bytes.removeLast(32)
    bytes.setLength()
    bytes.set(UInt16(1), at: 24)
    // The second scene's first rectangle.
    bytes.set(UInt16(0), at: 32 + 56 + 48)
    #expect(try WireValue.decode(bytes, from: .client) == .setScenes(scenes))
  }

  @Test(arguments: WireValue.Side.allCases)
  func `an unknown type with the optional bit is skipped`(_ side: WireValue.Side) throws {
    #expect(try WireValue.decode(unknown(flags: 1), from: side) == nil)
  }

  @Test(arguments: WireValue.Side.allCases)
  func `an unknown type without the optional bit is refused`(_ side: WireValue.Side) {
    let error = #expect(throws: WireError.self) {
      try WireValue.decode(unknown(flags: 0), from: side)
    }
    #expect(error == .unknownType(900))
  }

  @Test func `unknown flags change nothing`() throws {
    for example in WireExample.documented {
      var bytes = example.block.bytes
      bytes.set(UInt16(0xffff), at: 6)
      let side = bytes[4] < 64 ? WireValue.Side.client : .daemon
      #expect(try WireValue.decode(bytes, from: side) == example.value)
    }
  }

  @Test func `a reason that we do not know is told as that`() throws {
    let contact = ObservedContact(
      contact: Contact(id: 1, slot: 0, phase: .down, position: Point(x: 0, y: 0)), client: 0,
      reason: .palm, isSensitive: false, frameSerial: 0)
    let report = WireValue.Report(times: StageTimes(kernel: 1), device: 1, contacts: [contact])
    var bytes = try #require(WireValue.report(report).encoded(serial: 1))
    bytes[72 + 26] = 200
    guard case .report(let read) = try WireValue.decode(bytes, from: .daemon) else {
      Issue.record("no report")
      return
    }
    #expect(read.contacts.map(\.reason) == [.unknown])
  }

  private func unknown(flags: UInt16) -> [UInt8] {
    var bytes: [UInt8] = [0x54, 0x42, 0x57, 0x31] + Array(repeating: 0, count: 16)
    bytes.set(UInt16(900), at: 4)
    bytes.set(flags, at: 6)
    bytes.setLength()
    return bytes
  }
}

import Testing
import TouchModel
import TouchWire

@Suite struct `Malformed messages` {
  /// A documented message, what is done to it, and what the reader says.
  struct Damage: Sendable, CustomTestStringConvertible {
    var example: String
    var change: @Sendable (inout [UInt8]) -> Void
    var error: WireError
    var text: String

    init(
      _ example: String, _ error: WireError, _ text: String,
      _ change: @escaping @Sendable (inout [UInt8]) -> Void
    ) {
      (self.example, self.change, self.error, self.text) = (example, change, error, text)
    }

    var testDescription: String { "\(example): \(text)" }
  }

  static let headers = [
    Damage(
      "hello", .tooShort(length: 15, required: 16),
      "message of 15 bytes where at least 16 are required"
    ) { $0.removeLast($0.count - 15) },
    Damage(
      "hello", .tooShort(length: 0, required: 16),
      "message of 0 bytes where at least 16 are required"
    ) { $0.removeAll() },
    Damage(
      "hello", .tooLong(length: 65_537),
      "message of 65537 bytes where at most 65536 are allowed"
    ) {
      $0 += Array(repeating: 0, count: 65_537 - $0.count)
      $0.setLength()
    },
    Damage("hello", .badMagic(0x3257_4254), "message starts with 0x32574254 instead of TBW1") {
      $0[3] = 0x32
    },
    Damage(
      "hello", .lengthMismatch(stated: 104, got: 105),
      "message states a length of 104 bytes, but 105 came"
    ) { $0.append(0) },
    Damage(
      "hello", .lengthMismatch(stated: .max, got: 104),
      "message states a length of 4294967295 bytes, but 104 came"
    ) { $0.set(UInt32.max, at: 8) },
    Damage("hello", .unknownType(0), "message of unknown type 0 that is not marked optional") {
      $0.set(UInt16(0), at: 4)
    },
    Damage("hello", .wrongDirection(.frame), "message of type frame came from the wrong side") {
      $0.set(UInt16(67), at: 4)
    },
    Damage("frame-down", .wrongDirection(.hello), "message of type hello came from the wrong side")
    { $0.set(UInt16(1), at: 4) },
  ]

  /// Every kind, cut one byte short of its fixed part.
  static let cut: [Damage] = [
    ("hello", 104), ("set-scenes", 32), ("acknowledge", 40), ("subscribe", 24), ("welcome", 56),
    ("refusal", 224), ("scenes-applied", 24), ("frame-down", 72), ("report", 72), ("handled", 48),
    ("client-notice", 96), ("panel-notice", 232), ("stuck-notice", 48), ("status-request", 24),
    ("status-line", 40), ("activation", 24), ("capture-panel", 24), ("panel-captured", 376),
    ("raw-frame", 48), ("capture-ended", 24), ("read-configuration", 24),
    ("configuration-read", 224),
  ].map { name, size in
    Damage(
      name, .tooShort(length: size - 1, required: size),
      "message of \(size - 1) bytes where at least \(size) are required"
    ) {
      $0.removeLast($0.count - size + 1)
      $0.setLength()
    }
  }

  /// Lists: too many elements, a stride below the element, an offset in the fixed part, an end
  /// behind the message.
  static let lists: [Damage] = [
    ("welcome", WireType.welcome, 48, 65, 63, 55), ("set-scenes", .setScenes, 16, 33, 55, 31),
    ("set-scenes", .setScenes, 24, 129, 31, 31), ("frame-down", .frame, 56, 129, 55, 71),
    ("report", .report, 64, 129, 63, 71), ("frame-merged", .frame, 64, 17, 31, 71),
    ("raw-frame", .rawFrame, 36, 129, 31, 47),
  ].flatMap { name, type, place, tooMany, tooNarrow, tooEarly in
    let damage = { (change: @escaping @Sendable (inout [UInt8]) -> Void) in
      Damage(
        name, .badList(type), "message of type \(type) has a list that does not fit into it",
        change)
    }
    return [
      damage { $0.set(UInt16(tooMany), at: place) },
      damage { $0.set(UInt16(tooNarrow), at: place + 2) },
      damage { $0.set(UInt16.max, at: place + 2) },
      damage { $0.set(UInt32(tooEarly), at: place + 4) },
      damage { $0.set(UInt32($0.count - 1), at: place + 4) },
      damage { $0.set(UInt32.max, at: place + 4) },
    ]
  }

  /// The text of a status line: too long, in the fixed part, behind the message.
  static let texts: [Damage] = [
    (UInt32(32_769), 28), (.max, 28), (39, 32), (41, 32), (.max, 32),
  ].map { value, place in
    Damage(
      "status-line", .badList(.statusLine),
      "message of type statusLine has a list that does not fit into it"
    ) { $0.set(value, at: place) }
  }

  static func value(
    _ example: String, _ type: WireType, _ field: String,
    _ change: @escaping @Sendable (inout [UInt8]) -> Void
  ) -> Damage {
    Damage(
      example, .badValue(type, field: field),
      "message of type \(type) has an impossible value in \(field)", change)
  }

  static let values: [Damage] =
    [
      value("hello", .hello, "the version range") { $0.set(UInt16(2), at: 16) },
      value("scenes-applied", .scenesApplied, "the result") { $0.set(UInt32(3), at: 20) },
      value("frame-down", .frame, "a contact's phase") { $0[72 + 16] = 5 },
      value("frame-down", .frame, "a contact's tool") { $0[72 + 17] = 3 },
      value("report", .report, "a contact's phase or tool") { $0[72 + 24] = 6 },
      value("report", .report, "a contact's phase or tool") { $0[72 + 64 + 25] = 3 },
      value("panel-captured", .panelCaptured, "the result") { $0.set(UInt32(3), at: 20) },
      value("raw-frame", .rawFrame, "a contact's phase or tool") { $0[48 + 12] = 6 },
      value("raw-frame", .rawFrame, "a contact's phase or tool") { $0[48 + 32 + 13] = 3 },
      value("capture-ended", .captureEnded, "the reason") { $0.set(UInt32(3), at: 20) },
      value("configuration-read", .configurationRead, "the result") { $0.set(UInt32(2), at: 20) },
      Damage(
        "set-scenes", .badList(.setScenes),
        "message of type setScenes has a list that does not fit into it"
      ) { $0.set(UInt16(3), at: 32 + 56 + 50) },
      Damage(
        "set-scenes", .badList(.setScenes),
        "message of type setScenes has a list that does not fit into it"
      ) { $0.set(UInt16.max, at: 32 + 56 + 48) },
    ] + floats

  /// Every float of every message.
  static let floats: [Damage] = {
    var damages: [Damage] = []
    func add(
      _ example: String, _ type: WireType, _ field: String, doubles: [Int] = [],
      singles: [Int] = []
    ) {
      for wrong in [Double.nan, .infinity, -.infinity] {
        damages += doubles.map { at in
          value(example, type, field) { $0.set(wrong.bitPattern, at: at) }
        }
        damages += singles.map { at in
          value(example, type, field) { $0.set(Float(wrong).bitPattern, at: at) }
        }
      }
    }
    add("welcome", .welcome, "a display's size", doubles: [64, 72, 80])
    add("set-scenes", .setScenes, "a scene's frame", doubles: [48, 56, 64, 72])
    add("set-scenes", .setScenes, "a rectangle", doubles: [144, 152, 160, 168, 176, 200])
    add("frame-down", .frame, "a contact's position", doubles: [96, 104])
    add(
      "frame-down", .frame, "a contact's size, pressure or orientation",
      singles: [112, 116, 120, 124])
    add(
      "frame-merged", .frame, "an earlier position", doubles: [192, 200, 288, 296],
      singles: [208, 212, 304, 308])
    add(
      "report", .report, "a contact's position, pressure or size", doubles: [104, 112],
      singles: [128, 132])
    add(
      "panel-captured", .panelCaptured, "a size or a matrix",
      doubles: Array(stride(from: 64, to: 176, by: 8)))
    add("raw-frame", .rawFrame, "a contact's pressure", singles: [72, 104])
    for at in [64, 72] {
      damages.append(
        value("panel-captured", .panelCaptured, "a size or a matrix") {
          $0.set((-0.5).bitPattern, at: at)
        })
    }
    for at in [64, 72, 80] {
      damages.append(
        value("welcome", .welcome, "a display's size") { $0.set(UInt64(0), at: at) })
    }
    for (at, field) in [(64, "a scene's frame"), (72, "a scene's frame"), (160, "a rectangle")] {
      damages.append(
        value("set-scenes", .setScenes, field) { $0.set((-0.5).bitPattern, at: at) })
    }
    return damages
  }()

  @Test(arguments: headers + cut + lists + texts + values)
  func `the reader says what is wrong`(_ damage: Damage) throws {
    let example = try #require(WireExample.documented.first { $0.block.name == damage.example })
    var bytes = example.block.bytes
    let side = bytes[4] < 64 ? WireValue.Side.client : .daemon
    damage.change(&bytes)
    let error = #expect(throws: WireError.self) { try WireValue.decode(bytes, from: side) }
    #expect(error == damage.error)
    #expect(error?.description == damage.text)
  }

  @Test func `a frame of the most contacts carries eight steps and no more`() throws {
    let contacts = (1...128).map {
      Contact(id: UInt64($0), slot: Int32($0), phase: .motion, position: Point(x: 1, y: 2))
    }
    let step = contacts.map { _ in HistorySample(timeNanoseconds: 1, position: Point(x: 3, y: 4)) }
    let frame = WireValue.Frame(
      times: StageTimes(kernel: 2), device: 1, contacts: contacts,
      history: Array(repeating: step, count: 8))
    var bytes = try #require(WireValue.frame(frame).encoded(serial: 1))
    #expect(bytes.count == 40_008)
    #expect(try WireValue.decode(bytes, from: .daemon) == .frame(frame))
    bytes.set(UInt16(9), at: 64)
    bytes += Array(repeating: 0, count: 32 * 128)
    bytes.setLength()
    #expect(throws: WireError.badList(.frame)) { try WireValue.decode(bytes, from: .daemon) }
  }

  static let unlawfulScenes: [[Scene]] = [
    (0..<33).map { Scene(id: $0, frame: Rect(x: 0, y: 0, width: 1, height: 1)) },
    [
      Scene(
        id: 1, frame: Rect(x: 0, y: 0, width: 1, height: 1),
        region: Array(repeating: Rect(x: 0, y: 0, width: 1, height: 1), count: 129))
    ],
    [Scene(id: 1, frame: Rect(x: .nan, y: 0, width: 1, height: 1))],
    [Scene(id: 1, frame: Rect(x: 0, y: 0, width: -1, height: 1))],
    [
      Scene(
        id: 1, frame: Rect(x: 0, y: 0, width: 1, height: 1),
        region: [Rect(x: 0, y: .infinity, width: 1, height: 1)])
    ],
  ]

  @Test(arguments: unlawfulScenes)
  func `scenes that the reader would refuse are not written`(_ scenes: [Scene]) {
    #expect(WireValue.setScenes(scenes).encoded(serial: 1) == nil)
  }

  @Test func `the most scenes and rectangles pass`() throws {
    let scenes = (0..<32).map { id in
      Scene(
        id: id, frame: Rect(x: 0, y: 0, width: 1, height: 1),
        region: Array(repeating: Rect(x: Double(id), y: 0, width: 1, height: 1), count: 4))
    }
    let bytes = try #require(WireValue.setScenes(scenes).encoded(serial: 1))
    #expect(try WireValue.decode(bytes, from: .client) == .setScenes(scenes))
  }
}

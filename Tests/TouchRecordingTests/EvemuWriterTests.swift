import TestSupport
import Testing
import TouchModel
import TouchRecording

@Suite struct `Writing evemu files` {
  static let panel = DeviceDescription(
    name: "a panel", bus: 3, vendor: 0x0eef, product: 0xa107, version: 0x0210, properties: [1],
    codes: [0: [0, 1, 3], 1: [0x14a]],
    axes: [0x35: AxisRange(minimum: -5, maximum: 4095, fuzz: 4, flat: 1, resolution: 13)])

  @Test func `the text is that of evemu-record`() {
    let events = [
      EvdevEvent(seconds: 0, microseconds: 1, type: 3, code: 0x39, value: 45),
      EvdevEvent(seconds: 12, microseconds: 345_678, type: 3, code: 0x39, value: -1),
      EvdevEvent(seconds: 12, microseconds: 345_678, type: 0, code: 0, value: 0),
    ]
    let device = RecordedDevice(description: Self.panel, events: events)
    #expect(
      EvemuWriter.text(of: Recording(devices: [device])) == """
        # EVEMU 1.3
        N: a panel
        I: 0003 0eef a107 0210
        P: 02 00 00 00 00 00 00 00
        B: 00 0b 00 00 00 00 00 00 00
        B: 01 00 00 00 00 00 00 00 00
        B: 01 00 00 00 00 00 00 00 00
        B: 01 00 00 00 00 00 00 00 00
        B: 01 00 00 00 00 00 00 00 00
        B: 01 00 00 00 00 00 00 00 00
        B: 01 00 04 00 00 00 00 00 00
        A: 35 -5 4095 4 1 13
        E: 0.000001 0003 0039 0045
        E: 12.345678 0003 0039 -001
        E: 12.345678 0000 0000 0000

        """)
  }

  @Test func `a line break in a name cannot forge a line`() {
    let text = EvemuWriter.text(of: DeviceDescription(name: "a\nE: 0.1 0 0 0\r"))
    #expect(text.hasPrefix("N: a E: 0.1 0 0 0 \nI: "))
  }

  @Test func `what was written reads back as it was`() throws {
    let seed = environmentSeed("EvemuWriterTests")
    print("evemu round trip: TOUCHBRIDGE_SEED=\(seed)")
    var dice = SplitMix(seed: seed)
    for round in 0..<max(1, randomRounds / 10) {
      let recording = Recording(
        devices: (0..<Int.random(in: 1...3, using: &dice)).map { Self.device($0, &dice) })
      let text = EvemuWriter.text(of: recording)
      var back = try Recording(parsing: Array(text.utf8))
      for index in back.devices.indices { back.devices[index].line = 0 }
      try #require(back == recording, "round \(round) of seed \(seed)")
    }
  }

  static func device(_ number: Int, _ dice: inout SplitMix) -> RecordedDevice {
    func word(_ limit: UInt16 = .max) -> UInt16 { .random(in: 0...limit, using: &dice) }
    func number() -> Int32 { .random(in: .min ... .max, using: &dice) }
    var description = DeviceDescription(
      name: "device \(word()) ü", bus: word(), vendor: word(), product: word(), version: word())
    for _ in 0..<5 {
      description.properties.insert(word(63))
      description.codes[word(3), default: []].insert(word(767))
      description.axes[word(0x3f)] = AxisRange(
        minimum: number(), maximum: number(), fuzz: number(), flat: number(), resolution: number())
    }
    let events = (0..<Int.random(in: 0..<20, using: &dice)).map { _ in
      EvdevEvent(
        seconds: .random(in: 0...2_000_000_000, using: &dice),
        microseconds: .random(in: 0..<1_000_000, using: &dice), type: word(), code: word(),
        value: number())
    }
    return RecordedDevice(description: description, events: events)
  }
}

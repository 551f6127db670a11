import Testing
import TouchModel
import TouchRecording

@Suite struct `Reading evemu files` {
  static let small = """
    # EVEMU 1.3
    # Input device name: "a panel"
    N: a  panel #2
    I: 0003 0eef a107 0210
    P: 02 00 00 00 00 00 00 00
    B: 00 0b 00 00 00 00 00 00 00
    B: 01 00 00 00 00 00 00 00 00
    B: 01 00 00 00 00 00 00 00 00
    B: 01 00 00 00 00 00 00 00 00
    B: 01 00 00 00 00 00 00 00 00
    B: 01 00 00 00 00 00 00 00 00
    B: 01 00 04 00 00 00 00 00 00
    B: 02 00 00 00 00 00 00 00 00
    A: 35 -5 4095 4 0 13 # x
    A: 36 0 2047 0 0
    L: 00 01
    S: 00 00
    E: 0.000001 0003 0039 0045\t# EV_ABS / ABS_MT_TRACKING_ID   45
    E: 12.345678 0003 0039 -001
    E: 12.345679 0000 0000 0000
    """

  static func read(_ text: String) throws(RecordingError) -> Recording {
    try Recording(parsing: Array(text.utf8))
  }

  @Test func `a description and events read as they stand`() throws {
    let device = try #require(try Self.read(Self.small).devices.first)
    let description = DeviceDescription(
      name: "a  panel #2", bus: 3, vendor: 0x0eef, product: 0xa107, version: 0x0210,
      properties: [1], codes: [0: [0, 1, 3], 1: [0x14a]],
      axes: [
        0x35: AxisRange(minimum: -5, maximum: 4095, fuzz: 4, resolution: 13),
        0x36: AxisRange(minimum: 0, maximum: 2047),
      ])
    #expect(device.description == description)
    #expect(
      device.events == [
        EvdevEvent(seconds: 0, microseconds: 1, type: 3, code: 0x39, value: 45),
        EvdevEvent(seconds: 12, microseconds: 345_678, type: 3, code: 0x39, value: -1),
        EvdevEvent(seconds: 12, microseconds: 345_679, type: 0, code: 0, value: 0),
      ])
    #expect(device.line == 3)
  }

  @Test func `line ends of Windows change nothing`() throws {
    let text = Self.small.split(separator: "\n").joined(separator: "\r\n")
    #expect(try Self.read(text) == Self.read(Self.small))
  }

  @Test func `another name begins another device`() throws {
    let text = "N: one\nE: 0.1 0 0 0\nN: two\nA: 35 0 9 0 0 0\n"
    let devices = try Self.read(text).devices
    #expect(devices.map(\.description.name) == ["one", "two"])
    #expect(devices.map(\.events.count) == [1, 0])
    #expect(devices.map(\.line) == [1, 3])
  }

  @Test func `a name that is no UTF-8 is read with marks in place of the bytes`() throws {
    let recording = try Recording(parsing: Array("N: a".utf8) + [0xff, 0x0a])
    #expect(recording.devices.first?.description.name == "a\u{fffd}")
  }

  @Test func `what stands behind the last report is counted`() throws {
    let text = "N: a\nE: 1.0 3 39 1\n"
    #expect(try Self.read(text).devices.first?.unfinishedEvents == 1)
    #expect(try Self.read(text).devices.first?.lastReportNanoseconds == nil)
    let whole = text + "E: 1.5 0 0 0\nE: 2.0 1 14a 0\nE: 2.1 0 0 1\n"
    #expect(try Self.read(whole).devices.first?.unfinishedEvents == 0)
    #expect(try Self.read(whole).devices.first?.lastReportNanoseconds == 2_000_001_000)
    #expect(try Self.read(whole + "E: 3.0 3 39 1\n").devices.first?.unfinishedEvents == 1)
  }

  struct Fault: Sendable, CustomTestStringConvertible {
    var text: String
    var message: String
    var testDescription: String { message }
    init(_ text: String, _ message: String) {
      self.text = text
      self.message = message
    }
  }

  static let faults = [
    Fault(
      "",
      "line 1: the file ends and describes no device. Is it a recording of evemu-record or `libinput record`?"
    ),
    Fault(
      "\n# a comment\n",
      "line 2: the file ends and describes no device. Is it a recording of evemu-record or `libinput record`?"
    ),
    Fault(
      "N: a\nhello\n",
      "line 2: not a line of an evemu recording, which begins with N:, I:, P:, B:, A:, E: or #. "
        + "Remove the line, or record again with evemu-record."),
    Fault(
      "N: a\nX: 1\n",
      "line 2: not a line of an evemu recording, which begins with N:, I:, P:, B:, A:, E: or #. "
        + "Remove the line, or record again with evemu-record."),
    Fault("N: a\nI: 0003 zz", "line 2: the vendor is not a number. Correct the line."),
    Fault("N: a\nI: 0003 0eef", "line 2: the line ends before the product. Complete the line."),
    Fault(
      "N: a\nI: 3 10000 0 0",
      "line 2: the vendor is out of the range the kernel has for it. Correct the line."),
    Fault(
      "N: a\nP: 100",
      "line 2: the byte is out of the range the kernel has for it. Correct the line."
    ),
    Fault(
      "N: a\nP:" + String(repeating: " 01", count: 129),
      "line 2: more bits than there are codes. Remove the repeated lines."),
    Fault(
      "N: a\nA: 35 0 2147483648 0 0 0",
      "line 2: the maximum is out of the range the kernel has for it. Correct the line."),
    Fault(
      "N: a\nA: 35 -2147483649 9 0 0 0",
      "line 2: the minimum is out of the range the kernel has for it. Correct the line."),
    Fault(
      "N: a\nA: 35 0 9 0 0 0 0",
      "line 2: there is more on the line than belongs there. Put a # before a comment."),
    Fault(
      "E: 0.000001 0003 0039 0045",
      "line 1: an event before any device. Put the device's description (N:, I:, P:, B: and A: "
        + "lines) before its first event."),
    Fault(
      "N: a\nE: 0.000001 0000 0000 0000\nA: 35 0 9 0 0 0",
      "line 3: a description line after the device's first event. Move it up, or begin another "
        + "device with an N: line."),
    Fault("N: a\nE: 5 0000 0000 0000", "line 2: the time is not a number. Correct the line."),
    Fault("N: a\nE: -5.0 0000 0000 0000", "line 2: the time is not a number. Correct the line."),
    Fault(
      "N: a\nE: 99999999999.0 0000 0000 0000",
      "line 2: the time is out of the range the kernel has for it. Correct the line."),
    Fault(
      "N: a\nE: 0.1000000 0000 0000 0000",
      "line 2: the time is out of the range the kernel has for it. Correct the line."),
    Fault("N: a\nE: 0.1 0000 0000", "line 2: the line ends before the value. Complete the line."),
    Fault("N: a\nE: 0.1 0000 0000 --1", "line 2: the value is not a number. Correct the line."),
    Fault(
      "N: a\nE: 0.1 0000 0000 99999999999999999999999",
      "line 2: the value is out of the range the kernel has for it. Correct the line."),
  ]

  @Test(arguments: faults)
  func `a fault is named with its line and what to do`(_ fault: Fault) throws {
    do throws(RecordingError) {
      _ = try Self.read(fault.text)
      Issue.record("no error")
    } catch {
      #expect(error.description == fault.message)
    }
  }
}

@Suite struct `A recording that comes in pieces` {
  private struct Cut: Error, Equatable {}

  private func read(_ text: String, by size: Int) throws -> Recording {
    let bytes = Array(text.utf8)
    var start = 0
    return try bytes.withUnsafeBufferPointer { bytes in
      try Recording {
        guard start < bytes.count else { return nil }
        defer { start += size }
        return UnsafeBufferPointer(rebasing: bytes[start..<min(start + size, bytes.count)])
      }
    }
  }

  @Test(arguments: [1, 2, 3, 7, 64, 1_000])
  func `is the same wherever it is cut`(_ size: Int) throws {
    let evemu = `Reading evemu files`.small
    #expect(try read(evemu, by: size) == `Reading evemu files`.read(evemu))
    let libinput = `Reading recordings of libinput record`.small
    #expect(try read(libinput, by: size) == Recording(parsing: Array(libinput.utf8)))
    #expect(throws: RecordingError(line: 3, .unknownLine)) {
      try read("# c\n\n---\nN: a\n", by: size)
    }
  }

  @Test func `is given up at a line that does not end, with the line`() throws {
    let line = "#" + String(repeating: "x", count: (1 << 16) - 1)
    #expect(try read("N: a\n\(line)\nA: 35 0 9 0 0 0", by: 1_000).devices.count == 1)
    for size in [1_000, 1 << 20] {
      #expect(throws: RecordingError(line: 2, .lineTooLong)) {
        try read("N: a\n\(line)x\n", by: size)
      }
    }
    var pieces = 0
    let zeros = [UInt8](repeating: 0, count: 1_000)
    #expect(throws: RecordingError(line: 1, .lineTooLong)) {
      try zeros.withUnsafeBufferPointer { zeros in
        _ = try Recording {
          pieces += 1
          return zeros
        }
      }
    }
    #expect(pieces == 66)
    #expect(
      RecordingError(line: 1, .lineTooLong).description
        == "line 1: the line is longer than 65536 bytes. Is it a recording of evemu-record or "
        + "`libinput record`?")
  }

  @Test func `has 256 devices at most`() throws {
    let limit = 256
    #expect(try read(String(repeating: "N:\n", count: limit), by: 100).devices.count == limit)
    #expect(throws: RecordingError(line: 257, .tooManyDevices)) {
      try read(String(repeating: "N:\n", count: limit + 1), by: 100)
    }
    let yaml = "version: 1\n" + String(repeating: "- node: a\n", count: limit)
    #expect(try read(yaml, by: 100).devices.count == limit)
    #expect(throws: RecordingError(line: 258, .tooManyDevices)) {
      try read(yaml + "- node: a\n", by: 100)
    }
    #expect(
      RecordingError(line: 1, .tooManyDevices).description
        == "line 1: there are more than 256 devices. Cut the recording into several.")
  }

  @Test func `ends with the error of its source`() {
    #expect(throws: Cut.self) { try Recording { throw Cut() } }
  }
}

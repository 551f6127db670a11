import LinuxIO
import TestSupport
import Testing
import TouchModel
import TouchRecording

@Suite struct `Reading recordings of libinput record` {
  static let small = #"""
    # libinput record
    version: 1
    ndevices: 2
    libinput:
      version: "1.22.1"
      git: "unknown"
    system:
      os: "debian:12"
      kernel: "6.1.0"
      dmi: "dmi:bvn: # not a comment"
    devices:
    - node: /dev/input/event5
      evdev:
        # Name: Panel "A" # 1
        name: "Panel \"A\" # 1"
        id: [3, 4617, 31583, 273]
        codes:
          0: [0, 1, 2, 3] # EV_SYN
          3: [47, 53,
              54, 57] # EV_ABS
        absinfo:
          47: [0, 9, 0, 0, 0]
          53: [-10, 4095, 2, 0, 12]
          54: [0, 2559, 0, 1, 12]
          57: [0, 65535, 0, 0, 0]
        properties: [1]
      hid: [ 0x05, 0x0d,
             0x09, 0x04 ]
      udev:
        properties:
        - ID_INPUT=1
        - ID_INPUT_TOUCHSCREEN=1
      quirks:
      events:
      # Current time is 12:00:00
      - evdev:
        - [  0,      0,   3,  57,      11] # EV_ABS / ABS_MT_TRACKING_ID       11 (+11)
        - [  0,      0,   3,  53,    -100] # EV_ABS / ABS_MT_POSITION_X
        - [  0,      0,   0,   0,       0] # ------------ SYN_REPORT (0) ---------- +0ms
      - libinput:
        - {time: 0.000, type: TOUCH_DOWN, slot: 0}
        - [1, 2, 3]
      - evdev:
        - [  1,  20013,   3,  57,      -1]
        - [  1,  20013,   0,   0,       0]

    - node: /dev/input/event6
      evdev:
        name: "Keyboard"
        id: [17, 1, 1, 43841]
        codes:
          1: [30, 48]
        properties: []
      events:
      - evdev:
        - [  0, 900000,   1,  30,       1]
    """#

  @Test func `a file of two devices is read whole`() throws {
    let recording = try Recording(parsing: Array(Self.small.utf8))
    var panel = DeviceDescription(
      name: "Panel \"A\" # 1", bus: 3, vendor: 0x1209, product: 0x7b5f, version: 0x0111)
    panel.properties = [1]
    panel.codes = [0: [0, 1, 2, 3], 3: [47, 53, 54, 57]]
    panel.axes = [
      47: AxisRange(minimum: 0, maximum: 9),
      53: AxisRange(minimum: -10, maximum: 4095, fuzz: 2, resolution: 12),
      54: AxisRange(minimum: 0, maximum: 2559, flat: 1, resolution: 12),
      57: AxisRange(minimum: 0, maximum: 65_535),
    ]
    func event(_ seconds: Int, _ micros: Int, _ type: UInt16, _ code: UInt16, _ value: Int32)
      -> EvdevEvent
    {
      EvdevEvent(seconds: seconds, microseconds: micros, type: type, code: code, value: value)
    }
    let keyboard = DeviceDescription(
      name: "Keyboard", bus: 17, vendor: 1, product: 1, version: 0xab41, codes: [1: [30, 48]])
    #expect(
      recording
        == Recording(devices: [
          RecordedDevice(
            description: panel,
            events: [
              event(0, 0, 3, 57, 11), event(0, 0, 3, 53, -100), event(0, 0, 0, 0, 0),
              event(1, 20_013, 3, 57, -1), event(1, 20_013, 0, 0, 0),
            ], line: 12),
          RecordedDevice(
            description: keyboard, events: [event(0, 900_000, 1, 30, 1)], line: 47),
        ]))
  }

  @Test func `the bundled recording, told in YAML, is the same recording`() throws {
    let path = "\(Repository.root)/Tests/Fixtures/ten-finger-panel.gestures.evemu"
    var expected = try Recording(parsing: readFile(path))
    let yaml = Self.yaml(expected)
    for index in expected.devices.indices { expected.devices[index].line = 5 }
    #expect(try Recording(parsing: Array(yaml.utf8)) == expected)
  }

  private static func yaml(_ recording: Recording) -> String {
    func list<Number: BinaryInteger>(_ numbers: some Sequence<Number>) -> String {
      "[" + numbers.map { "\($0)" }.joined(separator: ", ") + "]"
    }
    var text = "# libinput record\nversion: 1\nndevices: 1\ndevices:\n"
    for device in recording.devices {
      let about = device.description
      text += "- node: /dev/input/event3\n  evdev:\n    name: \"\(about.name)\"\n"
      text += "    id: \(list([about.bus, about.vendor, about.product, about.version]))\n"
      text += "    codes:\n"
      for (type, codes) in about.codes { text += "      \(type): \(list(codes))\n" }
      text += "    absinfo:\n"
      for (code, axis) in about.axes {
        let values = [axis.minimum, axis.maximum, axis.fuzz, axis.flat, axis.resolution]
        text += "      \(code): \(list(values))\n"
      }
      text += "    properties: \(list(about.properties))\n  events:\n  - evdev:\n"
      for event in device.events {
        text += "    - [\(event.seconds), \(event.microseconds), "
        text += "\(event.type), \(event.code), \(event.value)]\n"
      }
    }
    return text
  }

  private static let head = "version: 1\ndevices:\n- node: a\n  evdev:\n"

  static let faults: [(String, String)] = [
    (
      "version: 1\nndevices: 0\n",
      "line 2: the file ends and describes no device. Is it a recording of evemu-record or "
        + "`libinput record`?"
    ),
    (head + "    id: [1, 2, 3]\n", "line 5: the line ends before the ids. Complete the line."),
    (
      head + "    id: [1, 2, 3, 65536]\n",
      "line 5: the ids is out of the range the kernel has for it. Correct the line."
    ),
    (head + "    id: [1, x]\n", "line 5: the list is not a number. Correct the line."),
    (
      head + "    properties: [1,\n",
      "line 5: a list in [brackets] is missing or not closed. Was the file cut off, or laid out "
        + "anew by another program than `libinput record`?"
    ),
    (
      head + "    absinfo:\n      53: [0, 1, 2, 3]\n",
      "line 6: the line ends before the axis. Complete the line."
    ),
    (
      head + "  events:\n  - evdev:\n    - [0, 1000000, 3, 57, 1]\n",
      "line 7: the time is out of the range the kernel has for it. Correct the line."
    ),
    (
      head + "  events:\n  - evdev:\n    - [8589934592, 0, 3, 57, 1]\n",
      "line 7: the time is out of the range the kernel has for it. Correct the line."
    ),
    (
      head + "  events:\n  - evdev:\n    - [0, 1, 3, 57]\n",
      "line 7: the line ends before the event. Complete the line."
    ),
    (
      head + "    id: [99999999999999999999]\n",
      "line 5: the list is out of the range the kernel has for it. Correct the line."
    ),
  ]

  @Test(arguments: faults)
  func `a fault is named with its line and what to do`(_ text: String, _ message: String) {
    #expect(`Bytes that are no recording`.reading(Array(text.utf8))?.description == message)
  }

  @Test func `files cut off or changed anywhere are read or refused with a line`() throws {
    let seed = environmentSeed("LibinputReaderTests")
    var dice = SplitMix(seed: seed)
    let small = Array(Self.small.utf8)
    for end in small.indices { _ = `Bytes that are no recording`.reading(Array(small[..<end])) }
    for round in 0..<randomRounds {
      var bytes = small
      let place = Int.random(in: 0..<bytes.count, using: &dice)
      let strange = Array("[]-:,#\"\\ 0x9\n".utf8)
      switch round % 3 {
      case 0: bytes[place] = UInt8.random(in: 0 ... .max, using: &dice)
      case 1: bytes[place] = strange.randomElement(using: &dice) ?? 0
      default: bytes.remove(at: place)
      }
      guard let error = `Bytes that are no recording`.reading(bytes) else { continue }
      let lines = bytes.split(separator: 0x0a, omittingEmptySubsequences: false).count
      try #require((1...lines).contains(error.line), "round \(round) of seed \(seed)")
    }
  }
}

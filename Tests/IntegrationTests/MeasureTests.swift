import Glibc
import LinuxIO
import TestSupport
import Testing
import TouchModel
import TouchSettings
import UInputPanel

@Suite(.withPrograms) struct `touchctl measure` {
  private func measure(_ arguments: String...) throws -> (Int32, [String], [String]) {
    let process = try ChildProcess(["\(Repository.programs)/touchctl", "measure"] + arguments)
    let code = try process.end()
    return (code, process.output.all, process.errors.all)
  }

  /// A finger that goes around a panel of 0...1279 by 0...799 at 100 Hz, 13 units from the left edge and
  /// at all others.
  private static let around: String = {
    var places: [RawPoint] = []
    for x in stride(from: 13, through: 1279, by: 6) { places.append(RawPoint(x: Int32(x), y: 0)) }
    for y in stride(from: 0, through: 799, by: 17) { places.append(RawPoint(x: 1279, y: Int32(y))) }
    for x in stride(from: 1279, through: 13, by: -6) {
      places.append(RawPoint(x: Int32(x), y: 799))
    }
    return drawn(places)
  }()

  /// What a finger does that is in another place each 10 ms.
  private static func drawn(_ places: [RawPoint], from start: Int = 100) -> String {
    var frames: [(milliseconds: Int, fingers: [Int32: RawPoint])] = []
    for (index, place) in places.enumerated() { frames.append((start + 10 * index, [0: place])) }
    frames.append((start + 10 * places.count, [:]))
    return Recordings.fingers(frames)
  }

  private func file(_ text: String) throws -> (TemporaryFolder, String) {
    let folder = try TemporaryFolder()
    try folder.write(text, to: "a.evemu")
    return (folder, "\(folder.path)/a.evemu")
  }

  @Test func `prints the lines for a panel that declares more than it sends`() throws {
    let (folder, path) = try file(Self.around)
    _ = folder
    let (code, lines, errors) = try measure("--file", path)
    #expect(code == 0)
    #expect(errors == [])
    #expect(
      lines == [
        "x: 13...1279 seen of 0...1279 declared, 99.0 %",
        "y: 0...799 seen of 0...799 declared, 100.0 %",
        "473 frames, 100.0 a second, at most 10.0 ms apart while something moved", "",
        "[Panel measured-test-panel]", "MatchName=test panel", "RangeX=13 1279",
      ])
    // They mean what they should.
    let section = lines.suffix(3).joined(separator: "\n")
    let settings = Settings(files: [SettingsText(Array(section.utf8), file: "a.conf")])
    #expect(settings.faults == [])
    let panel = PanelIdentity(description: DeviceDescription(name: "test panel"))
    #expect(settings.resolve(panel).settings.rangeX?.value == 13...1279)
    #expect(settings.resolve(panel).settings.rangeY == nil)
    let (_, json, _) = try measure("--file", path, "--json")
    #expect(
      json == [
        #"{"frames":473,"contacts":1,"frame_rate_hz":100,"longest_gap_ms":10,"lost":0,"#
          + #""x":{"declared":[0,1279],"observed":[13,1279],"coverage":0.9898},"#
          + #""y":{"declared":[0,799],"observed":[0,799],"coverage":1},"warnings":[],"#
          + #""section":"[Panel measured-test-panel]\u000aMatchName=test panel\u000aRangeX=13 1279\u000a"}"#
      ])
  }

  @Test func `says when nothing is to be written, and when edges were left out`() throws {
    let (folder, path) = try file(
      Self.drawn([RawPoint(x: 3, y: 2), RawPoint(x: 600, y: 400), RawPoint(x: 1275, y: 798)]))
    _ = folder
    let (_, lines, _) = try measure("--file", path)
    #expect(lines.last == "# Both ranges are as declared; no line is needed.")
    let (_, few, _) = try measure("--file", path, "--frames", "2")
    #expect(
      few == [
        "x: 3...600 seen of 0...1279 declared, 46.7 %",
        "y: 2...400 seen of 0...799 declared, 49.8 %", "2 frames, 100.0 a second",
        "Less than half of the declared x was seen, so no line says it. Was each edge touched? Else the "
          + "device declares too much: RangeX= takes the two numbers.",
        "Less than half of the declared y was seen, so no line says it. Was each edge touched? Else the "
          + "device declares too much: RangeY= takes the two numbers.",
        "", "# Too little was seen for a section.",
      ])
    let (other, part) = try file(
      Self.drawn([RawPoint(x: 3, y: 2), RawPoint(x: 700, y: 400), RawPoint(x: 700, y: 300)]))
    _ = other
    let (_, json, _) = try measure("--file", part, "--json")
    #expect(
      json == [
        #"{"frames":4,"contacts":1,"frame_rate_hz":100,"longest_gap_ms":10,"lost":0,"#
          + #""x":{"declared":[0,1279],"observed":[3,700],"coverage":0.545},"#
          + #""y":{"declared":[0,799],"observed":[2,400],"coverage":0.4981},"#
          + #""warnings":["Less than nine tenths of the declared x were seen. Was each edge touched? "#
          + #"Else the device declares too much.","Less than half of the declared y was seen, so no "#
          + #"line says it. Was each edge touched? Else the device declares too much: RangeY= takes "#
          + #"the two numbers."],"section":"[Panel measured-test-panel]\u000aMatchName=test panel"#
          + #"\u000aRangeX=3 700\u000a"}"#
      ])
    let (still, silent) = try file(Recordings.endless)
    _ = still
    #expect(try measure("--file", silent) == (0, ["the panel has sent nothing"], []))
  }

  @Test func `tells how straight lines are, in millimetres or in parts`() throws {
    // 1279 units are 127.9 mm: every other position lies 2 units, 0.2 mm, off.
    let line = (0..<60).map { (index: Int) -> RawPoint in
      let y: Int32 = index % 2 == 0 ? 402 : 398
      return RawPoint(x: Int32(100 + 15 * index), y: y)
    }
    let (folder, path) = try file(Self.drawn(line))
    _ = folder
    let (code, lines, errors) = try measure(
      "--file", path, "--accuracy", "--size", "127.9x79.9mm")
    #expect(code == 0)
    #expect(errors == [])
    #expect(
      lines == [
        "1 line, 0 resting fingers, 0 touches ignored",
        "off the straight line: 0.20 mm in the mean, 0.21 mm at most, of 60 positions",
        "the same near the edges: nothing was drawn there",
        "61 frames, 100.0 a second, at most 10.0 ms apart while something moved",
      ])
    let (_, parts, _) = try measure("--file", path, "--accuracy")
    #expect(
      parts[1]
        == "off the straight line: 0.25 % of an axis in the mean, 0.26 % of an axis at most, of "
        + "60 positions")
    #expect(
      parts.last
        == "The panel's size is not known: --size 154x86mm, or Size= in its section, says it.")
    let (_, json, _) = try measure(
      "--file", path, "--accuracy", "--json", "--size", "127.9x79.9mm")
    #expect(
      json[0].hasPrefix(
        #"{"frames":61,"contacts":1,"frame_rate_hz":100,"longest_gap_ms":10,"lost":0,"unit":"mm","lines":1,"#
          + #""resting":0,"ignored":0,"linearity":{"positions":60,"mean":0.1998,"most":0.2095},"#))
  }

  @Test func `watches a panel that the daemon gives up for it`() throws {
    let daemon = try DaemonProcess(["--wait-for-clients", "1"], replay: Self.around)
    let app = try WireClient.welcomed(daemon.appSocket, name: "app")
    let process = try ChildProcess(
      [
        "\(Repository.programs)/touchctl", "measure", "1", "--frames", "110", "--socket",
        daemon.adminSocket,
      ])
    #expect(
      try process.errors.next()
        == "touchctl: slide slowly along all four edges and into the corners. Ctrl-C ends it.")
    app.setScenes([.everywhere])
    #expect(try app.next() == "scenes applied")
    #expect(try process.end() == 0)
    let lines = process.output.all
    #expect(lines.first == "x: 13...667 seen of 0...1279 declared, 51.1 %")
    #expect(lines.last == "RangeX=13 667")
    // The finger from then on is nobody's.
    #expect(try daemon.stop() == 0)
    #expect(try app.next() == "closed")
  }

  @Test(.withMockDevices)
  func `names a panel of udev's by its place, and is told when it is unplugged`() throws {
    let bench = try MockBench()
    try bench.add(
      5, .tenFingerPanel(named: "Mock panel"), "ID_INPUT_TOUCHSCREEN=1",
      "ID_PATH=pci-0000:00:14.0-usb-0:3:1.0")
    let daemon = try DaemonProcess(["--display", "1280x800"], environment: bench.environment)
    func touchctl(_ arguments: String...) throws -> ChildProcess {
      try ChildProcess(
        ["\(Repository.programs)/touchctl"] + arguments + ["--socket", daemon.adminSocket])
    }
    let process = try touchctl("measure", "event5", "--frames", "4")
    _ = try process.errors.next(containing: "slide slowly")
    // Four units a point.
    for x in [100, 600, 800] { try bench.touch(5, [0: (Int32(x), 200)]) }
    try bench.touch(5, [:])
    #expect(try process.end() == 0)
    let lines = process.output.all
    #expect(lines.first == "x: 400...3200 seen of 0...5116 declared, 54.7 %")
    #expect(
      lines.suffix(4) == [
        "[Panel measured-pci-0000:00:14.0-usb-0:3:1.0-Mock-panel]",
        "MatchPath=pci-0000:00:14.0-usb-0:3:1.0", "MatchName=Mock panel", "RangeX=400 3200",
      ])
    let unplugged = try touchctl("calibrate", "event5", "--dry-run")
    _ = try unplugged.output.next(containing: "1 of 5")
    try bench.remove(5)
    #expect(try unplugged.end() == 1)
    #expect(
      unplugged.errors.all == [
        "touchctl: the panel is gone; nothing was changed. Start again once it is back."
      ])
    let gone = try touchctl("calibrate", "event5")
    #expect(try gone.end() == 1)
    #expect(
      gone.errors.all == [
        "touchctl: the daemon has no panel event5, and no other. `touchctl devices` says why."
      ])
    #expect(try daemon.stop() == 0)
  }

  @Test func `ends when it is told to, with what it has`() throws {
    let daemon = try DaemonProcess(replay: Recordings.endless)
    let process = try ChildProcess(
      ["\(Repository.programs)/touchctl", "measure", "1", "--socket", daemon.adminSocket])
    _ = try process.errors.next()
    process.signal(SIGINT)
    #expect(try process.end() == 0)
    #expect(process.output.all == ["the panel has sent nothing"])
    let timed = try ChildProcess(
      [
        "\(Repository.programs)/touchctl", "measure", "1", "--seconds", "1", "--json", "--socket",
        daemon.adminSocket,
      ])
    #expect(try timed.end() == 0)
    #expect(
      timed.output.all.first?.hasPrefix(
        #"{"frames":0,"contacts":0,"frame_rate_hz":null,"longest_gap_ms":null,"lost":0,"x":{"declared":"#
          + #"[0,1279],"observed":null,"coverage":0}"#) == true)
    #expect(try daemon.stop() == 0)
  }

  @Test func `keeps what it has when the panel goes`() throws {
    let daemon = try DaemonProcess(
      ["--wait-for-clients", "1"],
      replay: Self.drawn([RawPoint(x: 3, y: 2), RawPoint(x: 600, y: 400)]))
    let process = try ChildProcess(
      ["\(Repository.programs)/touchctl", "measure", "1", "--socket", daemon.adminSocket])
    _ = try process.errors.next()
    let app = try WireClient.welcomed(daemon.appSocket, name: "app")
    app.setScenes([.everywhere])
    #expect(try process.end() == 1)
    #expect(process.output.all.first == "x: 3...600 seen of 0...1279 declared, 46.7 %")
    #expect(
      process.errors.all.last
        == "touchctl: the panel is gone; nothing was changed. Start again once it is back.")
    #expect(try daemon.stop() == 0)
  }

  @Test func `ends after so many seconds of a recording`() throws {
    // A frame each 10 ms, the first at 100 ms: the last within a second of it is at 1100 ms.
    let (folder, path) = try file(Self.around)
    _ = folder
    let (code, lines, errors) = try measure("--file", path, "--seconds", "1")
    #expect(code == 0)
    #expect(errors == [])
    #expect(lines.first == "x: 13...613 seen of 0...1279 declared, 46.9 %")
    #expect(
      lines.contains("101 frames, 100.0 a second, at most 10.0 ms apart while something moved"))
  }

  @Test func `tells how many frames it has lost, by not reading`() throws {
    // A client of its own in the daemon's place: one panel, whose frames come with a gap.
    let folder = try TemporaryFolder()
    let daemon = try ScriptedAdmin("\(folder.path)/admin.sock")
    let process = try ChildProcess(
      [
        "\(Repository.programs)/touchctl", "measure", "1", "--frames", "3", "--socket", daemon.path,
      ])
    try daemon.serve(lost: [0, 5, 0])
    #expect(try process.end() == 0)
    #expect(
      process.output.all == [
        "x: 0...1000 seen of 0...1000 declared, 100.0 %",
        "y: 0...1000 seen of 0...1000 declared, 100.0 %",
        "3 frames, 100.0 a second, at most 10.0 ms apart while something moved",
        "5 frames more were lost, as touchctl did not read in time: the result leaves them out. "
          + "Measure again.",
        "", "# Both ranges are as declared; no line is needed.",
      ])
  }

  @Test func `says what is wrong with what was asked`() throws {
    let (folder, path) = try file(Self.around + "\n" + Self.around)
    _ = folder
    let failures: [([String], Int32, String)] = [
      (
        [], 2,
        "measure takes one panel, as `touchctl status` lists them, or --file. Try `touchctl measure "
          + "--help`."
      ),
      (["1", "--seconds", "0"], 2, "--seconds takes a number above 0, not '0'."),
      (["1", "--size", "big"], 2, "--size takes a size such as 154x86mm, not 'big'."),
      (["--file", path, "--device", "x"], 2, "--device takes a number from 0, not 'x'."),
      (["--file", path, "--device", "2"], 1, "\(path) has no device 2, but 2 from 0."),
      (
        ["--file", path], 1,
        "\(path) has several panels; take one with --device: 0 (test panel), 1 (test panel)."
      ),
    ]
    for (arguments, code, sentence) in failures {
      let process = try ChildProcess(["\(Repository.programs)/touchctl", "measure"] + arguments)
      #expect(try process.end() == code)
      #expect(process.errors.all == ["touchctl: \(sentence)"])
    }
    #expect(try measure("--file", path, "--device", "1").0 == 0)
  }
}

import Glibc
import LinuxIO
import TestSupport
import Testing
import TouchModel
import TouchRecording
import TouchWire
import UInputPanel

@Suite(.withPrograms) struct `touchctl config` {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func run(_ arguments: String...) throws -> (Int32, [String], [String]) {
    let process = try ChildProcess(["\(Repository.programs)/touchctl", "config"] + arguments)
    let plain = { (lines: [String]) in
      lines.map { $0.replacing(folder.path, with: "DIR") }
    }
    return (try process.end(), plain(process.output.all), plain(process.errors.all))
  }

  @Test func `check finds nothing in what is right`() throws {
    try folder.write("[Display a]\nSize=10x10\n", to: "touchbridge.conf")
    let result = try run("check", folder.path)
    #expect(result == (0, ["nothing is wrong in DIR/touchbridge.conf"], []))
  }

  @Test func `check names everything that is wrong, with file and line`() throws {
    try folder.write(
      "[Display a]\nSize=10x10\n[Panel b]\nRotat=90\nGrab=1mm", to: "touchbridge.conf")
    try folder.write("[Panel c]\nDisplay=b", to: "conf.d/1.conf")
    let result = try run("check", folder.path)
    #expect(result.0 == 1)
    #expect(result.1 == [])
    #expect(
      result.2 == [
        "DIR/touchbridge.conf:4: [Panel b] has no key Rotat; did you mean Rotate?",
        "DIR/touchbridge.conf:5: Grab= takes yes or no, not '1mm'",
        "DIR/conf.d/1.conf:2: there is no display b; did you mean a?",
        "touchctl: 3 things are wrong.",
      ])
  }

  @Test func `takes check and show only`() throws {
    let words = [
      "touchctl: config takes check or show, and perhaps a path. Try `touchctl config --help`."
    ]
    #expect(try run() == (2, [], words))
    #expect(try run("mend") == (2, [], words))
    #expect(try run("check", "a", "b") == (2, [], words))
    #expect(try run("check", "--json") == (2, [], words))
  }

  @Test func `show prints each value and where it comes from`() throws {
    try folder.write(
      "[Daemon]\nStaleLimit=2s\n[Display a]\nSize=10x20\nRotate=90\n[Panel x]\nMatchName=no-such-panel",
      to: "touchbridge.conf")
    let json = try run("show", folder.path, "--json")
    #expect(json.0 == 0)
    #expect(json.2 == [])
    func line(_ section: String, _ name: String, _ key: String, _ value: String, _ origin: String)
      -> String
    {
      "{\"section\":\"\(section)\",\"name\":\"\(name)\",\"key\":\"\(key)\",\"value\":\"\(value)\","
        + "\"origin\":\"\(origin)\"}"
    }
    #expect(
      json.1.filter { !$0.contains("\"section\":\"Panel\",\"name\":\"/dev") } == [
        line("Daemon", "", "Seat", "seat0", "default"),
        line("Daemon", "", "StaleLimit", "2s", "DIR/touchbridge.conf:2"),
        line("Daemon", "", "HungLimit", "5s", "default"),
        line("Daemon", "", "ExplicitDevices", "none", "default"),
        line("Daemon", "", "Displays", "first", "default"),
        line("Display", "a", "Output", "the display's name", "default"),
        line("Display", "a", "Size", "10x20", "DIR/touchbridge.conf:4"),
        line("Display", "a", "Scale", "1", "default"),
        line("Display", "a", "Rotate", "90", "DIR/touchbridge.conf:5"),
        line("Display", "a", "WakeTouch", "no", "default"),
        line("Display", "a", "effective size", "20.0x10.0", "default"),
        line("Panel", "x", "unused", "", "DIR/touchbridge.conf:6"),
      ])
    let text = try run("show", folder.path)
    #expect(
      text.1.prefix(3) == [
        "[Daemon]", "Seat=seat0  # default", "StaleLimit=2s  # DIR/touchbridge.conf:2",
      ])
    #expect(text.1.suffix(1) == ["# no panel matches [Panel x], DIR/touchbridge.conf:6"])
  }
}

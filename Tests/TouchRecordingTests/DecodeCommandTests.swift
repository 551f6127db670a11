import Glibc
import Testing

@Suite(
  .enabled(if: access(Shell.touchctl, X_OK) == 0, "SKIPPED: needs touchctl beside the bundle"))
struct `touchctl decode` {
  static let panel = """
    N: panel
    A: 2f 0 1 0 0 0
    A: 35 0 100 0 0 0
    A: 36 0 200 0 0 0
    A: 39 0 9 0 0 0

    """

  /// Runs decode on a text given by standard input.
  static func decode(_ text: String, _ options: String = "--json") -> (code: Int32, output: String)
  {
    let words = [Shell.touchctl, "decode", "-"].map(Shell.quoted).joined(separator: " ")
    return Shell.run("printf %s \(Shell.quoted(text)) | \(words) \(options)")
  }

  @Test func `prints an object a frame, and a last one that cancels`() {
    let events = "E: 1.5 3 39 4\nE: 1.5 3 35 25\nE: 1.5 3 36 50\nE: 2.7 0 0 0\n"
    let result = Self.decode(Self.panel + events)
    let end = #""x":0.25,"y":0.25,"raw_x":25,"raw_y":50,"tool":"finger"}]}"#
    #expect(
      result.output == """
        {"time_us":2000007,"device":0,"contacts":[{"id":1,"slot":0,"phase":"down",\(end)
        {"time_us":2000007,"device":0,"contacts":[{"id":1,"slot":0,"phase":"cancel",\(end)

        """)
    #expect(result.code == 0)
  }

  @Test func `shows text to people`() {
    let result = Self.decode(
      Self.panel + "E: 1.5 3 39 4\nE: 2.7 0 0 0\nE: 3.0 3 39 -1\nE: 3.0 0 0 0", "")
    #expect(
      result.output == """
              2.000007  device 0  slot 0  contact 1  down    0.0000 0.0000  raw 0,0  finger
              3.000000  device 0  slot 0  contact 1  up      0.0000 0.0000  raw 0,0  finger

        """)
  }

  @Test func `warns of what is odd and goes on`() {
    let warning = "touchctl: warning: -: "
    let pad = "B: 01" + String(repeating: " 00", count: 40) + " 20\n"
    let events = "E: 0.1 3 2f 2\nE: 0.1 0 0 0\nE: 0.2 3 2f 5000\nE: 0.2 3 39 1\n"
    let result = Self.decode(Self.panel + "A: 36 5 5 0 0 0\n" + pad + events)
    #expect(
      result.output == """
        \(warning)"panel" is a touch pad; the daemon would leave it alone.
        \(warning)the y axis has no extent (5...5), so y is 0.
        \(warning)events name slots past the 2 declared; they are tracked all the same.
        \(warning)1 events name slots outside 0...1023; what is sent for those is ignored.
        \(warning)the last 2 events are ignored: no SYN_REPORT ends their frame.

        """)
    #expect(result.code == 0)
  }

  static let odd: [(String, String, String)] = [
    (
      "A19", "A: 2f 0 1 0 0 0\nA: 35 0 9 0 0 0\nA: 36 0 9 0 0 0\n",
      "slots are declared, but no ABS_MT_TRACKING_ID: the description is faulty."
    ),
    (
      "A17", "A: 00 0 9 0 0 0\nA: 01 0 9 0 0 0\nE: 0.1 1 14a 1\nE: 0.1 0 0 0\n",
      "1 contacts began before any position had come, so they are at 0, 0. "
        + "Does the panel send its position on other axes?"
    ),
    (
      "A10", "A: 35 0 9 0 0 0\nA: 36 0 9 0 0 0\nE: 0.1 3 30 5\nE: 0.1 0 2 0\nE: 0.1 0 0 0\n",
      "1 contacts of reports have neither an id nor a position; they are ignored."
    ),
    (
      "B16", "A: 00 0 9 0 0 0\nA: 01 3 3 0 0 0\n",
      "the y axis has no extent (3...3), so y is 0."
    ),
    (
      "A3",
      "A: 2f 0 1 0 0 0\nA: 35 0 9 0 0 0\nA: 36 0 9 0 0 0\nA: 39 0 9 0 0 0\n"
        + "E: 0.1 3 39 1\nE: 0.1 0 0 0\nE: 0.2 1 14a 0\nE: 0.2 0 0 0\n",
      "BTN_TOUCH 0 alone lifted the contacts 1 times: the driver sends no tracking id -1."
    ),
    (
      "F1",
      "A: 2f 0 1 0 0 0\nA: 35 0 9 0 0 0\nA: 36 0 9 0 0 0\nA: 39 0 9 0 0 0\n"
        + (1...3).map { "E: 0.\($0) 3 39 \($0)\nE: 0.\($0) 0 0 0\nE: 0.\($0) 3 39 -1\n" }.joined()
        + "E: 0.4 0 0 0\n",
      "2 contacts began just where the one before in their slot was last, as those do that come "
        + "without a position. Are they ghosts?"
    ),
    (
      "posiflex",
      "B: 01" + String(repeating: " 00", count: 34) + " 01\nA: 00 0 9 0 0 0\nA: 01 0 9 0 0 0\n",
      "\"odd\" passes for a mouse; the daemon would leave it alone."
    ),
  ]

  @Test(arguments: odd)
  func `names the fault of a device and goes on`(_ report: String, _ text: String, _ remark: String)
  {
    let result = Self.decode("N: odd\n" + text)
    let remarks = result.output.split(separator: "\n").filter { !$0.hasPrefix("{") }
    #expect(remarks == ["touchctl: warning: -: \(remark)"], "\(report)")
    #expect(result.code == 0)
  }

  @Test func `A14: a device without position axes is named as unusable`() {
    let result = Self.decode("N: PenMount 1610\nA: 30 0 255 0 0 0\nE: 0.1 3 30 255\nE: 0.1 0 0 0\n")
    #expect(result.output.hasPrefix("touchctl: -: line 1: \"PenMount 1610\" has no touch position"))
    #expect(result.code == 1)
  }

  @Test func `says with the line what it cannot read`() {
    let wrong = Self.decode(Self.panel + "E: 0.1 3 39\n")
    #expect(
      wrong.output
        == "touchctl: -: line 6: the line ends before the value. Complete the line.\n")
    #expect(wrong.code == 1)
    let mouse = Self.decode("# a comment\nN: mou\u{1b}se\n")
    #expect(
      mouse.output
        == "touchctl: -: line 2: \"mou?se\" has no touch position axes (ABS_MT_POSITION_X and _Y, "
        + "or ABS_X and ABS_Y), so it gives no frames. "
        + "Choose a device that reports where it is touched.\n")
    #expect(mouse.code == 1)
  }

  @Test func `leaves out a device without positions beside one that has them`() {
    let result = Self.decode(
      "N: mouse\nE: 0.1 2 0 1\n" + Self.panel + "E: 0.1 3 39 1\nE: 0.1 0 0 0\n")
    #expect(result.output.contains(#"{"time_us":1,"device":1,"contacts":[{"id":1,"#))
    #expect(result.output.contains("touchctl: warning: -: line 1: \"mouse\" has no touch position"))
    #expect(result.code == 0)
  }

  static let mistakes: [(String, String)] = [
    ("", "touchctl: what shall it do? `touchctl --help` lists the subcommands.\n"),
    ("dance", "touchctl: there is no `dance`. `touchctl --help` lists the subcommands.\n"),
    ("decode", "touchctl: decode takes one recording. Try `touchctl decode --help`.\n"),
    ("decode a b", "touchctl: decode takes one recording. Try `touchctl decode --help`.\n"),
    (
      "decode --dance a",
      "touchctl decode: unrecognized option '--dance'\nTry `touchctl decode --help`.\n"
    ),
  ]

  @Test(arguments: mistakes)
  func `wrong usage leaves with 2 and a hint`(_ arguments: String, _ message: String) {
    let result = Shell.run(Shell.quoted(Shell.touchctl) + " " + arguments)
    #expect(result.output == message)
    #expect(result.code == 2)
  }

  @Test func `a file that is not there leaves with 1`() {
    let result = Shell.run(Shell.quoted(Shell.touchctl) + " decode /nowhere/at/all --json")
    #expect(
      result.output
        == "touchctl: cannot open /nowhere/at/all: No such file or directory (ENOENT). "
        + "Check the path and that you may read the file.\n")
    #expect(result.code == 1)
  }

  @Test(arguments: ["--help", "decode --help"])
  func `help is asked for and given`(_ arguments: String) {
    let result = Shell.run(Shell.quoted(Shell.touchctl) + " " + arguments)
    #expect(result.output.hasPrefix("Usage: touchctl "))
    #expect(result.code == 0)
  }
}

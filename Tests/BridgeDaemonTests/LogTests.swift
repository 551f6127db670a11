import Testing

@testable import BridgeDaemon

@Suite struct `A log line` {
  static let values = [
    ("plain", "plain"),
    ("/dev/input/event5", "/dev/input/event5"),
    ("Küche", "Küche"),
    ("", "\"\""),
    ("two words", "\"two words\""),
    ("a\"b\\c", "\"a\\\"b\\\\c\""),
    ("a\nlevel=<3>", "\"a\\x0alevel=<3>\""),
    ("\u{1b}[2J", "\"\\x1b[2J\""),
    ("\u{7f}", "\"\\x7f\""),
    ("\u{9b}31m", "\"\\x9b31m\""),
    ("\u{0}", "\"\\x00\""),
  ]

  @Test(arguments: values)
  func `cannot be broken by a value, whoever chose it`(_ value: String, _ quoted: String) {
    #expect(Log.quoted(value) == quoted)
  }

  @Test func `levels are ordered from debug to error`() {
    #expect(
      [LogLevel.error, .debug, .notice, .warning].sorted() == [.debug, .notice, .warning, .error])
  }
}

import GestureTranscript
import LinuxIO
import TouchFrames
import TouchModel

/// `touchctl recognize`: the gestures of a recording, without a daemon.
enum Recognize: Subcommand {
  static let name = "recognize"
  static let summary = "show the gestures of a recording"

  private static let usage = CommandUsage(
    title: "touchctl recognize", operands: "FILE --size WxH [--json] [--exclusive]",
    text: """
      Plays an evemu recording on one view of the given size and shows what TouchKit's recognisers
      make of it: a line an action, with its time, place and measures. `-` reads standard input.
      The lines are JSON with and without --json.
      """,
    options: [
      CommandOption(name: "size", argument: "WxH", summary: "the view's size in points"),
      CommandOption(name: "json", summary: "print a JSON object an action"),
      CommandOption(
        name: "exclusive",
        summary: "let gestures exclude each other, as without a delegate; else all go together"),
    ])

  static func run(_ arguments: [String]) -> ExitCode {
    guard let parsed = usage.parse(arguments) else { return .usage }
    if parsed.has("help") { return Console.show(usage.help) }
    guard let path = parsed.operands.first, parsed.operands.count == 1 else {
      Console.fail("recognize takes one recording. Try `touchctl recognize --help`.")
      return .usage
    }
    guard let size = parsed.value("size").flatMap(size) else {
      Console.fail("recognize needs the view's size, such as --size 1280x800.")
      return .usage
    }
    let isExclusive = parsed.has("exclusive")
    // touchctl has one thread, which is the main one.
    return MainActor.assumeIsolated { recognize(path, size: size, isExclusive: isExclusive) }
  }

  private static func size(_ text: String) -> (width: Double, height: Double)? {
    let parts = text.split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count == 2, let width = Double(parts[0]), let height = Double(parts[1]),
      (1...1e6).contains(width), (1...1e6).contains(height)
    else { return nil }
    return (width, height)
  }

  @MainActor
  private static func recognize(
    _ path: String, size: (width: Double, height: Double), isExclusive: Bool
  ) -> ExitCode {
    guard let decoding = Decoding(path: path) else { return .failed }
    let output = OutputBuffer()
    let transcript = GestureTranscript(
      width: size.width, height: size.height, isExclusive: isExclusive
    ) { output.write($0 + "\n") }
    decoding.run(FrameTaker { transcript.take($0) })
    transcript.finish()
    decoding.warn()
    return output.finish()
  }
}

/// Hands decoded frames on as values.
private struct FrameTaker: FramePrinter {
  let take: (TouchFrame) -> Void

  func print(_ frame: borrowing FrameBuffer) { take(frame.frame()) }
}

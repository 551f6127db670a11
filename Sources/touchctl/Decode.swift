import LinuxIO
import TouchFrames
import TouchModel
import TouchRecording

/// `touchctl decode`: the frames of a recording, as the daemon would make them.
enum Decode: Subcommand {
  static let name = "decode"
  static let summary = "show the frames of a recording"

  private static let usage = CommandUsage(
    title: "touchctl decode", operands: "FILE [--json]",
    text: """
      Shows the frames of an evemu recording: one line for each report of the device at which a
      contact is down or has just ended. Nothing is calibrated or filtered. `-` reads standard
      input. What is odd about the recording is said on standard error.
      """,
    options: [
      CommandOption(name: "json", summary: "print a JSON object a line instead of text for people")
    ])

  static func run(_ arguments: [String]) -> ExitCode {
    guard let parsed = usage.parse(arguments) else { return .usage }
    if parsed.has("help") { return Console.show(usage.help) }
    guard let path = parsed.operands.first, parsed.operands.count == 1 else {
      Console.fail("decode takes one recording. Try `touchctl decode --help`.")
      return .usage
    }
    return decode(path, json: parsed.has("json"))
  }

  private static func decode(_ path: String, json: Bool) -> ExitCode {
    let output = OutputBuffer()
    let printer: any FramePrinter = json ? JSONFrames(output) : TextFrames(output)
    guard let decoding = Decoding(path: path) else { return .failed }
    decoding.run(printer)
    decoding.warn()
    return output.finish()
  }
}

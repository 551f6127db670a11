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
    let recording: Recording
    do {
      recording = try Recording(parsing: try FileContents.read(path))
    } catch let error as FileContents.Failure {
      Console.fail("\(error)")
      return .failed
    } catch {
      Console.fail("\(path): \(error)")
      return .failed
    }
    let output = OutputBuffer()
    let printer: any FramePrinter = json ? JSONFrames(output) : TextFrames(output)
    guard let decoding = Decoding(recording, path: path) else { return .failed }
    decoding.run(printer)
    decoding.warn()
    return output.finish()
  }
}

/// A recording on its way through the frame assemblers, one a device.
private final class Decoding {
  private final class Panel {
    var assembler: FrameAssembler
    init(_ assembler: consuming FrameAssembler) { self.assembler = assembler }
  }

  private let recording: Recording
  private let path: String
  // nil for a device whose events give no frames.
  private let panels: [Panel?]

  /// Fails, and says why, if no device of the recording gives frames.
  init?(_ recording: Recording, path: String) {
    self.recording = recording
    self.path = path
    let ids = ContactIDSequence()
    var panels: [Panel?] = []
    var refusals: [String] = []
    for (index, device) in recording.devices.enumerated() {
      do throws(FrameError) {
        let assembler = try FrameAssembler(
          description: device.description, device: UInt32(truncatingIfNeeded: index), display: 0,
          ids: ids, source: .recording, isInjected: false)
        panels.append(Panel(assembler))
      } catch {
        panels.append(nil)
        refusals.append("\(path): line \(device.line): \(error)")
      }
    }
    self.panels = panels
    let isHopeless = refusals.count == panels.count
    for refusal in refusals { isHopeless ? Console.fail(refusal) : Console.warn(refusal) }
    if isHopeless { return nil }
  }

  func run(_ printer: any FramePrinter) {
    for timed in RecordingTimeline(recording) {
      guard let panel = panels[timed.device], panel.assembler.consume(timed.event) else { continue }
      repeat { printer.print(panel.assembler.frame) } while panel.assembler.takePendingFrame()
    }
    for (device, panel) in zip(recording.devices, panels) {
      guard let panel, let last = device.lastReportNanoseconds else { continue }
      if panel.assembler.cancelAll(timeNanoseconds: last) { printer.print(panel.assembler.frame) }
    }
  }

  func warn() {
    for (device, panel) in zip(recording.devices, panels) {
      guard let panel else { continue }
      let remarks = RecordingRemarks(
        device, counters: panel.assembler.counters, slots: panel.assembler.declaredSlots)
      for remark in remarks.texts { Console.warn("\(path): \(remark)") }
    }
  }
}

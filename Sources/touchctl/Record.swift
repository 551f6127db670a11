import BridgeDaemon
import EvdevSource
import Glibc
import LinuxIO
import TouchModel
import TouchRecording

/// `touchctl record`: panels into a file.
enum Record: Subcommand {
  static let name = "record"
  static let summary = "record panels into an evemu file"

  private static let usage = CommandUsage(
    title: "touchctl record", operands: "[NODE...] [OPTION...]",
    text: """
      Records what panels send, for decode, recognize, replay and evemu-play, until Ctrl-C. Without
      NODE it records all panels that the daemon would use. Lines of our own are comments. While
      the daemon runs, the places of contacts in sensitive scenes are left out.
      """,
    options: [
      CommandOption(
        name: "output", argument: "FILE", summary: "write there instead of to standard output"),
      CommandOption(name: "frames", argument: "N", summary: "end after N frames"),
      CommandOption(
        name: "socket", argument: "PATH",
        summary: "the daemon's admin socket (\(Monitor.standardSocket))"),
    ])

  static func run(_ arguments: [String]) -> ExitCode {
    guard let parsed = usage.parse(arguments) else { return .usage }
    if parsed.has("help") { return Console.show(usage.help) }
    var limit: Int?
    if let text = parsed.value("frames") {
      guard let number = Int(text), number > 0 else {
        Console.fail("--frames takes a number above 0, not '\(text)'.")
        return .usage
      }
      limit = number
    }
    do throws(RecordFailure) {
      let panels = try parsed.operands.isEmpty ? usedPanels() : parsed.operands.map(panel)
      guard !panels.isEmpty else {
        Console.fail("there is no panel to record. `touchctl devices` says why.")
        return .failed
      }
      let output = RecordOutput(try output(parsed.value("output")))
      let feed = SensitiveFeed(path: parsed.value("socket") ?? Monitor.standardSocket)
      return try RecordSession(panels, to: output, feed: feed, limit: limit).run()
    } catch {
      Console.fail(error.sentence)
      return .failed
    }
  }

  private static func usedPanels() throws(RecordFailure) -> [RecordedPanel] {
    do throws(SystemError) {
      let nodes = try InputNodeWatcher().nodes()
      let configuration = Configuration(.system)
      let inspections = nodes.map { Inspection($0, configuration) }
      return Inspection.withoutCopies(inspections).filter { $0.verdict == .used }
        .compactMap { try? RecordedPanel($0.node) }
    } catch {
      throw RecordFailure("\(error). Is udev running? Or name the nodes.")
    }
  }

  private static func panel(_ path: String) throws(RecordFailure) -> RecordedPanel {
    let known = (try? InputNodeWatcher())?.nodes().first { $0.node == path }
    do throws(DeviceError) {
      return try RecordedPanel(known ?? InputNode(node: path, sysPath: "", properties: [:]))
    } catch {
      throw RecordFailure("\(error)")
    }
  }

  private static func output(_ path: String?) throws(RecordFailure) -> OwnedDescriptor {
    do throws(SystemError) {
      guard let path else { return try duplicate(STDOUT_FILENO) }
      // For this user alone: the file tells what was touched where.
      let file = try openFile(path, flags: O_WRONLY | O_CREAT | O_TRUNC, mode: 0o600)
      // Also one that was there before; a device such as /dev/null has no such bits to change.
      fchmod(file.raw, 0o600)
      return file
    } catch {
      throw RecordFailure("\(error)")
    }
  }
}

/// Why nothing can be recorded, as a sentence for the terminal.
struct RecordFailure: Error {
  let sentence: String

  init(_ sentence: String) { self.sentence = sentence }
}

/// A panel that is being recorded.
final class RecordedPanel {
  let node: InputNode
  let device: EvdevDevice
  var gate: SensitiveGate
  var isGone = false
  var frames = 0
  /// Events of a panel that does not stand last in the file: they follow when its turn comes.
  var text = ""

  init(_ node: InputNode) throws(DeviceError) {
    self.node = node
    device = try EvdevDevice(node: node.node)
    gate = SensitiveGate(hasSlots: device.description.axes[EvdevCode.absMTSlot] != nil)
  }

  /// The lines before the events.
  var header: String {
    var text = "# Touchbridge node: \(Console.printable(node.node))\n"
    for key in ["ID_PATH", "ID_SEAT", "WL_OUTPUT", "LIBINPUT_CALIBRATION_MATRIX"] {
      guard let value = node.properties[key] else { continue }
      text += "# Touchbridge \(key): \(Console.printable(value))\n"
    }
    return text + EvemuWriter.text(of: device.description)
  }
}

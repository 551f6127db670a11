import BridgeDaemon
import LinuxIO
import TouchModel
import TouchSettings
import TouchWire

/// `touchctl display`: turns a display's picture while the daemon runs.
enum DisplayCommand: Subcommand {
  static let name = "display"
  static let summary = "turn a display's picture"

  private static let usage = CommandUsage(
    title: "touchctl display", operands: "NAME --rotate DEGREES [OPTION...]",
    text: """
      Tells the daemon how far the picture of a display is turned clockwise on its glass. What is
      down on the display's panels is cancelled, and the apps are told of its new size. It holds
      until the daemon ends or the configuration says something else; --keep makes it last.
      """,
    options: [
      CommandOption(name: "rotate", argument: "DEGREES", summary: "0, 90, 180 or 270"),
      CommandOption(
        name: "keep", summary: "also write it into a file in conf.d, for the next start"),
      CommandOption(
        name: "config", argument: "PATH",
        summary: "--keep: the folder with conf.d, instead of the one the daemon reads"),
      CommandOption(
        name: "socket", argument: "PATH",
        summary: "the daemon's admin socket (\(Monitor.standardSocket))"),
    ])

  static func run(_ arguments: [String]) -> ExitCode {
    guard let parsed = usage.parse(arguments) else { return .usage }
    if parsed.has("help") { return Console.show(usage.help) }
    guard parsed.operands.count == 1, let text = parsed.value("rotate") else {
      Console.fail("display takes a name and --rotate DEGREES. Try `touchctl display --help`.")
      return .usage
    }
    guard let rotation = Int(text).flatMap({ Rotation(rawValue: $0) }) else {
      Console.fail("--rotate takes 0, 90, 180 or 270, not '\(text)'.")
      return .usage
    }
    do throws(ToolFailure) {
      let connection = try AdminConnection(
        path: parsed.value("socket") ?? Monitor.standardSocket, name: "touchctl display")
      let wish = RotateDisplay(display: parsed.operands[0], rotation: rotation)
      var kept: KeptRotation?
      if parsed.has("keep") {
        kept = try KeptRotation(wish, connection, folder: parsed.value("config"))
      }
      try turn(wish, connection)
      guard let kept else { return .done }
      try kept.write()
      return Console.show(Console.printable("written to \(kept.path)") + "\n")
    } catch {
      Console.fail(error.sentence)
      return error.code
    }
  }

  private static func turn(
    _ wish: RotateDisplay, _ connection: AdminConnection
  ) throws(ToolFailure) {
    let answer = try connection.ask(
      { $0.rotateDisplay(wish, serial: $1) },
      { message, serial in
        if case .displayRotated(let answer) = message, answer.requestSerial == serial {
          return answer
        }
        return nil
      })
    guard answer.result == .rotated else {
      let names = connection.displays.map(\.name).joined(separator: ", ")
      throw ToolFailure(sentence: "there is no display \(wish.display); there are \(names).")
    }
  }
}

/// A display's turn in the configuration, for the next start.
private struct KeptRotation {
  private let file: DropIn
  private let section: SectionText

  /// Where it is written to.
  var path: String { file.path }

  /// Finds out what is to be written, and whether it can be, before anything is turned.
  init(
    _ wish: RotateDisplay, _ connection: AdminConnection, folder: String?
  ) throws(ToolFailure) {
    var name = folder
    if name == nil { name = try connection.standing().configuration }
    guard let name else { throw ToolFailure(sentence: "the daemon reads no configuration.") }
    let place = ConfigurationPlace(name: name)
    let lines = "Rotate=\(wish.rotation.degrees) in [Display \(wish.display)]"
    var section = SectionText(display: wish.display)
    file = try DropIn(section, in: place, orPaste: lines)
    section.add("Rotate", "\(wish.rotation.degrees)")
    // What the file says already of the display stays.
    let configuration =
      try file.hasSection(section) ? try file.proposed(section) : file.configurationWithout
    guard let display = configuration.displays.first(where: { $0.native.name == wish.display })
    else {
      throw ToolFailure(
        sentence:
          "the configuration in \(name) has no display \(wish.display), so nothing was turned "
          + "or written. A [Display \(wish.display)] section makes it one.")
    }
    if configuration.settings.displays.isEmpty {
      guard configuration.settings.daemon.displays?.value != .connected else {
        throw ToolFailure(
          sentence: "with Displays=connected a section for one display would leave the others out. "
            + "Write a [Display] section for each of them first.")
      }
      // A section of its own makes a display of its own: it has to stay the same one.
      section = SectionText(display: wish.display)
      if display.output.isEmpty {
        let (width, height) = (display.native.width, display.native.height)
        section.add("Size", "\(JSONText.number(width))x\(JSONText.number(height))")
      } else {
        section.add("Output", display.output)
      }
      section.add("Rotate", "\(wish.rotation.degrees)")
    }
    self.section = section
    try file.check(section)
  }

  func write() throws(ToolFailure) {
    let (before, configuration): (KeptFile.Versions, Configuration)
    do throws(ToolFailure) {
      before = try file.versions()
      configuration = try file.write(section, by: "display")
    } catch {
      throw ToolFailure(
        sentence: "the picture is turned until the daemon ends, but it is not kept: "
          + error.sentence, code: error.code)
    }
    let display = configuration.settings.displays.first { $0.name == section.name.name }
    if case .file(let other, let line) = display?.settings.rotation?.origin, other != file.path {
      try file.reset(to: before)
      throw ToolFailure(
        sentence:
          "the picture is turned until the daemon ends, but Rotate= at \(other):\(line) is read "
          + "after \(file.path) and wins. Change it there.")
    }
  }
}

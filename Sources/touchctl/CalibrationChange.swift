import BridgeDaemon
import LinuxIO
import TouchCalibration
import TouchModel
import TouchSettings
import TouchWire

/// A panel's calibration in the configuration, and in the running daemon.
struct CalibrationChange {
  private let panel: StatusPanel
  private let connection: AdminConnection
  private let identity: PanelIdentity
  private let file: DropIn?
  private let whyNoFile: ToolFailure?

  /// Where it is written to.
  var path: String { file?.path ?? "" }

  /// Prepares a change; nothing is written.
  ///
  /// - Parameter folder: the configuration's; nil for the one that the daemon reads.
  init(
    _ panel: StatusPanel, _ connection: AdminConnection, folder: String?
  ) throws(ToolFailure) {
    self.panel = panel
    self.connection = connection
    var description = DeviceDescription(name: panel.name)
    description.physicalLocation = panel.physicalLocation
    identity = PanelIdentity(path: panel.path, description: description)
    let section = SectionText(panel: identity, purpose: "calibration")
    do throws(ToolFailure) {
      guard !panel.name.isEmpty || !panel.path.isEmpty || !panel.physicalLocation.isEmpty else {
        throw ToolFailure(
          sentence:
            "the panel says neither its name nor where it is plugged in, so a section would be "
            + "for all panels. --dry-run prints the result; write it into a section by hand.")
      }
      var place = folder
      if place == nil { place = try connection.standing().configuration }
      guard let name = place else {
        throw ToolFailure(sentence: "the daemon reads no configuration.")
      }
      file = try DropIn(
        section, in: ConfigurationPlace(name: name), orPaste: "what --dry-run prints")
      whyNoFile = nil
    } catch {
      // A dry run needs none.
      file = nil
      whyNoFile = error
    }
  }

  /// The section that says a calibration.
  func section(_ calibration: PanelTransform) -> SectionText {
    var section = SectionText(panel: identity, purpose: "calibration")
    section.add("Calibration", "\(calibration)")
    return section
  }

  private func target() throws(ToolFailure) -> DropIn {
    guard let file else {
      throw whyNoFile ?? ToolFailure(sentence: "there is no place for a configuration.")
    }
    return file
  }

  /// Says why the result of a calibration could not be kept, before anybody has touched anything.
  func check() throws(ToolFailure) {
    try target().check(
      DropIn.bytes(of: section(.identity), by: "calibrate"),
      orElse: "--dry-run shows the result alone.")
  }

  /// Writes the calibration and lets the daemon take it; what it does not take is put back.
  func write(_ fit: CalibrationFit) throws(ToolFailure) {
    let file = try target()
    let before = try file.versions()
    let configuration = try file.write(section(fit.calibration), by: "calibrate")
    let origin = configuration.settings.resolve(identity).settings.calibration?.origin
    do throws(ToolFailure) {
      if case .file(let other, let line) = origin, other != file.path {
        throw ToolFailure(
          sentence:
            "Calibration= at \(other):\(line) is read after \(file.path) and wins. Remove it "
            + "there")
      }
      try take(fit.transform)
    } catch {
      try file.reset(to: before)
      _ = try? reload()
      throw ToolFailure(
        sentence: "\(error.sentence). All is as it was before.", code: error.code)
    }
  }

  /// Takes the version before back and lets the daemon take it.
  func restore() throws(ToolFailure) -> ExitCode {
    let file = try target()
    guard let restored = try file.restore() else {
      throw ToolFailure(
        sentence: "\(file.path) and a version before it are not there; nothing to restore.")
    }
    if let fault = try reload() {
      throw ToolFailure(sentence: "the daemon does not take it: \(fault)")
    }
    let matrix = try PanelTransform(connection.panel(panel.node))
    let what = restored == .removed ? "taken away" : "as it was before"
    return Console.show(
      Console.printable("\(file.path) is \(what); the panel's matrix is \(matrix)") + "\n")
  }

  /// - Returns: what is wrong with the configuration, in the daemon's words; nil if it has taken it.
  private func reload() throws(ToolFailure) -> String? {
    let answer = try connection.ask(
      { $0.readConfiguration(serial: $1) },
      { message, serial in
        if case .configurationRead(let answer) = message, answer.requestSerial == serial {
          return answer
        }
        return nil
      })
    return answer.result == .taken ? nil : answer.text
  }

  /// Lets the daemon read its configuration and looks whether the panel is used so.
  private func take(_ transform: PanelTransform) throws(ToolFailure) {
    if let fault = try reload() {
      throw ToolFailure(sentence: "the daemon does not take it: \(fault)")
    }
    let matrix = try PanelTransform(connection.panel(panel.node))
    let isTaken = zip(matrix.numbers, transform.numbers).allSatisfy { abs($0 - $1) < 1e-6 }
    guard isTaken else {
      throw ToolFailure(
        sentence:
          "the daemon has read its configuration, and the panel's matrix is \(matrix) all the "
          + "same. Does it read another folder than \(path)? --config names it")
    }
  }
}

extension PanelTransform {
  /// The matrix that the status tells; the identity where it tells none.
  fileprivate init(_ panel: StatusPanel) {
    let numbers = panel.matrix
    guard numbers.count == 6 else {
      self = .identity
      return
    }
    self.init(numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5])
  }
}

import BridgeDaemon
import LinuxIO
import TouchCalibration
import TouchModel
import TouchSettings
import TouchWire

/// A panel's calibration in the configuration, and in the running daemon.
struct CalibrationChange {
  private var panel: StatusPanel
  private let connection: AdminConnection
  private let identity: PanelIdentity
  private let file: DropIn?
  private let whyNoFile: ToolFailure?
  // What the files said when the touches began.
  private var setup: PanelSetup?

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
    identity = panel.identity
    let section = SectionText(panel: identity, purpose: "calibration")
    do throws(ToolFailure) {
      guard panel.isKnown else {
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

  /// Why a section would be for another panel as well; nil if it is for this one alone.
  func sharing() throws(ToolFailure) -> String? {
    let section = section(.identity)
    let others = try connection.standing().panels.filter { other in
      other.node != panel.node && other.isKnown && section.isFor(other.identity)
    }
    guard !others.isEmpty else { return nil }
    return
      "a section for panel \(panel.words) would be for \(others.map(\.words).joined(separator: ", ")) "
      + "as well. Write what --dry-run prints by hand, with MatchIds= or MatchAxes= to tell them apart"
  }

  /// Says why the result of a calibration could not be kept, before anybody has touched anything, and
  /// has the daemon read its configuration, so that the touches are taken as the files have it.
  ///
  /// - Returns: the panel as it is used then.
  mutating func begin() throws(ToolFailure) -> StatusPanel {
    let file = try target()
    try file.check(section(.identity), orElse: "--dry-run shows the result alone.")
    if let reason = try sharing() { throw ToolFailure(sentence: "\(reason).") }
    setup = PanelSetup(file.place, identity)
    if let fault = try reload() {
      throw ToolFailure(sentence: "the daemon does not take its configuration: \(fault)")
    }
    do throws(ToolFailure) {
      panel = try connection.panel(panel.node)
    } catch {
      throw ToolFailure(
        sentence: "the daemon has read its configuration anew, and now \(error.sentence)",
        code: error.code)
    }
    return panel
  }

  /// Finds out whether the files still say of the panel what they said before the touches: a matrix for
  /// another range or display would be of no use to anybody.
  func confirm() throws(ToolFailure) {
    guard try setup == PanelSetup(target().place, identity) else {
      throw ToolFailure(
        sentence: "the configuration of the panel has changed meanwhile; nothing was changed here. "
          + "Start again.")
    }
  }

  /// Writes the calibration and lets the daemon take it; what it does not take, and what nobody gets to
  /// see, is put back.
  ///
  /// - Parameter show: tells the result.
  func write(_ fit: CalibrationFit, _ show: () -> ExitCode) throws(ToolFailure) {
    let file = try target()
    // Ctrl-C comes too late now: what is begun is ended.
    connection.isInterruptible = false
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
      guard show() == .done else { throw ToolFailure(sentence: "nobody reads the result") }
    } catch {
      try undo(error, file, before)
    }
  }

  /// Puts the file back, and says how the panel is then.
  private func undo(
    _ failure: ToolFailure, _ file: DropIn, _ before: KeptFile.Versions
  ) throws(ToolFailure) -> Never {
    try file.reset(to: before)
    // Whether it worked shows in the panel.
    _ = try? reload()
    let isAsBefore = (try? connection.panel(panel.node))?.matrix == panel.matrix
    let sentence = failure.sentence.hasSuffix(".") ? failure.sentence : "\(failure.sentence)."
    throw ToolFailure(
      sentence: isAsBefore
        ? "\(sentence) All is as it was before."
        : "\(sentence) The file is as it was before, but the panel is not. `touchctl status` "
          + "shows how it is used.",
      code: failure.code)
  }

  /// Takes the version before back and lets the daemon take it.
  func restore() throws(ToolFailure) -> ExitCode {
    let file = try target()
    connection.isInterruptible = false
    let before = try file.versions()
    guard let restored = try file.restore(section(.identity)) else {
      throw ToolFailure(
        sentence: "\(file.path) and a version before it are not there; nothing to restore.")
    }
    let now: StatusPanel
    do throws(ToolFailure) {
      if let fault = try reload() {
        throw ToolFailure(sentence: "the daemon does not take it: \(fault)")
      }
      now = try connection.panel(panel.node)
    } catch {
      try undo(error, file, before)
    }
    let what = restored == .removed ? "taken away" : "as it was before"
    return Console.show(
      Console.printable("\(file.path) is \(what); the panel's matrix is \(PanelTransform(now))")
        + "\n")
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

/// What the files say of one panel and of all displays.
private struct PanelSetup: Equatable {
  private let displays: [PlacedDisplay]
  private let sections: [PanelSection]

  /// Reads the files of a place.
  init(_ place: ConfigurationPlace, _ panel: PanelIdentity) {
    let configuration = Configuration(place)
    displays = configuration.displays
    sections = configuration.settings.panels.filter { section in
      // The daemon does not tell its ids and axes, so those may be as they like.
      var match = section.match
      (match.ids, match.axes) = (nil, nil)
      return match.matches(panel)
    }
  }
}

extension StatusPanel {
  /// Whether anything is known of it; of one that is waited for nothing is.
  fileprivate var isKnown: Bool { !name.isEmpty || !path.isEmpty || !physicalLocation.isEmpty }
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

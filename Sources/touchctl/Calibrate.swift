import BridgeDaemon
import LinuxIO
import TouchCalibration
import TouchModel
import TouchSettings
import TouchWire

/// `touchctl calibrate`: asks for touches and works out where the panel lies.
enum Calibrate: Subcommand {
  static let name = "calibrate"
  static let summary = "find out by touches how a panel lies on its display"

  private static let usage = CommandUsage(
    title: "touchctl calibrate", operands: "PANEL [OPTION...]",
    text: """
      Asks for touches at marks, one after the other, works the panel's Calibration out, checks it
      with one more touch, writes it into a file of its own in conf.d and lets the daemon take it.
      PANEL is its number, node or name as `touchctl status` shows them. Apps get nothing of the
      panel meanwhile. First the daemon reads its configuration, so that the touches are taken as the
      files have it; nothing is written before the check has passed.
      """,
    options: [
      CommandOption(
        name: "points", argument: "N", summary: "3, 4, 5 or 9 marks beside the check (4)"),
      CommandOption(
        name: "limit", argument: "LENGTH",
        summary: "how far the check may miss: 5mm, or 3% where the panel's size is not known"),
      CommandOption(name: "dry-run", summary: "print the result alone"),
      CommandOption(
        name: "restore", summary: "take back what was there before the last calibration"),
      CommandOption(
        name: "json", summary: "print JSON objects, for a program that draws the marks"),
      CommandOption(
        name: "config", argument: "PATH",
        summary: "the folder with conf.d, instead of the one the daemon reads"),
      CommandOption(
        name: "socket", argument: "PATH",
        summary: "the daemon's admin socket (\(Monitor.standardSocket))"),
    ])

  static func run(_ arguments: [String]) -> ExitCode {
    guard let parsed = usage.parse(arguments) else { return .usage }
    if parsed.has("help") { return Console.show(usage.help) }
    guard parsed.operands.count == 1 else {
      Console.fail(
        "calibrate takes one panel; `touchctl status` lists them. Try `touchctl calibrate --help`.")
      return .usage
    }
    let points = parsed.value("points") ?? "4"
    guard let count = Int(points), CalibrationRun.pointCounts.contains(count) else {
      Console.fail("--points takes 3, 4, 5 or 9, not '\(points)'.")
      return .usage
    }
    guard !parsed.has("restore") || !parsed.has("dry-run") else {
      Console.fail("--dry-run changes nothing and --restore does; take one of them.")
      return .usage
    }
    var limit: SurfaceLength?
    if let text = parsed.value("limit") {
      limit = SurfaceLength(text)
      guard limit != nil else {
        Console.fail("--limit takes a length such as 5mm or 3%, not '\(text)'.")
        return .usage
      }
    }
    ignoreBrokenPipes()
    do throws(ToolFailure) {
      let connection = try AdminConnection(
        path: parsed.value("socket") ?? Monitor.standardSocket, name: "touchctl calibrate",
        catchesSignals: true)
      let panel = try connection.panel(parsed.operands[0])
      var change = try CalibrationChange(panel, connection, folder: parsed.value("config"))
      if parsed.has("restore") { return try change.restore() }
      let printer: any CalibrationPrinter =
        parsed.has("json") ? JSONCalibration() : TextCalibration()
      func measure(_ panel: StatusPanel) throws(ToolFailure) -> CalibrationResult {
        try check(limit, on: panel)
        let frames = try CapturedFrames(panel, connection)
        let session = CalibrationSession(frames, points: count, limit: limit, printer)
        let result = try session.run()
        try frames.release()
        return result
      }
      if parsed.has("dry-run") {
        if let warning = try change.sharing() { Console.warn("\(warning).") }
        let result = try measure(panel)
        return printer.finish(result, change.section(result.fit.calibration).text, file: nil)
      }
      let result = try measure(change.begin())
      try change.confirm()
      do throws(ToolFailure) {
        try change.write(result.fit) { printer.finish(result, "", file: change.path) }
        return .done
      } catch {
        Console.fail(error.sentence)
        // The touches were somebody's work.
        Console.line("The result was not kept. Its matrix and section, to be written by hand:")
        Console.line("matrix: \(result.fit.calibration)")
        for line in change.section(result.fit.calibration).text.split(separator: "\n") {
          Console.line(String(line))
        }
        return error.code
      }
    } catch {
      Console.fail(error.sentence)
      return error.code
    }
  }

  private static func check(_ limit: SurfaceLength?, on panel: StatusPanel) throws(ToolFailure) {
    switch (limit, panel.hasSize) {
    case (.millimetres, false):
      throw ToolFailure(
        sentence: "the panel's size is not known, so --limit takes a part such as 3%. Size= in its "
          + "[Panel] section says it.", code: .usage)
    case (.parts, true):
      throw ToolFailure(
        sentence: "the panel's size is known, so --limit takes a length such as 5mm.", code: .usage)
    default: break
    }
  }
}

extension SurfaceLength {
  /// Reads `5mm` or `3%`.
  fileprivate init?(_ text: String) {
    func number(_ suffix: String) -> Double? {
      guard text.hasSuffix(suffix), let value = Double(text.dropLast(suffix.count)),
        value > 0, value.isFinite
      else { return nil }
      return value
    }
    if let value = number("mm") {
      self = .millimetres(value)
    } else if let value = number("%") {
      self = .parts(value / 100)
    } else {
      return nil
    }
  }
}

/// A guided run on a captured panel.
private struct CalibrationSession {
  private let frames: CapturedFrames
  private let printer: any CalibrationPrinter
  private let glass: SurfaceSize?
  private let course: CalibrationRun

  init(
    _ frames: CapturedFrames, points: Int, limit: SurfaceLength?,
    _ printer: any CalibrationPrinter
  ) {
    self.frames = frames
    self.printer = printer
    glass = frames.size?.lying(
      frames.panel.mounting, on: frames.display, through: frames.panel.displayTransform)
    course = CalibrationRun(
      frames.surface, mounting: frames.panel.mounting, points: points, limit: limit?.value)
  }

  func run() throws(ToolFailure) -> CalibrationResult {
    var (run, touches) = (course, HeldTouches(frames.surface))
    try ask(run.target)
    while let frame = try frames.next() {
      guard let outcome = touches.take(frame) else { continue }
      switch run.take(outcome) {
      case .taken: break
      case .again(let reason): printer.again(reason)
      case .startsOver: printer.startsOver()
      case .finished(let result): return result
      case .failed(let fault): throw ToolFailure(sentence: "\(fault). Nothing was changed.")
      }
      try ask(run.target)
    }
    throw ToolFailure(sentence: "interrupted; nothing was changed.")
  }

  private func ask(_ target: CalibrationRun.Target) throws(ToolFailure) {
    let place = PicturePlace(
      target.place, on: frames.display, through: frames.panel.displayTransform, size: glass)
    guard printer.ask(target, place, on: frames.display) == .done else {
      // What draws the marks has gone; why stands on standard error.
      throw ToolFailure(sentence: "nobody reads what to touch; nothing was changed.")
    }
  }
}

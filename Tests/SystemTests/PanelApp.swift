import FoundationEssentials
import TestSupport
import Testing
import UInputPanel

/// One line that the example app prints: the only place that knows their form.
struct AppLine: Decodable, Equatable {
  /// `began`, `moved`, `ended` or `cancelled`, where the line is about a touch.
  var touch: String?
  /// The recogniser's name, where the line is about a gesture.
  var gesture: String?
  /// The recogniser's state, such as `ended`.
  var state: String?
  /// The place in points.
  var x: Double?
  /// The place in points.
  var y: Double?

  /// Reads a line; nil for what is not about touches or gestures.
  init?(_ text: String) {
    // A line that is no JSON is the app's chatter.
    guard let line = try? JSONDecoder().decode(AppLine.self, from: Data(text.utf8)),
      line.touch != nil || line.gesture != nil
    else { return nil }
    self = line
  }

  /// A touch in a phase at a place.
  static func touch(_ phase: String, _ x: Double, _ y: Double) -> Self {
    Self(touch: phase, x: x, y: y)
  }

  private init(touch: String, x: Double, y: Double) {
    (self.touch, self.x, self.y) = (touch, x, y)
  }

  /// The line about a touch of a probe, see `PanelApp.reach(from:)`; nil for any other.
  fileprivate var probe: (number: Int, phase: String)? {
    guard y == PanelApp.probeRow, let x else { return nil }
    return (Int(x) / 8, touch ?? "")
  }
}

/// The example app, on the service's socket.
final class PanelApp {
  /// Where probing taps land; no case touches this row.
  fileprivate static let probeRow = 8.0
  private let process: ChildProcess

  init() throws {
    let folder = try #require(Machine.environment("TOUCHBRIDGE_BIN"))
    process = try ChildProcess(["\(folder)/Panel", "--json", "--touches"])
  }

  /// Ends the app without notice.
  func kill() { process.kill(9) }

  /// The next line about touches or gestures, probing taps and their gestures left out.
  func line(by deadline: Deadline = Deadline()) throws -> AppLine {
    while true {
      let line = try anyLine(by: deadline)
      if line.probe == nil { return line }
    }
  }

  /// The next line about touches.
  func touch() throws -> AppLine {
    while true {
      let line = try line()
      if line.touch != nil { return line }
    }
  }

  /// Taps until taps come through: then the app has its place and the daemon the panel.
  ///
  /// - Returns: the touches that came before that, probing ones left out.
  @discardableResult
  func reach(from panel: UInputPanel) throws -> [AppLine] {
    var others: [AppLine] = []
    // Taps at places of their own, so that those on the way can be told apart.
    for number in 1...100 {
      try panel.tap(x: 8 * number, y: Int(Self.probeRow))
      let deadline = Deadline(.milliseconds(500))
      while let line = try? anyLine(by: deadline) {
        if let probe = line.probe {
          // Over in either way: a recogniser that takes a tap cancels it in the view.
          if probe.number == number, probe.phase == "ended" || probe.phase == "cancelled" {
            return others
          }
        } else if line.touch != nil {
          others.append(line)
        }
      }
    }
    throw TimedOut("a tap to reach the app")
  }

  private func anyLine(by deadline: Deadline) throws -> AppLine {
    while let text = try process.output.next(by: deadline) {
      if let line = AppLine(text) { return line }
    }
    throw TimedOut("a line of the app, which has ended")
  }
}

extension UInputPanel {
  /// Shows fingers at places in points of the 1280 by 800 display.
  func touch(points: [Int32: (x: Int, y: Int)]) throws {
    try touch(points.mapValues { RawPoint(x: Int32(4 * $0.x), y: Int32(4 * $0.y)) })
  }

  /// Puts a finger down and lifts it at once.
  func tap(x: Int, y: Int) throws {
    try touch(points: [0: (x, y)])
    try lift()
  }
}

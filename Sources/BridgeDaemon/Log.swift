import Glibc
import LinuxIO

/// How serious a line of the log is.
public enum LogLevel: Int32, Sendable, Comparable {
  /// A bug of ours, or the daemon cannot do its work.
  case error = 3
  /// An odd device or client; the line says how we carry on.
  case warning = 4
  /// Started, ready, stopping; something came or went.
  case notice = 5
  /// Decisions taken.
  case debug = 7

  /// Orders levels from debug to error.
  public static func < (left: LogLevel, right: LogLevel) -> Bool {
    left.rawValue > right.rawValue
  }
}

/// Lines on standard error: constant text and stable keys.
///
/// With systemd's journal at the other end each line starts with its level, `<4>`, as
/// `sd-daemon(3)` has it. Touch positions are never logged.
///
/// A reader that has stopped never holds the daemon up: lines that find no room are counted, and the
/// number is said before the next one that does.
public struct Log: Sendable {
  /// What is less serious than this is left out.
  public var threshold: LogLevel
  private let hasPrefix: Bool
  private let output: LogOutput

  /// Prepares for standard error as it is.
  public init(threshold: LogLevel = .notice) {
    self.init(threshold: threshold, descriptor: STDERR_FILENO)
  }

  /// Prepares for a descriptor, which stays the caller's.
  init(threshold: LogLevel, descriptor: Int32) {
    self.threshold = threshold
    hasPrefix = environment("JOURNAL_STREAM") != nil
    output = LogOutput(descriptor)
  }

  /// Waits for no reader from now on; until then a slow one is given a second.
  func hurry() { output.hurry() }

  /// Writes a line if its level is serious enough; else its keys are not even worked out.
  public func write(
    _ level: LogLevel, _ text: String, _ keys: @autoclosure () -> [(String, String)] = []
  ) {
    guard level >= threshold else { return }
    output.write(
      line(level, text, keys()),
      loss: { line(.warning, "lines of the log were lost, nobody read them", [("lines", "\($0)")]) }
    )
  }

  private func line(_ level: LogLevel, _ text: String, _ keys: [(String, String)]) -> String {
    var line = hasPrefix ? "<\(level.rawValue)>" : "touchbridged: "
    line += text
    for (key, value) in keys { line += " \(key)=\(Self.quoted(value))" }
    return line + "\n"
  }

  /// A value that cannot be taken for the next key or line, whoever chose it.
  static func quoted(_ value: String) -> String {
    let plain = value.unicodeScalars.allSatisfy {
      $0.value > 0x20 && $0.value != 0x22 && $0.value != 0x5c && !isControl($0)
    }
    if plain && !value.isEmpty { return value }
    var text = "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case _ where isControl(scalar):
        text += scalar.value < 0x100 ? "\\x\(scalar.value < 16 ? "0" : "")" : "\\u"
        text += String(scalar.value, radix: 16)
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }

  /// Whether a terminal may obey it: 0x9b, for one, begins a sequence like the two of ESC [, and
  /// others turn the direction of writing around.
  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || (0x7f..<0xa0).contains(scalar.value)
      || scalar.properties.isBidiControl
  }
}

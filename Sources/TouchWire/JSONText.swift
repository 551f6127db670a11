/// Text as JSON has it.
public enum JSONText {
  /// The text in quotes; whatever a device or client put into its name, it stays one string.
  public static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case _ where scalar.value < 0x20 || scalar.value == 0x7f:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// A number; whole ones go without a fraction, and what is no number is `null`.
  public static func number(_ value: Double) -> String {
    guard value.isFinite else { return "null" }
    // Within this range each whole number is one of its own.
    let isWhole = value == value.rounded() && abs(value) < 9e15
    return isWhole ? "\(Int64(value))" : "\(value)"
  }

  /// A list of values that are JSON already.
  public static func list(_ values: [String]) -> String {
    "[" + values.joined(separator: ",") + "]"
  }
}

/// A JSON object that is written key by key.
public struct JSONObject {
  private var text = "{"

  /// Begins an object without keys.
  public init() {}

  /// Adds a key with a value that is JSON already.
  public mutating func add(_ key: String, json: String) {
    if text.utf8.count > 1 { text += "," }
    text += JSONText.quoted(key) + ":" + json
  }

  /// Adds a key with a text.
  public mutating func add(_ key: String, _ value: String) {
    add(key, json: JSONText.quoted(value))
  }

  /// Adds a key with a whole number.
  public mutating func add(_ key: String, _ value: some FixedWidthInteger) {
    add(key, json: "\(value)")
  }

  /// Adds a key with a number.
  public mutating func add(_ key: String, _ value: Double) {
    add(key, json: JSONText.number(value))
  }

  /// Adds a key with a yes or no.
  public mutating func add(_ key: String, _ value: Bool) { add(key, json: "\(value)") }

  /// The whole object, without an end of line.
  public var finished: String { text + "}" }
}

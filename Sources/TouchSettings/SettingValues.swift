import TouchModel

/// What a panel does with a position outside of its range.
public enum OutOfRangePolicy: String, Sendable, CaseIterable {
  /// It counts as the nearest one inside, before the calibration.
  case clamp
  /// The contact keeps its last position, and none begins there.
  case drop
  /// It goes on through the calibration, for one that stretches the range.
  case count
}

/// Two axes that carry a position.
public struct AxisPair: Sendable, Equatable {
  /// The code of the x axis.
  public var x: UInt16
  /// The code of the y axis.
  public var y: UInt16

  /// Creates a pair.
  public init(x: UInt16, y: UInt16) {
    self.x = x
    self.y = y
  }
}

/// A width and a height.
public struct Extent: Sendable, Equatable {
  /// The width; above 0.
  public var width: Double
  /// The height; above 0.
  public var height: Double

  /// Creates an extent.
  public init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }
}

/// How soon and how near a new contact counts as the bounce of one that has just ended.
public struct Bounce: Sendable, Equatable {
  /// The time after the lift.
  public var time: Duration
  /// The distance from it, in millimetres.
  public var distance: Double
}

/// How many contacts may begin in a second, and how near to each other they count together.
public struct BeginRate: Sendable, Equatable {
  /// How many.
  public var perSecond: Int
  /// How near, in millimetres.
  public var distance: Double
}

/// How near to an edge a contact is held back, and what lets it go.
public struct EdgeMargin: Sendable, Equatable {
  /// How near, in millimetres.
  public var distance: Double
  /// How far it must move to be let go, in millimetres; nil for as far as the margin is wide.
  public var travel: Double?
  /// When it is let go all the same; nil for never.
  public var limit: Duration?
}

/// Why a text is no value of its key.
enum ValueFault: Error {
  /// The key's own words on its form say it all.
  case form
  /// There is more to say.
  case because(String)
}

/// Reads values; each function throws `ValueFault.form` for what it does not know.
enum ValueReader {
  static func words(_ text: String) -> [Substring] { text.split(whereSeparator: isBlank) }

  static func yesOrNo(_ text: String) throws(ValueFault) -> Bool {
    switch text.lowercased() {
    case "yes", "true", "on", "1": return true
    case "no", "false", "off", "0": return false
    default: throw .form
    }
  }

  static func text(_ text: String) throws(ValueFault) -> String { text }

  /// A decimal number as people write it; no hexadecimal, infinity or the like.
  static func number(_ text: some StringProtocol) throws(ValueFault) -> Double {
    guard text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }),
      let value = Double(text), value.isFinite
    else { throw .form }
    return value
  }

  static func whole(
    _ range: ClosedRange<Int>
  ) -> @Sendable (String) throws(ValueFault) -> Int {
    { (text) throws(ValueFault) in
      guard let value = Int(text), range.contains(value) else { throw .form }
      return value
    }
  }

  /// A fraction between 0 and 1, both excluded: `0.65` or `65%`.
  static func fraction(_ text: String) throws(ValueFault) -> Double {
    let value = text.hasSuffix("%") ? try number(text.dropLast()) / 100 : try number(text)
    guard value > 0, value < 1 else { throw .form }
    return value
  }

  static func positive(_ text: String) throws(ValueFault) -> Double {
    let value = try number(text)
    guard value > 0, value <= 65_536 else { throw .form }
    return value
  }

  static func rotation(_ text: String) throws(ValueFault) -> Rotation {
    guard let degrees = Int(text), let rotation = Rotation(rawValue: degrees) else { throw .form }
    return rotation
  }

  static func transform(_ text: String) throws(ValueFault) -> PanelTransform {
    var numbers: [Double] = []
    for word in words(text) { numbers.append(try number(word)) }
    guard numbers.count == 6 else { throw .form }
    let transform = PanelTransform(
      numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5])
    if let fault = transform.fault { throw .because("cannot be \(text): \(fault)") }
    return transform
  }

  static func range(_ text: String) throws(ValueFault) -> ClosedRange<Int32> {
    let ends = words(text).compactMap { Int32($0) }
    guard words(text).count == 2, ends.count == 2, ends[0] < ends[1] else { throw .form }
    return ends[0]...ends[1]
  }

  /// A rectangle within 0...1 on both axes.
  static func unitRectangle(_ text: String) throws(ValueFault) -> Rect {
    let rectangle = try rectangle(words(text))
    // Two decimal fractions may add up to a little more than 1.
    guard rectangle.x >= 0, rectangle.y >= 0, rectangle.x + rectangle.width <= 1 + 1e-9,
      rectangle.y + rectangle.height <= 1 + 1e-9, rectangle.width >= 0.1, rectangle.height >= 0.1
    else { throw .form }
    return rectangle
  }

  /// A rectangle in millimetres.
  static func zone(_ text: String) throws(ValueFault) -> Rect {
    let rectangle = try rectangle(words(withoutUnit(text, "mm")))
    guard rectangle.x >= 0, rectangle.y >= 0, rectangle.width > 0, rectangle.height > 0 else {
      throw .form
    }
    return rectangle
  }

  private static func rectangle(_ words: [Substring]) throws(ValueFault) -> Rect {
    guard words.count == 4 else { throw .form }
    return Rect(
      x: try number(words[0]), y: try number(words[1]), width: try number(words[2]),
      height: try number(words[3]))
  }

  /// A length in millimetres, `1.5mm`; 0 needs no unit.
  static func length(_ text: String) throws(ValueFault) -> Double {
    if text == "0" { return 0 }
    let value = try number(withoutUnit(text, "mm"))
    guard value >= 0, value <= 10_000 else { throw .form }
    return value
  }

  private static func withoutUnit(_ text: String, _ unit: String) throws(ValueFault) -> String {
    guard text.hasSuffix(unit) else { throw .form }
    return trimmed(text.dropLast(unit.count))
  }

  /// A size such as `1280x800`, in points.
  static func size(_ text: String) throws(ValueFault) -> Extent {
    let parts = text.split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count == 2 else { throw .form }
    return Extent(width: try positive(String(parts[0])), height: try positive(String(parts[1])))
  }

  /// A size such as `154x86mm`.
  static func millimetres(_ text: String) throws(ValueFault) -> Extent {
    try size(withoutUnit(text, "mm"))
  }

  /// Units a millimetre, one number or one an axis.
  static func resolution(_ text: String) throws(ValueFault) -> Extent {
    let words = words(text)
    guard (1...2).contains(words.count), let first = words.first, let last = words.last else {
      throw .form
    }
    return Extent(width: try positive(String(first)), height: try positive(String(last)))
  }

  /// A time such as `20ms` or `1min 30s`; a number without a unit is none, but for 0.
  static func time(_ text: String) throws(ValueFault) -> Duration {
    if text == "0" { return .zero }
    var total = 0.0
    let parts = words(text)
    guard !parts.isEmpty else { throw .form }
    for part in parts {
      let digits = part.prefix { $0.isNumber || $0 == "." }
      let units = ["us": 1e3, "ms": 1e6, "s": 1e9, "min": 60e9, "h": 3_600e9]
      guard let unit = units[String(part[digits.endIndex...])] else { throw .form }
      total += try number(digits) * unit
    }
    // A day is longer than anybody's patience, and short enough to be added to any time.
    guard total <= 86_400e9 else { throw .form }
    return .nanoseconds(Int64(total.rounded()))
  }

  /// A time above 0.
  static func someTime(_ text: String) throws(ValueFault) -> Duration {
    let time = try time(text)
    guard time > .zero else { throw .form }
    return time
  }

  static func bounce(_ text: String) throws(ValueFault) -> Bounce {
    let parts = words(text)
    guard parts.count == 2 else { throw .form }
    return Bounce(
      time: try someTime(String(parts[0])), distance: try length(String(parts[1])))
  }

  static func beginRate(_ text: String) throws(ValueFault) -> BeginRate {
    let parts = words(text)
    guard parts.count == 2, let count = Int(parts[0]), (1...64).contains(count) else {
      throw .form
    }
    return BeginRate(perSecond: count, distance: try length(String(parts[1])))
  }

  static func edgeMargin(_ text: String) throws(ValueFault) -> EdgeMargin {
    let parts = words(text)
    guard (1...3).contains(parts.count) else { throw .form }
    return EdgeMargin(
      distance: try length(String(parts[0])),
      travel: parts.count > 1 ? try length(String(parts[1])) : nil,
      limit: parts.count > 2 ? try someTime(String(parts[2])) : nil)
  }

  static func oddWindow(_ text: String) throws(ValueFault) -> Int {
    guard let window = Int(text), (1...9).contains(window), window % 2 == 1 else { throw .form }
    return window
  }

  static func policy(_ text: String) throws(ValueFault) -> OutOfRangePolicy {
    guard let policy = OutOfRangePolicy(rawValue: text) else { throw .form }
    return policy
  }

  static func axes(_ text: String) throws(ValueFault) -> AxisPair {
    let codes = words(text).compactMap { AxisName.code(String($0)) }
    guard words(text).count == 2, codes.count == 2, codes[0] != codes[1] else { throw .form }
    return AxisPair(x: codes[0], y: codes[1])
  }
}

/// The kernel's names of absolute axes that may carry a position.
enum AxisName {
  private static let codes: [String: UInt16] = [
    "ABS_X": 0x00, "ABS_Y": 0x01, "ABS_Z": 0x02, "ABS_RX": 0x03, "ABS_RY": 0x04, "ABS_RZ": 0x05,
    "ABS_MISC": 0x28, "ABS_PRESSURE": 0x18, "ABS_MT_SLOT": 0x2f, "ABS_MT_POSITION_X": 0x35,
    "ABS_MT_POSITION_Y": 0x36, "ABS_MT_TRACKING_ID": 0x39, "ABS_MT_TOOL_X": 0x3c,
    "ABS_MT_TOOL_Y": 0x3d,
  ]

  static func code(_ name: String) -> UInt16? { codes[name] }
}

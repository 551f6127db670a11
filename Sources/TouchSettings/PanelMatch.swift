import TouchModel

/// What a panel is recognised by.
public struct PanelIdentity: Sendable, Equatable {
  /// Where it is plugged in, udev's `ID_PATH`; empty if udev does not say.
  public var path: String
  /// What the device says of itself.
  public var description: DeviceDescription
  /// udev's properties of the node.
  public var properties: [String: String]

  /// Creates an identity.
  public init(
    path: String = "", description: DeviceDescription, properties: [String: String] = [:]
  ) {
    self.path = path
    self.description = description
    self.properties = properties
  }
}

/// Bus, vendor and product; nil for any.
public struct IdentityPattern: Sendable, Equatable {
  /// The bus, `0003` for USB.
  public var bus: UInt16?
  /// The vendor.
  public var vendor: UInt16?
  /// The product.
  public var product: UInt16?

  /// Reads `0003:0eef:0001`, hexadecimal with `*` for any.
  init(_ text: String) throws(ValueFault) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3 else { throw .form }
    bus = try Self.part(parts[0])
    vendor = try Self.part(parts[1])
    product = try Self.part(parts[2])
  }

  private static func part(_ text: Substring) throws(ValueFault) -> UInt16? {
    if text == "*" { return nil }
    guard !text.isEmpty, text.allSatisfy(\.isHexDigit), let number = UInt16(text, radix: 16) else {
      throw .form
    }
    return number
  }

  func matches(_ device: DeviceDescription) -> Bool {
    (bus ?? device.bus) == device.bus && (vendor ?? device.vendor) == device.vendor
      && (product ?? device.product) == device.product
  }
}

/// An axis that a device must have, perhaps with a range, or must not have.
public struct AxisPattern: Sendable, Equatable {
  /// The axis.
  public var code: UInt16
  /// Whether the device must be without it.
  public var isAbsent: Bool
  /// Its range; nil for any.
  public var range: ClosedRange<Int32>?

  /// Reads `ABS_Z`, `ABS_Z:30:4040` or `!ABS_MT_POSITION_X`, several with blanks between.
  static func list(_ text: String) throws(ValueFault) -> [AxisPattern] {
    var list: [AxisPattern] = []
    for word in ValueReader.words(text) { list.append(try AxisPattern(word)) }
    guard !list.isEmpty else { throw .form }
    return list
  }

  private init(_ word: Substring) throws(ValueFault) {
    isAbsent = word.hasPrefix("!")
    let parts = word.drop { $0 == "!" }.split(separator: ":", omittingEmptySubsequences: false)
    guard let code = parts.first.flatMap({ AxisName.code(String($0)) }) else { throw .form }
    self.code = code
    if parts.count == 1 { return }
    guard parts.count == 3, !isAbsent, let minimum = Int32(parts[1]), let maximum = Int32(parts[2]),
      minimum < maximum
    else { throw .form }
    range = minimum...maximum
  }

  func matches(_ device: DeviceDescription) -> Bool {
    guard let axis = device.axes[code] else { return isAbsent }
    guard let range else { return !isAbsent }
    return axis.minimum == range.lowerBound && axis.maximum == range.upperBound
  }
}

/// Which panels a section is for: those that meet all of its conditions.
public struct PanelMatch: Sendable, Equatable {
  /// A pattern for `PanelIdentity.path`.
  public var path: Sourced<String>?
  /// A pattern for the kernel's name of the device.
  public var name: Sourced<String>?
  /// Its ids.
  public var ids: Sourced<IdentityPattern>?
  /// A pattern for the device's physical location.
  public var physicalLocation: Sourced<String>?
  /// Its axes.
  public var axes: Sourced<[AxisPattern]>?

  /// Whether a condition could not be read: it is not known then which panels were meant.
  var isSpoilt = false

  /// Creates a match that all panels meet.
  public init() {}

  /// Whether there is no condition at all.
  public var isEmpty: Bool { Self.keys.allSatisfy { $0.shown(self).isEmpty } }

  /// Tells whether a panel meets all conditions; none does where one could not be read.
  public func matches(_ panel: PanelIdentity) -> Bool {
    if isSpoilt { return false }
    if let path, !Glob.matches(path.value, panel.path) { return false }
    if let name, !Glob.matches(name.value, panel.description.name) { return false }
    if let ids, !ids.value.matches(panel.description) { return false }
    let location = panel.description.physicalLocation
    if let physicalLocation, !Glob.matches(physicalLocation.value, location) { return false }
    return axes?.value.allSatisfy { $0.matches(panel.description) } ?? true
  }
}

/// Patterns with `*` for any text and `?` for any one character; all else stands for itself.
enum Glob {
  /// Takes time that grows with the product of both lengths at most.
  static func matches(_ pattern: String, _ text: String) -> Bool {
    let pattern = Array(pattern.unicodeScalars)
    let text = Array(text.unicodeScalars)
    var at = 0
    var place = 0
    // Where to go on if what follows the last star does not fit.
    var star: (at: Int, place: Int)?
    while place < text.count {
      if at < pattern.count, pattern[at] == "*" {
        star = (at, place)
        at += 1
      } else if at < pattern.count, pattern[at] == "?" || pattern[at] == text[place] {
        at += 1
        place += 1
      } else if let last = star {
        star = (last.at, last.place + 1)
        at = last.at + 1
        place = last.place + 1
      } else {
        return false
      }
    }
    return pattern[at...].allSatisfy { $0 == "*" }
  }
}

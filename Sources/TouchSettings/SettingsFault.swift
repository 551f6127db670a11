// Where this module sits: beside the daemon's stages. Text of configuration files -> *settings*.
// Bytes in, values out: the daemon finds and reads the files.

/// What makes a section unique.
public struct SectionName: Sendable, Hashable, CustomStringConvertible {
  /// The word after the bracket, `Panel` for one.
  public var kind: String
  /// What follows it; empty for a section there is one of.
  public var name: String

  /// Creates a name.
  public init(kind: String, name: String = "") {
    self.kind = kind
    self.name = name
  }

  /// As it stands in a file.
  public var description: String { name.isEmpty ? "[\(kind)]" : "[\(kind) \(name)]" }
}

/// Something wrong in a configuration file: where, what, and what to do.
public struct SettingsFault: Error, Sendable, Equatable, CustomStringConvertible {
  /// The file.
  public var file: String
  /// The line, from 1; 0 for the file as a whole.
  public var line: Int
  /// What is wrong and what to write instead.
  public var message: String
  /// The section that cannot be used for it; nil if it lies in none.
  public var section: SectionName?

  /// Creates a fault.
  public init(file: String, line: Int, message: String, section: SectionName? = nil) {
    self.file = file
    self.line = line
    self.message = message
    self.section = section
  }

  /// `FILE:LINE: what is wrong`, or `FILE: what is wrong`.
  public var description: String {
    line > 0 ? "\(file):\(line): \(message)" : "\(file): \(message)"
  }
}

/// Where a value comes from.
public enum SettingOrigin: Sendable, Equatable, CustomStringConvertible {
  /// A line of a configuration file.
  case file(String, line: Int)
  /// A line of the list of known devices.
  case quirk(String, line: Int)
  /// A property that udev has of the device.
  case property(String)
  /// Nobody set it.
  case byDefault

  /// The place in words, such as `/etc/touchbridge/touchbridge.conf:4`.
  public var description: String {
    switch self {
    case .file(let file, let line): "\(file):\(line)"
    case .quirk(let file, let line): "quirk \(file):\(line)"
    case .property(let name): "udev \(name)"
    case .byDefault: "default"
    }
  }
}

/// A value with its text and origin.
public struct Sourced<Value: Sendable & Equatable>: Sendable, Equatable {
  /// The value.
  public var value: Value
  /// As it was written.
  public var text: String
  /// Where that was.
  public var origin: SettingOrigin

  /// Creates a value.
  public init(_ value: Value, text: String, origin: SettingOrigin) {
    self.value = value
    self.text = text
    self.origin = origin
  }
}

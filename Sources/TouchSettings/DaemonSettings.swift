import TouchModel

/// Which displays there are where no section names one.
public enum DisplayChoice: String, Sendable, CaseIterable {
  /// One named `default`: the first that is connected.
  case first
  /// Each that is connected, by its output's name.
  case connected
}

/// What is set for the daemon as a whole; nil where nobody said anything.
public struct DaemonSettings: Sendable, Equatable {
  /// The seat whose panels are used.
  public var seat: Sourced<String>?
  /// The age at which clients drop a contact's down.
  public var staleLimit: Sourced<Duration>?
  /// How long a client may leave a frame unacknowledged.
  public var hungLimit: Sourced<Duration>?
  /// Nodes that are used without asking udev for more.
  public var explicitDevices: [Sourced<String>] = []
  /// The displays without a section of their own.
  public var displays: Sourced<DisplayChoice>?

  /// Creates settings of which none is set.
  public init() {}

  /// All keys with their values, those nobody set with their defaults.
  public func shown() -> [ShownSetting] { shownSettings() }
}

extension DaemonSettings: KeyedSection {
  static let keys: [SettingKey<DaemonSettings>] = [
    .one(
      "Seat", \.seat, takes: "a seat such as seat1", without: "seat0",
      "Use the panels of this seat alone, udev's ID_SEAT.", read: ValueReader.text),
    .one(
      "StaleLimit", \.staleLimit, takes: "a time such as 1s, or 0 for never", without: "1s",
      "A touch that an app reads later than this never reaches its views.",
      read: ValueReader.time),
    .one(
      "HungLimit", \.hungLimit, takes: "a time from 1ms such as 5s", without: "5s",
      "How long an app may leave a frame unacknowledged.",
      read: { (text) throws(ValueFault) in
        let time = try ValueReader.time(text)
        guard time >= .milliseconds(1) else { throw .form }
        return time
      }),
    .many(
      "ExplicitDevices", \.explicitDevices, takes: "the path of an input node",
      without: "none",
      "A node to use without udev, as in a container; may stand several times. Only these are used "
        + "then.",
      read: { (text) throws(ValueFault) in
        guard text.hasPrefix("/") else { throw .form }
        return text
      }),
    .one(
      "Displays", \.displays, takes: "first or connected", without: "first",
      "Without display sections: one named default, or each connected output.",
      read: { (text) throws(ValueFault) in
        guard let choice = DisplayChoice(rawValue: text) else { throw .form }
        return choice
      }),
  ]
}

/// What is set for a display; nil where nobody said anything.
public struct DisplaySettings: Sendable, Equatable {
  /// The connector whose mode gives its size, and that `WL_OUTPUT` may name.
  public var output: Sourced<String>?
  /// Its size in points, before it is turned.
  public var size: Sourced<Extent>?
  /// Pixels a point.
  public var scale: Sourced<Double>?
  /// How far its picture is turned.
  public var rotation: Sourced<Rotation>?
  /// Whether a touch on its dark screen wakes it and does nothing else.
  public var touchWakesOnly: Sourced<Bool>?

  /// Creates settings of which none is set.
  public init() {}

  /// All keys with their values, those nobody set with their defaults.
  public func shown() -> [ShownSetting] { shownSettings() }
}

extension DisplaySettings: KeyedSection {
  static let keys: [SettingKey<DisplaySettings>] = [
    .one(
      "Output", \.output, takes: "a connector such as HDMI-A-1", without: "the display's name",
      "The connector that shows it.", read: ValueReader.text),
    .one(
      "Size", \.size, takes: "a size such as 1280x800", without: "the output's mode, by the scale",
      "The size in points, as it is when it is not turned.", read: ValueReader.size),
    .one(
      "Scale", \.scale, takes: "a number from 0.1 to 16", without: "1", "Pixels a point.",
      read: { (text) throws(ValueFault) in
        let scale = try ValueReader.positive(text)
        guard (0.1...16).contains(scale) else { throw .form }
        return scale
      }),
    .one(
      "Rotate", \.rotation, takes: "0, 90, 180 or 270 degrees", without: "0",
      "How far the picture is turned clockwise on the glass.", read: ValueReader.rotation),
    .one(
      "WakeTouch", \.touchWakesOnly, takes: "yes or no", without: "no",
      "A touch that begins while the output is off is told to observers, and no app gets it.",
      read: ValueReader.yesOrNo),
  ]
}

import TouchModel

/// What is set for a panel; nil and empty where nobody said anything.
public struct PanelSettings: Sendable, Equatable {
  /// The name of its display, or of that display's output.
  public var display: Sourced<String>?
  /// The part of the display's glass that it covers, 0...1 of width and height.
  public var rectangle: Sourced<Rect>?
  /// Whether it is left alone.
  public var isIgnored: Sourced<Bool>?
  /// Whether no one else shall read it.
  public var isGrabbed: Sourced<Bool>?
  /// How many of its contacts count at once.
  public var maximumContacts: Sourced<Int>?

  // Its position.
  /// Whether x and y change places, before anything else.
  public var swapsAxes: Sourced<Bool>?
  /// Whether x runs to the left, after the swap.
  public var invertsX: Sourced<Bool>?
  /// Whether y runs upwards, after the swap.
  public var invertsY: Sourced<Bool>?
  /// How far it is mounted turned, after swap and inversion.
  public var rotation: Sourced<Rotation>?
  /// The correction that comes last.
  public var calibration: Sourced<PanelTransform>?
  /// The values between which x really runs.
  public var rangeX: Sourced<ClosedRange<Int32>>?
  /// The values between which y really runs.
  public var rangeY: Sourced<ClosedRange<Int32>>?
  /// Units a millimetre.
  public var resolution: Sourced<Extent>?
  /// Its size in millimetres.
  public var size: Sourced<Extent>?
  /// The axes of its position.
  public var positionAxes: Sourced<AxisPair>?
  /// What to do with positions outside of the range.
  public var outOfRange: Sourced<OutOfRangePolicy>?
  /// When a panel that fell silent counts as lifted.
  public var quietTimeout: Sourced<Duration>?

  // Its filters.
  /// Movement below this does not count while a contact rests, in millimetres.
  public var hysteresis: Sourced<Double>?
  /// How long a contact must last to count.
  public var minimumDuration: Sourced<Duration>?
  /// What counts as a bounce.
  public var debounce: Sourced<Bounce>?
  /// Over how many positions the median is taken.
  public var median: Sourced<Int>?
  /// How long a jump takes to come through to 63 %.
  public var lowPass: Sourced<Duration>?
  /// Below which part of the last pressures a position does not count.
  public var pressureDrop: Sourced<Double>?
  /// How near to the edge a contact is held back until it moves.
  public var edgeHold: Sourced<EdgeMargin>?
  /// How near to a corner a contact that never moves is a ghost, in millimetres.
  public var ghostCorner: Sourced<Double>?
  /// From which diameter on a contact is a palm, in millimetres.
  public var palmSize: Sourced<Double>?
  /// How many frames in a row a contact must not grow in before it counts.
  public var palmSettle: Sourced<Int>?
  /// Whether a contact that ends while it is held at an edge counts, late.
  public var edgeHoldDelivers: Sourced<Bool>?
  /// Where no contact may begin, in millimetres.
  public var deadZones: [Sourced<Rect>] = []
  /// How many contacts may begin near each other in a second.
  public var contactRate: Sourced<BeginRate>?
  /// Whether filters only count what they would take away.
  public var filtersDryRun: Sourced<Bool>?
  /// After which time a contact that is down counts as stuck.
  public var stuckContactLimit: Sourced<Duration>?
  /// Whether a stuck contact is cancelled.
  public var releasesStuckContacts: Sourced<Bool>?

  /// The keys that were reset: nothing said before holds.
  var resets: Set<String> = []

  /// Creates settings of which none is set.
  public init() {}

  /// The panel's own part of the transform: axes, mounting, calibration, in this order.
  public var calibrationTransform: PanelTransform {
    mountingTransform.then(calibration?.value ?? .identity)
  }

  /// The same without the calibration: what a calibration has to start from.
  public var mountingTransform: PanelTransform {
    var transform = swapsAxes?.value == true ? PanelTransform.swap : .identity
    if invertsX?.value == true { transform = transform.then(.invertX) }
    if invertsY?.value == true { transform = transform.then(.invertY) }
    return transform.then(.mounted(rotation?.value ?? .none))
  }

  /// Takes over what another section says; it wins.
  mutating func merge(_ other: PanelSettings) {
    for key in Self.keys {
      if other.resets.contains(key.name) { key.clear(&self) }
      key.copy(other, &self)
    }
    resets.formUnion(other.resets)
  }

  /// All keys with their values, those nobody set with their defaults.
  public func shown() -> [ShownSetting] { shownSettings() }
}

extension PanelSettings: KeyedSection {
  static let keys: [SettingKey<PanelSettings>] = placeKeys + axisKeys + filterKeys

  private static let placeKeys: [SettingKey<PanelSettings>] = [
    .one(
      "Display", \.display, takes: "the name of a display or of its output",
      without: "the only display", "The display that the panel lies on.", read: ValueReader.text),
    .one(
      "Rectangle", \.rectangle,
      takes: "x, y, width and height as parts of the display between 0 and 1, 0.1 or more wide and "
        + "high",
      without: "0 0 1 1",
      "The part of the display's glass that the panel covers, before the display is turned.",
      read: ValueReader.unitRectangle),
    .one(
      "Ignore", \.isIgnored, takes: "yes or no", without: "no", "Leave the panel alone.",
      read: ValueReader.yesOrNo),
    .one(
      "Grab", \.isGrabbed, takes: "yes or no", without: "no",
      "Keep other programs from reading the panel.", read: ValueReader.yesOrNo),
    .one(
      "MaximumContacts", \.maximumContacts, takes: "a number from 1 to 256", without: "no limit",
      "How many contacts count at once; later ones reach nobody.",
      read: ValueReader.whole(1...256)),
  ]

  private static let axisKeys: [SettingKey<PanelSettings>] = [
    .one(
      "SwapAxes", \.swapsAxes, takes: "yes or no", without: "no",
      "Exchange x and y, before anything else.", read: ValueReader.yesOrNo),
    .one(
      "InvertX", \.invertsX, takes: "yes or no", without: "no", "Turn x around, after the swap.",
      read: ValueReader.yesOrNo),
    .one(
      "InvertY", \.invertsY, takes: "yes or no", without: "no", "Turn y around, after the swap.",
      read: ValueReader.yesOrNo),
    .one(
      "Rotate", \.rotation, takes: "0, 90, 180 or 270 degrees", without: "0",
      "How far the panel is mounted turned clockwise, after swap and inversion.",
      read: ValueReader.rotation),
    .one(
      "Calibration", \.calibration, takes: "six numbers, a b c d e f", without: "1 0 0 0 1 0",
      "libinput's matrix on normalised positions, after all of the above.",
      read: ValueReader.transform),
    .one(
      "RangeX", \.rangeX, takes: "the least and the greatest raw value", without: "the device's",
      "The raw values at the left and the right edge.", read: ValueReader.range),
    .one(
      "RangeY", \.rangeY, takes: "the least and the greatest raw value", without: "the device's",
      "The raw values at the top and the bottom edge.", read: ValueReader.range),
    .one(
      "Size", \.size, takes: "a size such as 154x86mm", without: "the device's",
      "The panel's size, in millimetres.", read: ValueReader.millimetres),
    .one(
      "Resolution", \.resolution, takes: "one or two numbers of raw units a millimetre",
      without: "the device's", "Raw units a millimetre, of x and of y; instead of Size.",
      read: ValueReader.resolution),
    .one(
      "PositionAxes", \.positionAxes, takes: "two axes such as ABS_Z ABS_RX",
      without: "the device's", "The axes that carry the position of a single-touch panel.",
      read: ValueReader.axes),
    .one(
      "OutOfRange", \.outOfRange, takes: "clamp, drop or count", without: "clamp",
      "Positions outside of the range: move them to the edge, leave them out, or let the "
        + "calibration have them as they are.", read: ValueReader.policy),
    .one(
      "QuietTimeout", \.quietTimeout, takes: "a time such as 500ms, or 0 for none",
      without: "1s, but a contact that nobody can ask after stays",
      "When a panel without slots that falls silent with a contact down is asked whether it is.",
      read: ValueReader.time),
  ]

  private static let filterKeys: [SettingKey<PanelSettings>] = [
    .one(
      "Hysteresis", \.hysteresis, takes: "a length such as 1mm, or 0 for none",
      without: "half of LIBINPUT_FUZZ_35 and _36",
      "Movement of a resting contact that does not count.", read: ValueReader.length),
    .one(
      "MinimumDuration", \.minimumDuration, takes: "a time such as 20ms, or 0 for none",
      without: "0", "How long a contact must last to count.", read: ValueReader.time),
    .one(
      "Debounce", \.debounce, takes: "a time and a length, such as 30ms 5mm", without: "off",
      "A contact that comes so soon and so near after a lift does not count.",
      read: ValueReader.bounce),
    .one(
      "Median", \.median, takes: "an odd number from 1 to 9", without: "1",
      "Over how many positions the median is taken.", read: ValueReader.oddWindow),
    .one(
      "LowPass", \.lowPass, takes: "a time such as 8ms, or 0 for none", without: "0",
      "How long a jump takes to come through to 63 %.", read: ValueReader.time),
    .one(
      "PressureDrop", \.pressureDrop, takes: "a part between 0 and 1, such as 65%",
      without: "off",
      "Positions whose pressure falls below this part of the last ones don't count.",
      read: ValueReader.fraction),
    .one(
      "EdgeHold", \.edgeHold,
      takes: "a length, perhaps another one and a time, such as 1mm 3mm 500ms",
      without: "0",
      "Contacts that begin this near to an edge wait until they move so far, or so long.",
      read: ValueReader.edgeMargin),
    .one(
      "EdgeHoldDelivers", \.edgeHoldDelivers, takes: "yes or no", without: "no",
      "A contact that ends while it waits at an edge counts, late.", read: ValueReader.yesOrNo),
    .one(
      "GhostCorner", \.ghostCorner, takes: "a length such as 0mm", without: "off",
      "Contacts that begin this near to a corner and never move don't count.",
      read: ValueReader.length),
    .one(
      "PalmSize", \.palmSize, takes: "a length such as 25mm, or 0 for none", without: "0",
      "The diameter from which on a contact is a palm.", read: ValueReader.length),
    .one(
      "PalmSettle", \.palmSettle, takes: "a whole number from 0 to 10", without: "0",
      "A contact waits for so many frames in which it does not grow, 100 ms at most.",
      read: ValueReader.whole(0...10)),
    .many(
      "DeadZone", \.deadZones, takes: "x, y, width and height such as 0 0 10 86 mm",
      without: "none", "Where no contact may begin; may stand several times.",
      read: ValueReader.zone),
    .one(
      "ContactRate", \.contactRate,
      takes: "a number a second from 1 to 64 and a length, such as "
        + "5 10mm",
      without: "no limit", "How many contacts may begin so near to each other in a second.",
      read: ValueReader.beginRate),
    .one(
      "FilterDryRun", \.filtersDryRun, takes: "yes or no", without: "no",
      "Only count what the filters would take away.", read: ValueReader.yesOrNo),
    .one(
      "StuckContactLimit", \.stuckContactLimit, takes: "a time such as 5min, or 0 for never",
      without: "0", "When a contact that stays down counts as stuck.", read: ValueReader.time),
    .one(
      "StuckContactRelease", \.releasesStuckContacts, takes: "yes or no", without: "no",
      "Cancel a contact that is stuck.", read: ValueReader.yesOrNo),
  ]
}

extension PanelMatch: KeyedSection {
  static let keys: [SettingKey<PanelMatch>] = [
    .one(
      "MatchPath", \.path, takes: "a pattern such as platform-*-usb-0:1.2:1.0", without: "any",
      "udev's ID_PATH, with * and ?.", read: ValueReader.text),
    .one(
      "MatchName", \.name, takes: "a pattern such as *Touch*", without: "any",
      "The kernel's name of the device, with * and ?.", read: ValueReader.text),
    .one(
      "MatchIds", \.ids,
      takes: "bus:vendor:product in hexadecimal such as 0003:0eef:0001, * for any",
      without: "any", "The device's ids as `touchctl devices` shows them.",
      read: { (text) throws(ValueFault) in try IdentityPattern(text) }),
    .one(
      "MatchPhys", \.physicalLocation, takes: "a pattern such as usb-*-1.2/input0", without: "any",
      "The kernel's physical location of the device, with * and ?.", read: ValueReader.text),
    .one(
      "MatchAxes", \.axes, takes: "axes such as ABS_X ABS_Z:30:4040 !ABS_MT_SLOT", without: "any",
      "Axes the device has, perhaps with a range, or with ! has not.",
      read: { (text) throws(ValueFault) in try AxisPattern.list(text) }),
  ]
}

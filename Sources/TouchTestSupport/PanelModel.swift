public import TouchModel

/// A panel as data: what it says of itself, and how it misbehaves.
///
/// A test that takes its panels from `PanelModel.all` runs over every kind of panel in the list.
public struct PanelModel: Sendable {
  /// A way in which a panel departs from the protocol.
  public enum Habit: Sendable, Hashable, CaseIterable {
    /// Ids start at 0 and come round soon.
    case repeatsIDs
    /// A finger that takes another's slot comes without the -1 between.
    case replacesWithoutLift
    /// A position that has not changed is sent again.
    case repeatsValues
    /// The release carries a position of its own, which is rubbish.
    case jumpsAtRelease
    /// Fingers use slots past those declared.
    case exceedsSlots
    /// The slot is named before every value, changed or not.
    case namesSlotAlways
    /// The last frame before an unplugging has no `SYN_REPORT`.
    case endsUnfinished
    /// It has slots but says by `BTN_TOUCH` alone that all fingers are lifted.
    case liftsByKey
  }

  /// What a test calls it.
  public var name: String
  /// The kernel's description.
  public var description: DeviceDescription
  /// What is odd about it.
  public var habits: Set<Habit>

  /// Creates a model.
  public init(
    _ name: String, slots: Int32 = 10, x: ClosedRange<Int32> = 0...4095,
    y: ClosedRange<Int32> = 0...4095, resolution: Int32 = 0, axes: [UInt16: AxisRange] = [:],
    habits: Set<Habit> = []
  ) {
    self.name = name
    self.habits = habits
    var all: [UInt16: AxisRange] = [
      EvdevCode.absMTSlot: AxisRange(minimum: 0, maximum: slots - 1),
      EvdevCode.absMTTrackingID: AxisRange(minimum: 0, maximum: 65_535),
      EvdevCode.absMTPositionX: AxisRange(
        minimum: x.lowerBound, maximum: x.upperBound, resolution: resolution),
      EvdevCode.absMTPositionY: AxisRange(
        minimum: y.lowerBound, maximum: y.upperBound, resolution: resolution),
    ]
    all.merge(axes) { $1 }
    description = DeviceDescription(
      name: name, properties: [EvdevCode.propDirect],
      codes: [EvdevCode.abs: Set(all.keys), EvdevCode.key: [EvdevCode.btnTouch]], axes: all)
  }

  /// Creates the model of a panel of multi-touch protocol A.
  ///
  /// - Parameters:
  ///   - name: what the device calls itself.
  ///   - numbered: whether it tells its contacts' tracking ids.
  ///   - x: the range of the horizontal axis, in the panel's units.
  ///   - y: the range of the vertical axis, in the panel's units.
  ///   - keys: what it has of keys; with `BTN_TOUCH` it says by it whether anything touches.
  ///   - habits: where it departs from the protocol.
  public static func reports(
    _ name: String, numbered: Bool, x: ClosedRange<Int32> = 0...4095,
    y: ClosedRange<Int32> = 0...4095, keys: Set<UInt16> = [EvdevCode.btnTouch],
    habits: Set<Habit> = []
  ) -> PanelModel {
    var model = PanelModel(name, x: x, y: y, habits: habits)
    model.leaveOut(
      numbered ? [EvdevCode.absMTSlot] : [EvdevCode.absMTSlot, EvdevCode.absMTTrackingID])
    model.description.codes[EvdevCode.key] = keys
    return model
  }

  /// Creates the model of a panel of a single contact.
  ///
  /// - Parameters:
  ///   - name: what the device calls itself.
  ///   - x: the range of the horizontal axis, in the panel's units.
  ///   - y: the range of the vertical axis, in the panel's units.
  ///   - keys: what it has of keys; `BTN_TOUCH`, or else `BTN_LEFT`, says that it touches.
  ///   - pressure: whether it tells the pressure, which says that it touches where no key does.
  ///   - habits: where it departs from the protocol.
  public static func single(
    _ name: String, x: ClosedRange<Int32> = 0...4095, y: ClosedRange<Int32> = 0...4095,
    keys: Set<UInt16> = [EvdevCode.btnTouch], pressure: Bool = false, habits: Set<Habit> = []
  ) -> PanelModel {
    var model = PanelModel(name, habits: habits)
    var axes = [
      EvdevCode.absX: AxisRange(minimum: x.lowerBound, maximum: x.upperBound),
      EvdevCode.absY: AxisRange(minimum: y.lowerBound, maximum: y.upperBound),
    ]
    if pressure { axes[EvdevCode.absPressure] = AxisRange(minimum: 0, maximum: 255) }
    model.description.axes = axes
    model.description.codes = [EvdevCode.abs: Set(axes.keys), EvdevCode.key: keys]
    return model
  }

  private mutating func leaveOut(_ axes: [UInt16]) {
    for axis in axes {
      description.axes[axis] = nil
      description.codes[EvdevCode.abs]?.remove(axis)
    }
  }

  /// The most fingers that it shows at once; nil for as many as there are.
  public var mostFingers: Int? {
    switch description.touchProtocol {
    case .slots(let count): habits.contains(.exceedsSlots) ? nil : count
    case .singleTouch: 1
    case .reports, nil: nil
    }
  }

  /// Ranges and habits of panels that are in the field, one a kind; none is a certain product.
  public static let all: [PanelModel] = [
    PanelModel("capacitive, ten fingers", x: 0...1279, y: 0...799, resolution: 6),
    PanelModel("capacitive, five fingers", slots: 5, x: 0...799, y: 0...479),
    PanelModel("capacitive, two fingers", slots: 2, x: 0...1023, y: 0...599),
    PanelModel("capacitive, one slot", slots: 1, x: 0...479, y: 0...271),
    PanelModel(
      "pressure and area", x: 0...2159, y: 0...1439, resolution: 10,
      axes: [
        EvdevCode.absMTPressure: AxisRange(minimum: 0, maximum: 255),
        EvdevCode.absMTTouchMajor: AxisRange(minimum: 0, maximum: 255),
        EvdevCode.absMTTouchMinor: AxisRange(minimum: 0, maximum: 255),
      ]),
    PanelModel(
      "orientation", x: 0...1919, y: 0...1079,
      axes: [EvdevCode.absMTOrientation: AxisRange(minimum: -90, maximum: 90)]),
    PanelModel(
      "palm by tool type", x: 0...2879, y: 0...1799,
      axes: [EvdevCode.absMTToolType: AxisRange(minimum: 0, maximum: 2)]),
    PanelModel(
      "hover", x: 0...4095, y: 0...4095,
      axes: [EvdevCode.absMTDistance: AxisRange(minimum: 0, maximum: 255)]),
    PanelModel("infrared frame, 32 slots", slots: 32, x: 0...32_767, y: 0...32_767),
    PanelModel("large format, 40 slots", slots: 40, x: 0...65_535, y: 0...36_863, resolution: 94),
    PanelModel("large format, 60 slots", slots: 60, x: 0...32_767, y: 0...32_767),
    PanelModel("negative minimum", x: -640...639, y: -384...383),
    PanelModel("minimum above zero", x: 42...1981, y: 61...1902),
    PanelModel("finer than the eye", x: 0...9599, y: 0...7199, resolution: 40),
    PanelModel("x and y of different resolution", x: 0...32_767, y: 0...18_431),
    PanelModel(
      "noise that the kernel filters", x: 0...2047, y: 0...2047,
      axes: [
        EvdevCode.absMTPositionX: AxisRange(minimum: 0, maximum: 2047, fuzz: 4),
        EvdevCode.absMTPositionY: AxisRange(minimum: 0, maximum: 2047, fuzz: 4),
      ]),
    PanelModel("coarse as a keypad", slots: 2, x: 0...15, y: 0...9),
    .reports("reports without ids", numbered: false, x: 0...799, y: 0...479),
    .reports("reports with ids", numbered: true, x: 0...239, y: 0...319),
    .reports("reports without any key", numbered: false, x: 0...9600, y: 0...7200, keys: []),
    .single("resistive", x: 0...4095, y: 0...4095, pressure: true),
    .single("resistive, minimum above zero", x: 160...3980, y: 220...3860),
    .single("pressure alone", x: 0...1023, y: 0...1023, keys: [], pressure: true),
    .single("passes for a mouse", keys: [EvdevCode.btnLeft, 0x111]),
    PanelModel("broken: ids repeat", habits: [.repeatsIDs]),
    PanelModel("broken: ids change without a lift", habits: [.replacesWithoutLift]),
    PanelModel("broken: values come twice", habits: [.repeatsValues]),
    PanelModel("broken: the release jumps", habits: [.jumpsAtRelease]),
    PanelModel("broken: more slots than declared", slots: 2, habits: [.exceedsSlots]),
    PanelModel("broken: names the slot each time", habits: [.namesSlotAlways]),
    PanelModel("broken: ends in the middle of a frame", habits: [.endsUnfinished]),
    PanelModel("broken: lifts by BTN_TOUCH alone", habits: [.liftsByKey]),
    PanelModel(
      "broken: everything at once", slots: 2,
      habits: Set(Habit.allCases).subtracting([.liftsByKey])),
    .single(
      "broken: single contact", habits: [.repeatsValues, .jumpsAtRelease, .endsUnfinished]),
    .reports(
      "broken: reports", numbered: true, habits: [.repeatsIDs, .jumpsAtRelease, .endsUnfinished]),
  ]
}

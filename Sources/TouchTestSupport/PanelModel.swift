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
    PanelModel("broken: ids repeat", habits: [.repeatsIDs]),
    PanelModel("broken: ids change without a lift", habits: [.replacesWithoutLift]),
    PanelModel("broken: values come twice", habits: [.repeatsValues]),
    PanelModel("broken: the release jumps", habits: [.jumpsAtRelease]),
    PanelModel("broken: more slots than declared", slots: 2, habits: [.exceedsSlots]),
    PanelModel("broken: names the slot each time", habits: [.namesSlotAlways]),
    PanelModel("broken: ends in the middle of a frame", habits: [.endsUnfinished]),
    PanelModel("broken: everything at once", slots: 2, habits: Set(Habit.allCases)),
  ]
}

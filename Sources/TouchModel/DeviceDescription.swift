/// The range and resolution of one absolute axis.
///
/// - Source: `struct input_absinfo`.
public struct AxisRange: Sendable, Equatable {
  /// The smallest value the device announces.
  public var minimum: Int32
  /// The largest value the device announces; it is reached.
  public var maximum: Int32
  /// The noise that the kernel filters, in device units; 0 for none.
  public var fuzz: Int32
  /// The dead zone around the rest value, in device units; 0 for none.
  public var flat: Int32
  /// Units a millimetre, or a radian for angles; 0 where the device does not say.
  public var resolution: Int32

  /// Creates a range.
  public init(
    minimum: Int32, maximum: Int32, fuzz: Int32 = 0, flat: Int32 = 0, resolution: Int32 = 0
  ) {
    self.minimum = minimum
    self.maximum = maximum
    self.fuzz = fuzz
    self.flat = flat
    self.resolution = resolution
  }

  /// The range's extent in whole millimetres; nil without a resolution.
  public var millimetres: Int? {
    guard resolution > 0, maximum >= minimum else { return nil }
    return Int(((Double(maximum) - Double(minimum)) / Double(resolution)).rounded())
  }

  /// A value's place within the range, clamped to 0...1; 0 for a range without extent.
  @inlinable
  public func normalise(_ value: Int32) -> Double {
    let extent = Double(maximum) - Double(minimum)
    guard extent > 0 else { return 0 }
    return min(1, max(0, (Double(value) - Double(minimum)) / extent))
  }
}

/// The way in which a device tells contacts apart.
public enum TouchProtocol: Sendable, Equatable {
  /// Slots with tracking ids (kernel multi-touch protocol, type B).
  case slots(Int)
  /// Anonymous or numbered contacts parted by `SYN_MT_REPORT` (type A).
  case reports
  /// One contact by `ABS_X`, `ABS_Y` and `BTN_TOUCH`.
  case singleTouch

  /// The name as tools print it.
  public var name: String {
    switch self {
    case .slots: "B"
    case .reports: "A"
    case .singleTouch: "single-touch"
    }
  }
}

/// What an input device says of itself.
public struct DeviceDescription: Sendable, Equatable {
  /// The kernel's name of the device.
  public var name: String
  /// Where the kernel says it is connected, `usb-0000:00:14.0-1/input0` for one; may be empty.
  public var physicalLocation = ""
  /// The bus, `BUS_USB` and so on.
  public var bus: UInt16
  /// The vendor's number.
  public var vendor: UInt16
  /// The product's number.
  public var product: UInt16
  /// The version.
  public var version: UInt16
  /// The `INPUT_PROP_*` it has.
  public var properties: Set<UInt16>
  /// The codes it may send, by event type.
  public var codes: [UInt16: Set<UInt16>]
  /// The ranges of its absolute axes.
  public var axes: [UInt16: AxisRange]

  /// Creates a description.
  public init(
    name: String, bus: UInt16 = 0, vendor: UInt16 = 0, product: UInt16 = 0, version: UInt16 = 0,
    properties: Set<UInt16> = [], codes: [UInt16: Set<UInt16>] = [:],
    axes: [UInt16: AxisRange] = [:]
  ) {
    self.name = name
    self.bus = bus
    self.vendor = vendor
    self.product = product
    self.version = version
    self.properties = properties
    self.codes = codes
    self.axes = axes
  }

  /// The size of the surface in whole millimetres; nil where the position axes state no resolution.
  public var millimetres: (width: Int, height: Int)? {
    guard let x = axes[EvdevCode.absMTPositionX] ?? axes[EvdevCode.absX],
      let y = axes[EvdevCode.absMTPositionY] ?? axes[EvdevCode.absY],
      let width = x.millimetres, let height = y.millimetres
    else { return nil }
    return (width, height)
  }

  /// Tells whether the device may send a code.
  public func sends(_ type: UInt16, _ code: UInt16) -> Bool { codes[type]?.contains(code) ?? false }

  /// The protocol that its position axes allow; nil if it has no touch position.
  public var touchProtocol: TouchProtocol? {
    if axes[EvdevCode.absMTPositionX] != nil, axes[EvdevCode.absMTPositionY] != nil {
      guard let slots = axes[EvdevCode.absMTSlot] else { return .reports }
      let (count, overflowed) = slots.maximum.addingReportingOverflow(1)
      return .slots(overflowed ? Int(Int32.max) : max(1, Int(count)))
    }
    guard axes[EvdevCode.absX] != nil, axes[EvdevCode.absY] != nil else { return nil }
    return .singleTouch
  }
}

import TouchModel

/// A list of displays, as a welcome and a change of displays carry it.
enum DisplayList {
  /// The fixed part of a change of displays.
  static let size = 24
  static let elementSize = 64
  static let nameSize = 32
  /// More than any board drives; keeps the message within one packet.
  static let maximum = 64

  static func decode(_ packet: UnsafeRawBufferPointer) throws(WireError) -> [Display] {
    try require(packet, size)
    return try decode(packet, .displaysChanged, at: 16, fixed: size)
  }

  /// Reads the list whose count, stride and offset stand at a place.
  static func decode(
    _ packet: UnsafeRawBufferPointer, _ type: WireType, at place: Int, fixed: Int
  ) throws(WireError) -> [Display] {
    let fields = Fields(packet)
    let list = try WireList(
      type, offset: fields.u32(place + 4), count: fields.u16(place), stride: fields.u16(place + 2),
      fixed: fixed, element: elementSize, limit: maximum, length: packet.count)
    var displays: [Display] = []
    for index in 0..<list.count {
      let at = list.element(index)
      let display = Display(
        id: fields.u32(at), name: fields.text(at + 32, nameSize), width: fields.f64(at + 8),
        height: fields.f64(at + 16), scale: fields.f64(at + 24))
      guard display.width > 0, display.height > 0, display.scale > 0, display.width.isFinite,
        display.height.isFinite, display.scale.isFinite
      else { throw .badValue(type, field: "a display's size") }
      displays.append(display)
    }
    return displays
  }
}

/// An administrator's wish to turn a display's picture.
public struct RotateDisplay: Equatable, Sendable {
  /// How far the picture is turned clockwise on the glass.
  public var rotation: Rotation
  /// The display's name.
  ///
  /// - Range: at most 32 bytes of UTF-8; the rest is cut.
  public var display: String

  static let size = 56

  /// Creates a wish.
  public init(display: String, rotation: Rotation) {
    self.display = display
    self.rotation = rotation
  }

  init(_ packet: UnsafeRawBufferPointer) throws(WireError) {
    try require(packet, Self.size)
    let fields = Fields(packet)
    guard let rotation = Rotation(rawValue: Int(fields.u32(16))) else {
      throw .badValue(.rotateDisplay, field: "the angle")
    }
    self.rotation = rotation
    display = fields.text(24, DisplayList.nameSize)
  }
}

/// What became of a wish to turn a display.
public struct DisplayRotated: Equatable, Sendable {
  /// Whether the picture is turned so now.
  public enum Result: UInt32, Sendable, CaseIterable {
    /// It is.
    case rotated = 0
    /// No display has this name; nothing changed.
    case unknownDisplay = 1
  }

  /// The serial of the message that asked for it.
  public var requestSerial: UInt32
  /// Whether it was done.
  public var result: Result

  static let size = 24

  /// Creates an answer.
  public init(requestSerial: UInt32, result: Result) {
    self.requestSerial = requestSerial
    self.result = result
  }

  init(_ packet: UnsafeRawBufferPointer) throws(WireError) {
    try require(packet, Self.size)
    let fields = Fields(packet)
    requestSerial = fields.u32(16)
    guard let result = Result(rawValue: fields.u32(20)) else {
      throw .badValue(.displayRotated, field: "the result")
    }
    self.result = result
  }
}

extension PacketWriter {
  /// Writes which displays are there from now on; those beyond the limit are left out.
  public func displaysChanged(_ displays: [Display], serial: UInt32) -> UnsafeRawBufferPointer {
    let displays = displays.prefix(DisplayList.maximum)
    begin(
      .displaysChanged, length: DisplayList.size + displays.count * DisplayList.elementSize,
      optional: true)
    put(displays, listAt: 16, elementsAt: DisplayList.size)
    return finish(serial: serial)
  }

  /// Writes a wish to turn a display.
  public func rotateDisplay(_ wish: RotateDisplay, serial: UInt32) -> UnsafeRawBufferPointer {
    begin(.rotateDisplay, length: RotateDisplay.size, optional: true)
    put(UInt32(wish.rotation.degrees), 16)
    put(wish.display, 24, size: DisplayList.nameSize)
    return finish(serial: serial)
  }

  /// Writes what became of a wish to turn a display.
  public func displayRotated(_ answer: DisplayRotated, serial: UInt32) -> UnsafeRawBufferPointer {
    begin(.displayRotated, length: DisplayRotated.size, optional: true)
    put(answer.requestSerial, 16)
    put(answer.result.rawValue, 20)
    return finish(serial: serial)
  }

  /// Writes a list of displays: its count, stride and offset at one place, the displays at another.
  func put(_ displays: some Collection<Display>, listAt place: Int, elementsAt start: Int) {
    put(UInt16(displays.count), place)
    put(UInt16(DisplayList.elementSize), place + 2)
    put(UInt32(start), place + 4)
    var at = start
    for display in displays {
      put(display.id, at)
      put(display.width, at + 8)
      put(display.height, at + 16)
      put(display.scale, at + 24)
      put(display.name, at + 32, size: DisplayList.nameSize)
      at += DisplayList.elementSize
    }
  }
}

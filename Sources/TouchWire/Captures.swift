import TouchModel

/// An administrator's wish to have one panel alone, or to give it back.
public struct CapturePanel: Equatable, Sendable {
  /// The panel.
  public var device: UInt32
  /// Whether it is to be given back.
  public var isRelease: Bool

  static let size = 24

  /// Creates a wish.
  public init(device: UInt32, isRelease: Bool = false) {
    self.device = device
    self.isRelease = isRelease
  }

  init(_ packet: UnsafeRawBufferPointer) throws(WireError) {
    try require(packet, Self.size)
    let fields = Fields(packet)
    device = fields.u32(16)
    isRelease = fields.u32(20) & 1 != 0
  }
}

/// A panel as who calibrates or measures it has to know it.
public struct CapturedPanel: Equatable, Sendable {
  /// The least and the greatest value of an axis.
  public struct Range: Equatable, Sendable {
    /// What the left or top edge is meant to give.
    public var minimum: Int32
    /// What the right or bottom edge is meant to give.
    public var maximum: Int32

    /// Creates a range; any two numbers may be said of a device.
    public init(minimum: Int32, maximum: Int32) {
      self.minimum = minimum
      self.maximum = maximum
    }
  }

  /// The display that it lies on; 0 for a panel that was not captured.
  public var display: UInt32
  /// The range of x that the device declares.
  public var declaredX: Range
  /// The range of y that the device declares.
  public var declaredY: Range
  /// The range of x that positions are normalised by: the declared one, or the configuration's.
  public var usedX: Range
  /// The same of y.
  public var usedY: Range
  /// How far the used range of x reaches, in millimetres; 0 where nobody knows.
  public var millimetresX: Double
  /// The same of y.
  public var millimetresY: Double
  /// From normalised positions to what the calibration takes: swap, inversion and mounting.
  public var mounting: PanelTransform
  /// From what the calibration gives to the display's picture: the part covered, and its turn.
  public var displayTransform: PanelTransform

  /// Creates a description.
  public init(
    display: UInt32, declaredX: Range, declaredY: Range, usedX: Range, usedY: Range,
    millimetresX: Double = 0, millimetresY: Double = 0, mounting: PanelTransform = .identity,
    displayTransform: PanelTransform = .identity
  ) {
    self.display = display
    self.declaredX = declaredX
    self.declaredY = declaredY
    self.usedX = usedX
    self.usedY = usedY
    self.millimetresX = millimetresX
    self.millimetresY = millimetresY
    self.mounting = mounting
    self.displayTransform = displayTransform
  }

  /// What stands for a panel that was not captured.
  static let none = CapturedPanel(
    display: 0, declaredX: Range(minimum: 0, maximum: 0), declaredY: Range(minimum: 0, maximum: 0),
    usedX: Range(minimum: 0, maximum: 0), usedY: Range(minimum: 0, maximum: 0))
}

/// What became of a wish to have a panel alone.
public struct PanelCaptured: Equatable, Sendable {
  /// Whether the panel is captured.
  public enum Result: UInt32, Sendable, CaseIterable {
    /// It is, by this connection.
    case captured = 0
    /// There is no panel of this number.
    case unknownPanel = 1
    /// Another connection has it, or this one already.
    case taken = 2
  }

  /// The serial of the message that asked for it.
  public var requestSerial: UInt32
  /// Whether it was done.
  public var result: Result
  /// The panel.
  public var device: UInt32
  /// What is known of it.
  public var panel: CapturedPanel
  /// Why it was not done, a sentence; empty if it was. At most 200 bytes, the rest is cut.
  public var text: String

  static let size = 376
  static let textSize = 200

  /// Creates an answer.
  public init(
    requestSerial: UInt32, result: Result, device: UInt32, panel: CapturedPanel? = nil,
    text: String = ""
  ) {
    self.requestSerial = requestSerial
    self.result = result
    self.device = device
    self.panel = panel ?? .none
    self.text = text
  }

  init(_ packet: UnsafeRawBufferPointer) throws(WireError) {
    try require(packet, Self.size)
    let fields = Fields(packet)
    requestSerial = fields.u32(16)
    guard let result = Result(rawValue: fields.u32(20)) else {
      throw .badValue(.panelCaptured, field: "the result")
    }
    self.result = result
    device = fields.u32(24)
    for offset in Swift.stride(from: 64, to: 176, by: 8) where !fields.f64(offset).isFinite {
      throw .badValue(.panelCaptured, field: "a size or a matrix")
    }
    guard fields.f64(64) >= 0, fields.f64(72) >= 0 else {
      throw .badValue(.panelCaptured, field: "a size or a matrix")
    }
    panel = CapturedPanel(
      display: fields.u32(28), declaredX: fields.range(32), declaredY: fields.range(40),
      usedX: fields.range(48), usedY: fields.range(56), millimetresX: fields.f64(64),
      millimetresY: fields.f64(72), mounting: fields.transform(80),
      displayTransform: fields.transform(128))
    text = fields.text(176, Self.textSize)
  }
}

/// A panel that this connection has no more.
public struct CaptureEnded: Equatable, Sendable {
  /// Why it ended.
  public enum Reason: UInt32, Sendable, CaseIterable {
    /// The connection gave it back.
    case released = 0
    /// The panel is gone.
    case gone = 1
    /// The configuration, or a turn of the display, uses the panel in another way.
    case changed = 2
  }

  /// The panel.
  public var device: UInt32
  /// Why.
  public var reason: Reason

  static let size = 24

  /// Creates a notice.
  public init(device: UInt32, reason: Reason) {
    self.device = device
    self.reason = reason
  }

  init(_ packet: UnsafeRawBufferPointer) throws(WireError) {
    try require(packet, Self.size)
    let fields = Fields(packet)
    device = fields.u32(16)
    guard let reason = Reason(rawValue: fields.u32(20)) else {
      throw .badValue(.captureEnded, field: "the reason")
    }
    self.reason = reason
  }
}

extension Fields {
  fileprivate func range(_ offset: Int) -> CapturedPanel.Range {
    CapturedPanel.Range(minimum: i32(offset), maximum: i32(offset + 4))
  }

  fileprivate func transform(_ offset: Int) -> PanelTransform {
    PanelTransform(
      f64(offset), f64(offset + 8), f64(offset + 16), f64(offset + 24), f64(offset + 32),
      f64(offset + 40))
  }
}

extension PacketWriter {
  /// Writes a wish to have a panel alone, or to give it back.
  public func capturePanel(_ wish: CapturePanel, serial: UInt32) -> UnsafeRawBufferPointer {
    begin(.capturePanel, length: CapturePanel.size, optional: true)
    put(wish.device, 16)
    put(wish.isRelease ? UInt32(1) : 0, 20)
    return finish(serial: serial)
  }

  /// Writes what became of a wish to have a panel alone.
  public func panelCaptured(_ answer: PanelCaptured, serial: UInt32) -> UnsafeRawBufferPointer {
    begin(.panelCaptured, length: PanelCaptured.size, optional: true)
    put(answer.requestSerial, 16)
    put(answer.result.rawValue, 20)
    put(answer.device, 24)
    let panel = answer.panel
    put(panel.display, 28)
    for (index, range) in [panel.declaredX, panel.declaredY, panel.usedX, panel.usedY].enumerated()
    {
      put(range.minimum, 32 + 8 * index)
      put(range.maximum, 36 + 8 * index)
    }
    let numbers =
      [panel.millimetresX, panel.millimetresY] + panel.mounting.numbers
      + panel.displayTransform.numbers
    for (index, number) in numbers.enumerated() { put(number, 64 + 8 * index) }
    put(answer.text, 176, size: PanelCaptured.textSize)
    return finish(serial: serial)
  }

  /// Writes that a connection has a panel no more.
  public func captureEnded(_ notice: CaptureEnded, serial: UInt32) -> UnsafeRawBufferPointer {
    begin(.captureEnded, length: CaptureEnded.size, optional: true)
    put(notice.device, 16)
    put(notice.reason.rawValue, 20)
    return finish(serial: serial)
  }
}

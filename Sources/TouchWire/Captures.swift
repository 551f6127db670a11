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

/// One contact of a captured panel, in the device's own numbers.
public struct RawContact: Equatable, Sendable {
  /// The contact's id, as in frames.
  public var id: UInt64
  /// The slot that holds it.
  public var slot: Int32
  /// What happened to it in this frame.
  public var phase: ContactPhase
  /// What touches.
  public var tool: ContactTool
  /// The device's own x, also outside of its range.
  public var x: Int32
  /// The device's own y, also outside of its range.
  public var y: Int32
  /// The pressure, 0...1 of the device's range; 0 where unknown.
  public var pressure: Float

  /// Creates a contact.
  public init(
    id: UInt64, slot: Int32, phase: ContactPhase, tool: ContactTool = .finger, x: Int32, y: Int32,
    pressure: Float = 0
  ) {
    self.id = id
    self.slot = slot
    self.phase = phase
    self.tool = tool
    self.x = x
    self.y = y
    self.pressure = pressure
  }
}

/// A frame of a captured panel, before calibration and filters.
public struct RawFrame: Equatable, Sendable {
  /// The kernel's time of the frame, in `CLOCK_MONOTONIC` nanoseconds.
  public var timeNanoseconds: UInt64
  /// How many frames this connection missed before this one because it was too slow.
  ///
  /// What was down before such a gap and does not stand in this frame has ended.
  public var lost: UInt64
  /// The panel.
  public var device: UInt32
  /// All contacts that are down, and those that ended in this frame; hovering ones too.
  ///
  /// - Range: at most `WireFormat.maximumContacts`; the writer leaves the rest out.
  public var contacts: [RawContact]

  static let size = 48
  static let contactSize = 32

  /// Creates a frame.
  public init(timeNanoseconds: UInt64, lost: UInt64 = 0, device: UInt32, contacts: [RawContact]) {
    self.timeNanoseconds = timeNanoseconds
    self.lost = lost
    self.device = device
    self.contacts = contacts
  }

  init(_ packet: UnsafeRawBufferPointer) throws(WireError) {
    try require(packet, Self.size)
    let fields = Fields(packet)
    let list = try WireList(
      .rawFrame, offset: fields.u32(40), count: fields.u16(36), stride: fields.u16(38),
      fixed: Self.size, element: Self.contactSize, limit: WireFormat.maximumContacts,
      length: packet.count)
    timeNanoseconds = fields.u64(16)
    lost = fields.u64(24)
    device = fields.u32(32)
    contacts = []
    for index in 0..<list.count {
      let at = list.element(index)
      guard let phase = ContactPhase(rawValue: fields.u8(at + 12)),
        let tool = ContactTool(rawValue: fields.u8(at + 13))
      else { throw .badValue(.rawFrame, field: "a contact's phase or tool") }
      guard fields.f32(at + 24).isFinite else {
        throw .badValue(.rawFrame, field: "a contact's pressure")
      }
      contacts.append(
        RawContact(
          id: fields.u64(at), slot: fields.i32(at + 8), phase: phase, tool: tool,
          x: fields.i32(at + 16), y: fields.i32(at + 20), pressure: fields.f32(at + 24)))
    }
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

  /// Writes a frame of a captured panel.
  public func rawFrame(_ frame: RawFrame, serial: UInt32) -> UnsafeRawBufferPointer {
    let count = min(frame.contacts.count, WireFormat.maximumContacts)
    beginRawFrame(
      at: frame.timeNanoseconds, device: frame.device, lost: frame.lost, contacts: count)
    for (index, contact) in frame.contacts.prefix(count).enumerated() {
      put(raw: contact, at: index)
    }
    return finish(serial: serial)
  }

  /// Writes a frame of a captured panel as the daemon's stages have it; allocates nothing.
  public func rawFrame(
    _ frame: borrowing FrameBuffer, lost: UInt64, serial: UInt32
  ) -> UnsafeRawBufferPointer {
    let count = min(frame.count, WireFormat.maximumContacts)
    beginRawFrame(at: frame.timeNanoseconds, device: frame.device, lost: lost, contacts: count)
    for index in 0..<count {
      let contact = frame[index]
      let raw = RawContact(
        id: contact.id, slot: contact.slot, phase: contact.phase, tool: contact.tool,
        x: contact.rawX, y: contact.rawY, pressure: contact.pressure)
      put(raw: raw, at: index)
    }
    return finish(serial: serial)
  }

  private func beginRawFrame(at time: UInt64, device: UInt32, lost: UInt64, contacts: Int) {
    begin(
      .rawFrame, length: RawFrame.size + contacts * RawFrame.contactSize, optional: true)
    put(time, 16)
    put(lost, 24)
    put(device, 32)
    put(UInt16(contacts), 36)
    put(UInt16(RawFrame.contactSize), 38)
    put(UInt32(RawFrame.size), 40)
  }

  private func put(raw contact: RawContact, at index: Int) {
    let at = RawFrame.size + index * RawFrame.contactSize
    put(contact.id, at)
    put(contact.slot, at + 8)
    put(contact.phase.rawValue, at + 12)
    put(contact.tool.rawValue, at + 13)
    put(contact.x, at + 16)
    put(contact.y, at + 20)
    put(contact.pressure, at + 24)
  }

  /// Writes that a connection has a panel no more.
  public func captureEnded(_ notice: CaptureEnded, serial: UInt32) -> UnsafeRawBufferPointer {
    begin(.captureEnded, length: CaptureEnded.size, optional: true)
    put(notice.device, 16)
    put(notice.reason.rawValue, 20)
    return finish(serial: serial)
  }
}

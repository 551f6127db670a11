import TouchFrames
import TouchModel

extension DeviceDescription {
  /// A panel of x 0...1000 and y 0...500 with slots, and what else a test gives it.
  static func panel(slots: Int32 = 10, axes more: [UInt16: AxisRange] = [:]) -> DeviceDescription {
    let axes = [
      EvdevCode.absMTSlot: AxisRange(minimum: 0, maximum: slots - 1),
      EvdevCode.absMTPositionX: AxisRange(minimum: 0, maximum: 1000),
      EvdevCode.absMTPositionY: AxisRange(minimum: 0, maximum: 500),
      EvdevCode.absMTTrackingID: AxisRange(minimum: 0, maximum: 65535),
    ]
    return DeviceDescription(name: "panel", axes: axes.merging(more) { $1 })
  }

  /// A panel of protocol A, x 0...1000 and y 0...500.
  static func reports(
    keys: Set<UInt16> = [], axes more: [UInt16: AxisRange] = [:]
  ) -> DeviceDescription {
    var description = panel(axes: more)
    description.axes[EvdevCode.absMTSlot] = nil
    description.codes[EvdevCode.key] = keys
    return description
  }

  /// A panel of a single contact, x 0...1000 and y 0...500.
  static func single(
    keys: Set<UInt16> = [EvdevCode.btnTouch], axes more: [UInt16: AxisRange] = [:]
  ) -> DeviceDescription {
    let axes = [
      EvdevCode.absX: AxisRange(minimum: 0, maximum: 1000),
      EvdevCode.absY: AxisRange(minimum: 0, maximum: 500),
    ]
    return DeviceDescription(
      name: "panel", codes: [EvdevCode.key: keys], axes: axes.merging(more) { $1 })
  }
}

/// A panel whose events a test writes down, with all frames that come of them.
///
/// Every frame passes the stream checker; a breach stands in `fault`.
final class PanelRig {
  private var assembler: FrameAssembler
  private var checker = TouchStreamChecker()
  private(set) var fault: TouchStreamFault?
  /// The frames so far.
  private(set) var frames: [TouchFrame] = []
  private var shown = 0

  init(
    _ description: DeviceDescription = .panel(), source: FrameAssembler.Source = .recording,
    ids: ContactIDSequence = ContactIDSequence(), device: UInt32 = 0, isInjected: Bool = false,
    options: FrameOptions = FrameOptions(), mapping: DisplayMapping = .normalised
  ) throws(FrameError) {
    assembler = try FrameAssembler(
      description: description, device: device, display: 7, ids: ids, source: source,
      isInjected: isInjected, mapping: mapping, options: options)
  }

  var isTouched: Bool { assembler.isTouched }
  var needsStateCheck: Bool { assembler.needsStateCheck }
  var heldState: HeldState { assembler.heldState }
  /// When the panel will have been quiet for too long, in microseconds.
  var deadline: UInt64? { assembler.nextDeadline.map { $0 / 1000 } }

  var counters: FrameCounters { assembler.counters }
  var needsResync: Bool { assembler.needsResync }

  /// The frames since the last look, a line a frame: "time: id@slot phase x,y; ...".
  func look() -> [String] {
    defer { shown = frames.count }
    return frames[shown...].map { frame in
      let contacts = frame.contacts.map {
        "\($0.id)@\($0.slot) \($0.phase) \($0.rawX),\($0.rawY)"
      }
      return "\(frame.timeNanoseconds / 1000): " + contacts.joined(separator: "; ")
    }
  }

  @discardableResult
  func send(_ type: UInt16, _ code: UInt16, _ value: Int32, at microseconds: Int = 0) -> PanelRig {
    let event = EvdevEvent(
      seconds: microseconds / 1_000_000, microseconds: microseconds % 1_000_000, type: type,
      code: code, value: value)
    if assembler.consume(event) { keepAll() }
    return self
  }

  @discardableResult
  func abs(_ code: UInt16, _ value: Int32) -> PanelRig { send(EvdevCode.abs, code, value) }

  @discardableResult
  func slot(_ value: Int32) -> PanelRig { abs(EvdevCode.absMTSlot, value) }

  @discardableResult
  func id(_ value: Int32) -> PanelRig { abs(EvdevCode.absMTTrackingID, value) }

  @discardableResult
  func x(_ value: Int32) -> PanelRig { abs(EvdevCode.absMTPositionX, value) }

  @discardableResult
  func y(_ value: Int32) -> PanelRig { abs(EvdevCode.absMTPositionY, value) }

  @discardableResult
  func tool(_ value: Int32) -> PanelRig { abs(EvdevCode.absMTToolType, value) }

  @discardableResult
  func distance(_ value: Int32) -> PanelRig { abs(EvdevCode.absMTDistance, value) }

  /// Ends a contact of protocol A.
  @discardableResult
  func mtReport() -> PanelRig { send(EvdevCode.syn, EvdevCode.synMTReport, 0) }

  /// Says a contact of protocol A.
  @discardableResult
  func contact(_ x: Int32, _ y: Int32, id: Int32? = nil) -> PanelRig {
    if let id { self.id(id) }
    return self.x(x).y(y).mtReport()
  }

  @discardableResult
  func key(_ code: UInt16, _ value: Int32) -> PanelRig { send(EvdevCode.key, code, value) }

  @discardableResult
  func touchKey(_ value: Int32) -> PanelRig { key(EvdevCode.btnTouch, value) }

  /// Says a place on the axes of a single contact.
  @discardableResult
  func at(_ x: Int32, _ y: Int32) -> PanelRig { abs(EvdevCode.absX, x).abs(EvdevCode.absY, y) }

  @discardableResult
  func report(_ microseconds: Int, value: Int32 = 0) -> PanelRig {
    send(EvdevCode.syn, EvdevCode.synReport, value, at: microseconds)
  }

  @discardableResult
  func dropped(_ microseconds: Int = 0) -> PanelRig {
    send(EvdevCode.syn, EvdevCode.synDropped, 0, at: microseconds)
  }

  func adopt(_ states: [SlotState], current: Int32 = 0, touchKey: Bool? = nil) {
    states.withUnsafeBufferPointer {
      assembler.adoptInitialState(slots: $0, currentSlot: current, touchKey: touchKey)
    }
  }

  func resynchronise(
    _ microseconds: UInt64, _ states: [SlotState], current: Int32 = 0, touchKey: Bool? = nil
  ) {
    let isComplete = states.withUnsafeBufferPointer {
      assembler.resynchronise(
        timeNanoseconds: microseconds * 1000, slots: $0, currentSlot: current, touchKey: touchKey)
    }
    if isComplete { keepAll() }
  }

  func deadlineReached(_ microseconds: UInt64) {
    let (time, isTooLate) = microseconds.multipliedReportingOverflow(by: 1000)
    if assembler.deadlineReached(isTooLate ? .max : time) { keepAll() }
  }

  func takeState(_ microseconds: UInt64, _ states: [SlotState], touchKey: Bool? = nil) {
    let isComplete = states.withUnsafeBufferPointer {
      assembler.takeState(timeNanoseconds: microseconds * 1000, slots: $0, touchKey: touchKey)
    }
    if isComplete { keepAll() }
  }

  func cancelAll(_ microseconds: UInt64) {
    if assembler.cancelAll(timeNanoseconds: microseconds * 1000) { keepAll() }
  }

  /// Feeds a batch as a reader of a node does; unlike `send` it may leave pending frames behind.
  func feed(_ events: [EvdevEvent], takingPending: Bool = true) {
    events.withUnsafeBufferPointer { events in
      var index = 0
      while assembler.consume(events, from: &index) {
        if takingPending { keepAll() } else { keep() }
      }
    }
  }

  /// Ends the stream; nothing may be down after it.
  func finish() {
    cancelAll(0)
    do throws(TouchStreamFault) { try checker.finish() } catch { fault = fault ?? error }
  }

  private func keepAll() {
    repeat { keep() } while assembler.takePendingFrame()
  }

  private func keep() {
    let frame = assembler.frame.frame()
    frames.append(frame)
    do throws(TouchStreamFault) { try checker.accept(frame) } catch { fault = fault ?? error }
  }
}

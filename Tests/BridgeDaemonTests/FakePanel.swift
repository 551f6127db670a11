import Glibc
import LinuxIO
import Testing
import TouchFilters
import TouchFrames
import TouchModel

@testable import BridgeDaemon

/// A device whose node is a pipe: what the test writes is what the panel reads.
final class FakePanel: DeviceSource {
  let description: DeviceDescription
  private let node: OwnedDescriptor
  private let pen: Int32
  /// How often it was read from.
  private(set) var reads = 0
  /// What reading gives once the pipe is empty; `nothing` while it is plugged in.
  var whenEmpty = DeviceRead.nothing
  /// The present values of the slots by axis, as the kernel would tell them.
  var slots: [UInt16: [Int32]] = [:]
  var currentSlot: Int32?
  /// What grabbing it gives.
  var whenGrabbed = DeviceGrab.done
  /// Each attempt to grab it or to let it go.
  private(set) var grabs: [Bool] = []
  /// The present values of axes that have no slots, and of keys.
  var values: [UInt16: Int32] = [:]
  var keys: [UInt16: Bool] = [:]

  convenience init(slots count: Int32 = 4) throws {
    try self.init(
      DeviceDescription(
        name: "fake panel",
        axes: [
          EvdevCode.absMTSlot: AxisRange(minimum: 0, maximum: count - 1),
          EvdevCode.absMTTrackingID: AxisRange(minimum: 0, maximum: 65_535),
          EvdevCode.absMTPositionX: AxisRange(minimum: 0, maximum: 1_000),
          EvdevCode.absMTPositionY: AxisRange(minimum: 0, maximum: 1_000),
        ]))
  }

  init(_ description: DeviceDescription) throws {
    self.description = description
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw SystemError("make a pipe") }
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    node = OwnedDescriptor(owning: ends[0])
    pen = ends[1]
  }

  deinit { close(pen) }

  var descriptor: Int32 { node.raw }

  /// Writes events at a time in microseconds, each a type, a code and a value.
  func write(at time: Int, _ events: [(UInt16, UInt16, Int32)]) {
    let all = events.map { type, code, value in
      EvdevEvent(seconds: 0, microseconds: time, type: type, code: code, value: value)
    }
    _ = all.withUnsafeBytes { writeAll($0, to: pen) }
  }

  func read(into events: UnsafeMutableBufferPointer<EvdevEvent>) -> DeviceRead {
    reads += 1
    let size = MemoryLayout<EvdevEvent>.stride
    let count = Glibc.read(node.raw, events.baseAddress, events.count * size)
    return count > 0 ? .events(count / size) : whenEmpty
  }

  func slotValues(_ axis: UInt16, into values: UnsafeMutableBufferPointer<Int32>) -> Bool {
    guard let known = slots[axis] else { return false }
    for (slot, value) in known.prefix(values.count).enumerated() { values[slot] = value }
    return true
  }

  func setGrabbed(_ isGrabbed: Bool) -> DeviceGrab {
    grabs.append(isGrabbed)
    return whenGrabbed
  }

  func axisValue(_ axis: UInt16) -> Int32? {
    axis == EvdevCode.absMTSlot ? currentSlot : values[axis]
  }

  func keyIsDown(_ key: UInt16) -> Bool? { keys[key] }
}

/// A panel on a fake device, and what it tells its owner.
final class PanelRig: PanelOwner {
  let device: FakePanel
  private(set) var frames: [TouchFrame] = []
  private(set) var goneBecause: [String] = []
  /// What else the panel told, in words; deadlines in microseconds.
  private(set) var events: [String] = []
  private let setup: PanelSetup
  private var checker = TouchStreamChecker()
  private(set) lazy var panel: Panel = makePanel()

  private let wantsGrab: Bool
  private let options: FrameOptions

  init(
    _ device: FakePanel, _ setup: PanelSetup = PanelSetup(), wantsGrab: Bool = false,
    options: FrameOptions = FrameOptions()
  ) {
    self.device = device
    self.setup = setup
    self.wantsGrab = wantsGrab
    self.options = options
  }

  private func makePanel() -> Panel {
    do {
      let assembler = try FrameAssembler(
        description: device.description, device: 7, display: 0, ids: ContactIDSequence(),
        source: .device, isInjected: false, options: options)
      return Panel(
        id: 7, name: "fake panel", node: "/a/node", source: device, assembler: assembler,
        filters: plan, stuck: setup.stuck, wantsGrab: wantsGrab, owner: self)
    } catch {
      fatalError("no panel for the test: \(error)")
    }
  }

  private var plan: FilterPlan {
    let (x, y) = PanelGeometry.position(device.description.axes)
    let mapping = DisplayMapping.normalised
    let geometry = PanelGeometry(
      axes: device.description.axes, placement: mapping.placement(x: x, y: y),
      areaScale: mapping.areaScale, size: setup.size)
    return FilterPlan(setup.filters, for: geometry, properties: setup.properties)
  }

  /// Lets the stages do what is due at a time in microseconds, and hands out the frames they made.
  func wake(at time: UInt64) -> [TouchFrame] {
    panel.deadlineReached(time * 1_000)
    defer { frames = [] }
    return frames
  }

  /// Lets the panel read, and hands out the frames it made.
  func read() -> [TouchFrame] {
    panel.descriptorReady(.readable)
    defer { frames = [] }
    return frames
  }

  func finish() throws { try checker.finish() }

  func panelHasFrame(_ panel: Panel, readAt time: UInt64) {
    take(panel.assembler.value.frame.frame())
  }

  func panelHasExtraFrame(_ panel: Panel, _ frame: ExtraFrame, readAt time: UInt64) {
    switch frame {
    case .released: take(panel.stages?.filters.value.released.frame())
    case .stuck: take(panel.stages?.watch.value.cancels.frame())
    }
  }

  private func take(_ frame: TouchFrame?) {
    guard let frame else { return }
    #expect(throws: Never.self) { try checker.accept(frame) }
    frames.append(frame)
  }

  func panelHasDropped(_ panel: Panel, readAt time: UInt64) {
    for drop in panel.stages?.filters.value.dropped ?? UnsafeBufferPointer(start: nil, count: 0) {
      events.append("\(drop.contact.id) dropped by \(drop.filter.name)")
    }
  }

  func panelBreaksOff(_ panel: Panel) { events.append("breaks off") }

  func panelHasStuckContacts(_ panel: Panel) {
    for stuck in panel.stages?.watch.value.stuck ?? [] {
      events.append("\(stuck.contact.id) stuck")
    }
  }

  func panelDeadlineChanged() {
    let deadline = panel.nextDeadline
    events.append(deadline == .max ? "no deadline" : "deadline \(deadline / 1_000)")
  }

  func panelIsGone(_ panel: Panel, because reason: String) { goneBecause.append(reason) }
}

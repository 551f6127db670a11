import CUInput
import Glibc
public import TouchModel

/// A failure to make or use a device through `/dev/uinput`.
public struct UInputError: Error, Equatable, CustomStringConvertible {
  /// What was tried.
  public var step: String
  /// The system's error number.
  public var number: Int32

  /// The step and the system's own words.
  public var description: String {
    "\(step) failed: \(String(cString: strerror(number))). It needs root and the module uinput."
  }
}

/// A touch panel made by the kernel on our behalf: for udev, the daemon and every other reader it is
/// a real device.
///
/// The device is there from `init` until `unplug()`, or until the panel is released, which may be
/// right after its last use: a test says `defer { panel.unplug() }`. What a reader has not yet read
/// then is lost.
public final class UInputPanel {
  /// What the device says of itself.
  public let description: DeviceDescription
  /// The device's folder under `/sys/devices/virtual/input`, such as `input7`.
  public let systemName: String
  private var descriptor: Int32
  private var state = PanelState()

  /// Makes the device.
  public init(_ description: DeviceDescription) throws(UInputError) {
    let descriptor = tu_open()
    guard descriptor >= 0 else { throw UInputError(step: "opening /dev/uinput", number: errno) }
    do throws(UInputError) {
      systemName = try Self.create(description, through: descriptor)
    } catch {
      close(descriptor)
      throw error
    }
    self.description = description
    self.descriptor = descriptor
  }

  deinit { unplug() }

  private static func create(
    _ description: DeviceDescription, through descriptor: Int32
  ) throws(UInputError) -> String {
    func check(_ result: Int32, _ step: String) throws(UInputError) {
      if result < 0 { throw UInputError(step: step, number: errno) }
    }
    for type in description.codes.keys {
      try check(tu_allow_type(descriptor, type), "UI_SET_EVBIT \(type)")
    }
    for key in description.codes[EvdevCode.key] ?? [] {
      try check(tu_allow_key(descriptor, key), "UI_SET_KEYBIT \(key)")
    }
    for property in description.properties {
      try check(tu_set_property(descriptor, property), "UI_SET_PROPBIT \(property)")
    }
    for (code, axis) in description.axes {
      try check(
        tu_set_axis(
          descriptor, code, axis.minimum, axis.maximum, axis.fuzz, axis.flat, axis.resolution),
        "UI_ABS_SETUP \(code)")
    }
    try check(
      tu_create(
        descriptor, description.name, description.bus, description.vendor, description.product,
        description.version),
      "UI_DEV_CREATE")
    var name = [CChar](repeating: 0, count: 64)
    try check(tu_system_name(descriptor, &name, name.count), "UI_GET_SYSNAME")
    return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Puts these fingers, by slot, on the panel and lifts all others: one frame.
  public func touch(_ fingers: [Int32: RawPoint]) throws(UInputError) {
    try write(state.frame(fingers))
  }

  /// Lifts all fingers: one frame.
  public func lift() throws(UInputError) { try touch([:]) }

  /// Writes events as they are; for what no well-behaved driver sends.
  public func write(_ events: [EvdevEvent]) throws(UInputError) {
    let written = events.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    guard written == events.count * MemoryLayout<EvdevEvent>.stride else {
      throw UInputError(step: "writing \(events.count) events", number: errno)
    }
  }

  /// Takes the device away, fingers or not; does nothing the second time.
  public func unplug() {
    guard descriptor >= 0 else { return }
    _ = tu_destroy(descriptor)
    close(descriptor)
    descriptor = -1
  }
}

// Where this module sits: *device* -> frames -> routing -> socket -> app.
// The one door to libevdev and libudev.

import CLibevdev
import CLinuxShims
import Glibc
import LinuxIO
import TouchModel

/// A failure to open or describe one input device; the other devices are unaffected.
public enum DeviceError: Error, Equatable, Sendable {
  /// The node may not be read.
  case notPermitted(node: String)
  /// The node is gone, or was never there.
  case gone(node: String)
  /// The node is no evdev node, or the kernel would not describe it.
  case notDescribed(node: String, Errno)
  /// The node's clock cannot be set to `CLOCK_MONOTONIC`.
  case noMonotonicClock(node: String, Errno)
}

extension DeviceError: CustomStringConvertible {
  /// What failed and what to do next.
  public var description: String {
    switch self {
    case .notPermitted(let node):
      "cannot open \(node): permission denied. Run as a member of the group that owns the node, "
        + "or install the rule in udev-rules and replug the device."
    case .gone(let node):
      "cannot open \(node): there is no such device. `touchctl devices` lists those there are."
    case .notDescribed(let node, let errno):
      "cannot describe \(node): \(errno). Is it an input node, /dev/input/eventN?"
    case .noMonotonicClock(let node, let errno):
      "cannot set the clock of \(node): \(errno). The kernel is too old for touchbridged."
    }
  }
}

/// An open evdev node, in `CLOCK_MONOTONIC`.
///
/// - Ownership: closes the node when it goes.
public final class EvdevDevice: DeviceSource {
  /// The most slots that are asked for: the request is of fixed size, as libevdev's own.
  public static let maximumSlots = 256

  /// The node's path.
  public let node: String
  /// What the device said of itself when it was opened.
  public let description: DeviceDescription
  private let file: OwnedDescriptor

  /// Opens a node for reading, without waiting, and asks the device what it is.
  public init(node: String) throws(DeviceError) {
    self.node = node
    file = try Self.open(node)
    description = try Self.describe(file.raw, node: node)
    guard tb_set_event_clock(file.raw, CLOCK_MONOTONIC) == 0 else {
      throw .noMonotonicClock(node: node, .current)
    }
  }

  private static func open(_ node: String) throws(DeviceError) -> OwnedDescriptor {
    do throws(SystemError) {
      return try openFile(node, flags: O_RDONLY | O_NONBLOCK)
    } catch {
      switch error.errno.rawValue {
      case EACCES, EPERM: throw .notPermitted(node: node)
      case ENOENT, ENODEV, ENXIO: throw .gone(node: node)
      default: throw .notDescribed(node: node, error.errno)
      }
    }
  }

  /// The open node, to wait for.
  public var descriptor: Int32 { file.raw }

  /// Reads a batch of events; a read cut short by a signal is tried again.
  public func read(into events: UnsafeMutableBufferPointer<EvdevEvent>) -> DeviceRead {
    let size = MemoryLayout<EvdevEvent>.stride
    while true {
      let count = Glibc.read(file.raw, events.baseAddress, events.count * size)
      if count >= size { return .events(count / size) }
      if count >= 0 { return .gone }
      switch errno {
      case EINTR: continue
      case EAGAIN: return .nothing
      case ENODEV: return .gone
      default: return .failed(errno)
      }
    }
  }

  /// Asks the kernel for an axis of every slot, `EVIOCGMTSLOTS`.
  public func slotValues(
    _ axis: UInt16, into values: UnsafeMutableBufferPointer<Int32>
  ) -> Bool {
    guard description.axes[axis] != nil else { return false }
    var all = [Int32](repeating: 0, count: Self.maximumSlots)
    guard tb_slot_values(file.raw, UInt32(axis), &all, all.count) == 0 else { return false }
    for slot in 0..<min(values.count, all.count) { values[slot] = all[slot] }
    return true
  }

  /// Asks the kernel for an axis, `EVIOCGABS`.
  public func axisValue(_ axis: UInt16) -> Int32? {
    var value: Int32 = 0
    return tb_axis_value(file.raw, axis, &value) == 0 ? value : nil
  }

  /// Grabs the device or lets it go, `EVIOCGRAB`.
  public func setGrabbed(_ isGrabbed: Bool) -> DeviceGrab {
    if tb_grab(file.raw, isGrabbed ? 1 : 0) == 0 { return .done }
    return errno == EBUSY ? .heldByOther : .failed(errno)
  }

  /// Asks the kernel which keys are pressed, `EVIOCGKEY`.
  public func keyIsDown(_ key: UInt16) -> Bool? {
    guard description.sends(EvdevCode.key, key) else { return nil }
    let state = tb_key_state(file.raw, key)
    return state < 0 ? nil : state == 1
  }

  /// Asks libevdev for all that a device says of itself.
  private static func describe(
    _ descriptor: Int32, node: String
  ) throws(DeviceError) -> DeviceDescription {
    var device: OpaquePointer?
    let result = libevdev_new_from_fd(descriptor, &device)
    guard result == 0, let device else { throw .notDescribed(node: node, Errno(-result)) }
    defer { libevdev_free(device) }
    var description = DeviceDescription(
      name: libevdev_get_name(device).map { String(cString: $0) } ?? "",
      bus: UInt16(truncatingIfNeeded: libevdev_get_id_bustype(device)),
      vendor: UInt16(truncatingIfNeeded: libevdev_get_id_vendor(device)),
      product: UInt16(truncatingIfNeeded: libevdev_get_id_product(device)),
      version: UInt16(truncatingIfNeeded: libevdev_get_id_version(device)))
    if let location = libevdev_get_phys(device) {
      description.physicalLocation = String(cString: location)
    }
    for property in 0..<UInt32(INPUT_PROP_CNT)
    where libevdev_has_property(device, property) == 1 {
      description.properties.insert(UInt16(property))
    }
    for type in 0..<UInt32(EV_CNT) where libevdev_has_event_type(device, type) == 1 {
      let last = libevdev_event_type_get_max(type)
      guard last >= 0 else { continue }
      var codes: Set<UInt16> = []
      for code in 0...UInt32(last) where libevdev_has_event_code(device, type, code) == 1 {
        codes.insert(UInt16(code))
      }
      description.codes[UInt16(type)] = codes
    }
    for code in description.codes[EvdevCode.abs] ?? [] {
      guard let axis = libevdev_get_abs_info(device, UInt32(code)) else { continue }
      description.axes[code] = AxisRange(
        minimum: axis.pointee.minimum, maximum: axis.pointee.maximum, fuzz: axis.pointee.fuzz,
        flat: axis.pointee.flat, resolution: axis.pointee.resolution)
    }
    return description
  }
}

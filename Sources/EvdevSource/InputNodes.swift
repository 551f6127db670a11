import CLibudev
import LinuxIO

/// An evdev node as udev knows it.
public struct InputNode: Equatable, Sendable {
  /// The device file, `/dev/input/eventN`.
  public var node: String
  /// The path below `/sys`; stays the same over a device's life.
  public var sysPath: String
  /// udev's properties of it, such as `ID_INPUT_TOUCHSCREEN`.
  public var properties: [String: String]

  /// Creates a node; for tests.
  public init(node: String, sysPath: String, properties: [String: String]) {
    self.node = node
    self.sysPath = sysPath
    self.properties = properties
  }

  /// Where it is plugged in; the stable name of a panel. Empty if udev does not say.
  public var physicalPath: String { properties["ID_PATH"] ?? "" }
  /// The serial number that the device reports of itself; empty if udev knows none.
  public var serial: String { properties["ID_SERIAL_SHORT"] ?? "" }
  /// The seat; `seat0` if udev does not say.
  public var seat: String { properties["ID_SEAT"] ?? "seat0" }

  /// Whether a program made it through uinput, and no hardware stands behind it.
  public var isVirtual: Bool { sysPath.hasPrefix("/sys/devices/virtual/input/") }

  /// Tells whether udev marks it with a property of value 1.
  public func isMarked(_ property: String) -> Bool { properties[property] == "1" }
}

/// A change of the input nodes, or of the outputs that panels lie on.
public enum InputNodeChange: Equatable, Sendable {
  /// A node came, or came back.
  case added(InputNode)
  /// A node went.
  case removed(InputNode)
  /// An output of the graphics came, went or was plugged in elsewhere; which is for who looks.
  case outputs
}

/// Knows which input nodes there are, and hears when that, or the outputs, change.
public final class InputNodeWatcher {
  private let udev: OpaquePointer
  private let monitor: OpaquePointer

  /// Starts to listen for changes; nodes that are there already come from `nodes`.
  ///
  /// - Errors: `SystemError`; `EACCES` or `EAFNOSUPPORT` where netlink is closed off.
  public init() throws(SystemError) {
    guard let udev = udev_new() else { throw SystemError("talk to udev") }
    guard let monitor = udev_monitor_new_from_netlink(udev, "udev") else {
      udev_unref(udev)
      throw SystemError("listen for udev's events")
    }
    self.udev = udev
    self.monitor = monitor
    udev_monitor_filter_add_match_subsystem_devtype(monitor, "input", nil)
    // A kernel without graphics sends none of these.
    udev_monitor_filter_add_match_subsystem_devtype(monitor, "drm", nil)
    guard udev_monitor_enable_receiving(monitor) >= 0 else {
      throw SystemError("listen for udev's events")
    }
  }

  deinit {
    udev_monitor_unref(monitor)
    udev_unref(udev)
  }

  /// The descriptor to wait for; readable when `next` has something.
  public var descriptor: Int32 { udev_monitor_get_fd(monitor) }

  /// The next change; nil if there is none.
  public func next() -> InputNodeChange? {
    while let device = udev_monitor_receive_device(monitor) {
      defer { udev_device_unref(device) }
      if let subsystem = udev_device_get_subsystem(device), String(cString: subsystem) == "drm" {
        return .outputs
      }
      guard let node = Self.node(device), let action = udev_device_get_action(device) else {
        continue
      }
      switch String(cString: action) {
      case "add", "change": return .added(node)
      case "remove": return .removed(node)
      default: continue
      }
    }
    return nil
  }

  /// The nodes that are there, in the order of their paths.
  public func nodes() -> [InputNode] {
    guard let enumeration = udev_enumerate_new(udev) else { return [] }
    defer { udev_enumerate_unref(enumeration) }
    udev_enumerate_add_match_subsystem(enumeration, "input")
    udev_enumerate_add_match_sysname(enumeration, "event*")
    udev_enumerate_scan_devices(enumeration)
    var nodes: [InputNode] = []
    var entry = udev_enumerate_get_list_entry(enumeration)
    while let current = entry {
      entry = udev_list_entry_get_next(current)
      guard let path = udev_list_entry_get_name(current),
        let device = udev_device_new_from_syspath(udev, path)
      else { continue }
      defer { udev_device_unref(device) }
      if let node = Self.node(device) { nodes.append(node) }
    }
    return nodes.sorted {
      // event10 comes after event9.
      ($0.node.utf8.count, $0.node) < ($1.node.utf8.count, $1.node)
    }
  }

  /// A node as udev knows it now; nil if it is gone.
  public func node(sysPath: String) -> InputNode? {
    guard let device = udev_device_new_from_syspath(udev, sysPath) else { return nil }
    defer { udev_device_unref(device) }
    return Self.node(device)
  }

  private static func node(_ device: OpaquePointer) -> InputNode? {
    guard let name = udev_device_get_sysname(device), String(cString: name).hasPrefix("event"),
      let node = udev_device_get_devnode(device), let path = udev_device_get_syspath(device)
    else { return nil }
    var properties: [String: String] = [:]
    var entry = udev_device_get_properties_list_entry(device)
    while let current = entry {
      entry = udev_list_entry_get_next(current)
      guard let key = udev_list_entry_get_name(current) else { continue }
      let value = udev_list_entry_get_value(current)
      properties[String(cString: key)] = value.map { String(cString: $0) } ?? ""
    }
    return InputNode(
      node: String(cString: node), sysPath: String(cString: path), properties: properties)
  }
}

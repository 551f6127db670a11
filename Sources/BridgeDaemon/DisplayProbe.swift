import LinuxIO
import TouchModel

/// A connected output of the kernel's, in its preferred mode.
public struct Output: Equatable, Sendable {
  /// The connector, `HDMI-A-1` for one; with the card before it where two cards have the same.
  public var name: String
  /// The mode's width, in pixels.
  public var width: Double
  /// The mode's height, in pixels.
  public var height: Double
}

/// Finds the outputs that the kernel shows.
public enum DisplayProbe {
  /// Where the kernel shows them.
  public static let outputs = "/sys/class/drm"

  /// The connected outputs, in the order of their names; those without a mode are left out.
  public static func connected(sysfs: String = outputs) -> [Output] {
    // No such folder, or none that may be read, means no display we could know of.
    let names = (try? directoryNames(sysfs)) ?? []
    var found: [Output] = []
    for name in names {
      guard let dash = name.firstIndex(of: "-"),
        firstLine("\(sysfs)/\(name)/status") == "connected",
        let mode = firstLine("\(sysfs)/\(name)/modes"), let display = Display(size: mode)
      else { continue }
      let connector = String(name[name.index(after: dash)...])
      let isTaken = found.contains { $0.name == connector }
      found.append(
        Output(
          name: isTaken ? name : connector, width: display.width, height: display.height))
    }
    return found
  }

  /// Where the kernel shows an output, connected or not; nil if it does not.
  static func folder(of output: String, sysfs: String) -> String? {
    let names = (try? directoryNames(sysfs)) ?? []
    let found = names.first { name in
      name == output || name.split(separator: "-", maxSplits: 1).last.map(String.init) == output
    }
    return found.map { "\(sysfs)/\($0)" }
  }

  private static func firstLine(_ path: String) -> String? {
    // An output may vanish between the two reads; then it is not connected.
    guard let bytes = try? readFile(path, limit: 1 << 16) else { return nil }
    return bytes.split(separator: 0x0a).first.map { String(decoding: $0, as: UTF8.self) }
  }
}

extension Display {
  /// The display 'default' of a size such as `1280x800`, or of a DRM mode such as `1920x1080i`.
  ///
  /// - Returns: nil if the text is no size, or one beyond 65,536 points.
  public init?(size text: String) {
    let parts = text.split(separator: "x", maxSplits: 1)
    guard parts.count == 2, let width = Int(parts[0]),
      let height = Int(parts[1].prefix { $0.isNumber }), width > 0, height > 0,
      width <= 65_536, height <= 65_536
    else { return nil }
    self.init(id: 0, name: "default", width: Double(width), height: Double(height))
  }
}

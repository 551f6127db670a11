import LinuxIO
import TouchModel

/// Finds the display of a system that has no configuration.
enum DisplayProbe {
  /// The first connected DRM output in its preferred mode; else 1280 by 800 points.
  static func display(sysfs: String = "/sys/class/drm") -> Display {
    // No such folder, or none that may be read, means no display we could know of.
    let outputs = (try? directoryNames(sysfs)) ?? []
    for output in outputs where output.contains("-") {
      guard firstLine("\(sysfs)/\(output)/status") == "connected",
        let mode = firstLine("\(sysfs)/\(output)/modes"), let display = Display(size: mode)
      else { continue }
      return display
    }
    return .fallback
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

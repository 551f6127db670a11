import Glibc

/// The time of day, for what people read.
public enum CalendarTime {
  /// The present, such as `2026-03-01 09:30:00 UTC`.
  public static var now: String {
    var (seconds, parts) = (time(nil), tm())
    gmtime_r(&seconds, &parts)
    func digits(_ value: Int32) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let day = "\(Int(parts.tm_year) + 1900)-\(digits(parts.tm_mon + 1))-\(digits(parts.tm_mday))"
    let hour = [parts.tm_hour, parts.tm_min, parts.tm_sec].map(digits).joined(separator: ":")
    return "\(day) \(hour) UTC"
  }
}

/// Who runs the program: the one that sudo says, else the user's name or number.
public func userName() -> String {
  let name: String
  if getuid() == 0, let sudo = environment("SUDO_USER"), !sudo.isEmpty {
    name = sudo
  } else if let entry = getpwuid(getuid()), let text = entry.pointee.pw_name {
    name = String(cString: text)
  } else {
    name = "user \(getuid())"
  }
  // It may come to stand in a file, where a line's end would begin another.
  return String(
    name.unicodeScalars.filter { $0.value >= 0x20 && $0 != "\u{7f}" }.prefix(64).map(Character.init)
  )
}

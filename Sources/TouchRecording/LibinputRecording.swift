/// Knows the files of `libinput record`; reading them is not built yet.
enum LibinputRecording {
  /// The number of the line that gives such a file away; nil for other files.
  ///
  /// Its first line that is neither empty nor a comment is `version:` or, in excerpts, `ndevices:`
  /// or `libinput:`; a `# libinput record` comment stands before it.
  static func firstLine(of bytes: [UInt8]) -> Int? {
    var start = 0
    var line = 0
    while start < bytes.count {
      line += 1
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      let text = bytes[start..<end]
      if starts.contains(where: { text.starts(with: $0.utf8) }) { return line }
      let isSkipped = text.allSatisfy(LineFields.isSpace) || text.first == UInt8(ascii: "#")
      if !isSkipped, !text.elementsEqual(separator.utf8) { return nil }
      start = end + 1
    }
    return nil
  }

  private static let starts = ["# libinput record", "version:", "ndevices:", "libinput:"]
  // YAML's mark of a new document.
  private static let separator = "---"
}

/// Knows the files of `libinput record`; reading them is not built yet.
enum LibinputRecording {
  /// The number of the line that gives such a file away; nil for other files.
  ///
  /// Its first line that is neither empty nor a comment is `version:` or, in excerpts, `ndevices:`
  /// or `libinput:`; a `# libinput record` comment stands before it.
  static func firstLine(of bytes: [UInt8]) -> Int? {
    var line = 0
    for text in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      line += 1
      if starts.contains(where: { text.starts(with: $0.utf8) }) { return line }
      let isSkipped = text.allSatisfy(LineFields.isSpace) || text.first == UInt8(ascii: "#")
      if !isSkipped && text != separator { return nil }
    }
    return nil
  }

  private static let starts = ["# libinput record", "version:", "ndevices:", "libinput:"]
  // YAML's mark of a new document.
  private static let separator = ArraySlice("---".utf8)
}

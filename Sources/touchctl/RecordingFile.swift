import Glibc
import LinuxIO
import TouchRecording

/// A recording on disk, or on standard input.
enum RecordingFile {
  /// Reads a file, `-` for standard input; nil, with the reason on standard error, if that fails.
  static func read(_ path: String) -> Recording? {
    do {
      // A panel of ten fingers at 1000 Hz fills this in some twenty minutes, as evemu text.
      let limit = 1 << 30
      let bytes =
        path == "-"
        ? try readAll(STDIN_FILENO, named: "standard input", limit: limit)
        : try readFile(path, limit: limit)
      return try Recording(parsing: bytes)
    } catch let error as SystemError {
      Console.fail("\(error). Check the path and that you may read the file.")
      return nil
    } catch {
      Console.fail("\(path): \(error)")
      return nil
    }
  }
}

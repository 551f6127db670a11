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
      let pieces =
        path == "-"
        ? PieceReader(descriptor: STDIN_FILENO, named: "standard input", limit: limit)
        : try PieceReader(file: path, limit: limit)
      return try Recording { try pieces.next() }
    } catch let error as SystemError {
      Console.fail("\(error). Check the path and that you may read the file.")
      return nil
    } catch {
      Console.fail("\(path): \(error)")
      return nil
    }
  }
}

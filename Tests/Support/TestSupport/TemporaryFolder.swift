import Glibc
import LinuxIO

/// A folder of a test's own, which goes with it.
///
/// - Ownership: removes the folder, and what lies in it, when it goes.
public final class TemporaryFolder {
  /// Where it is.
  public let path: String

  /// Makes a folder below `TMPDIR`, or `/tmp`.
  public init() throws(SystemError) {
    path = try makeTemporaryDirectory()
  }

  deinit { Self.remove(path) }

  /// Writes a file in the folder, with the folders above it.
  public func write(_ text: String, to name: String) throws(SystemError) {
    var folder = path
    for part in name.split(separator: "/").dropLast() {
      folder += "/\(part)"
      try makeDirectory(folder, mode: 0o700)
    }
    let flags = O_WRONLY | O_CREAT | O_TRUNC
    let file = try openFile("\(path)/\(name)", flags: flags, mode: 0o600)
    guard writeAll(text.utf8, to: file.raw) else { throw SystemError("write \(name)") }
  }

  private static func remove(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      unlink(path)
      return
    }
    // What cannot be listed cannot be removed either; it is left to the system's own cleaning.
    for name in (try? directoryNames(path)) ?? [] { remove("\(path)/\(name)") }
    rmdir(path)
  }
}

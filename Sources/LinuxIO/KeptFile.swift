import Glibc

/// A file that is only ever replaced as a whole, with the version before kept beside it.
///
/// Whoever reads it, or finds it after a crash or a loss of power, sees the old version or the new one,
/// never a part. The one before has the same name with `.previous` behind it.
public struct KeptFile {
  /// Where it is.
  public let path: String
  /// Where the version before is kept.
  public var previousPath: String { path + ".previous" }

  /// What `restore` did.
  public enum Restored: Sendable, Equatable {
    /// Both versions have changed places.
    case exchanged
    /// There was none before, so the file is gone; it is kept as the version before.
    case removed
    /// The file was gone, and is back.
    case returned
  }

  // Far more than a file of settings has.
  private static let limit = 1 << 20

  /// Creates a name for a file; nothing is read or written yet.
  public init(_ path: String) { self.path = path }

  /// The bytes of the present version; nil if there is none.
  ///
  /// - Errors: `SystemError` for a file that is there and cannot be read.
  public func present() throws(SystemError) -> [UInt8]? { try Self.read(path) }

  /// The bytes of the version before; nil if none is kept.
  ///
  /// - Errors: as `present`.
  public func previous() throws(SystemError) -> [UInt8]? { try Self.read(previousPath) }

  private static func read(_ path: String) throws(SystemError) -> [UInt8]? {
    do throws(SystemError) {
      return try readRegularFile(path, limit: limit)
    } catch {
      if error.errno == Errno(ENOENT) { return nil }
      throw error
    }
  }

  /// Puts bytes in the file's place, readable for all, and keeps what was there. Bytes that are there
  /// already change nothing.
  ///
  /// - Errors: `SystemError`; the present version is then untouched.
  public func write(_ bytes: [UInt8]) throws(SystemError) {
    let old = try present()
    guard old != bytes else { return }
    let new = "\(path).new"
    try Self.create(new, bytes)
    if let old {
      try Self.create("\(previousPath).new", old)
      try Self.move("\(previousPath).new", to: previousPath)
    }
    try Self.move(new, to: path)
    try synchroniseFolder()
  }

  /// Takes the version before back; what is there now becomes the version before, so that a second
  /// time undoes the first.
  ///
  /// - Returns: nil if there is neither version.
  /// - Errors: as `write`.
  public func restore() throws(SystemError) -> Restored? {
    let (now, before) = (try present(), try previous())
    switch (now != nil, before) {
    case (true, .some(let bytes)):
      try write(bytes)
      return .exchanged
    case (true, nil):
      try Self.move(path, to: previousPath)
      try synchroniseFolder()
      return .removed
    case (false, .some):
      try Self.move(previousPath, to: path)
      try synchroniseFolder()
      return .returned
    case (false, nil): return nil
    }
  }

  /// Both versions, to be put back after a change that turned out wrong.
  public struct Versions: Sendable, Equatable {
    fileprivate var present: [UInt8]?
    fileprivate var previous: [UInt8]?
  }

  /// Reads both versions.
  ///
  /// - Errors: as `present`.
  public func versions() throws(SystemError) -> Versions {
    Versions(present: try present(), previous: try previous())
  }

  /// Puts both versions back as they were.
  ///
  /// - Errors: `SystemError`; the present version is whole in any case.
  public func reset(to versions: Versions) throws(SystemError) {
    for (path, bytes) in [(path, versions.present), (previousPath, versions.previous)] {
      if let bytes {
        try Self.create("\(path).new", bytes)
        try Self.move("\(path).new", to: path)
      } else if unlink(path) != 0, errno != ENOENT {
        throw SystemError("remove \(path)")
      }
    }
    try synchroniseFolder()
  }

  /// Finds out whether `write` may write; nothing stays behind.
  ///
  /// - Errors: `SystemError` if it may not.
  public func checkWritable() throws(SystemError) {
    try Self.create("\(path).new", [])
    unlink("\(path).new")
  }

  private static func create(_ path: String, _ bytes: [UInt8]) throws(SystemError) {
    // What an interrupted run left; a link that somebody put there is not followed.
    unlink(path)
    let file = try openFile(path, flags: O_WRONLY | O_CREAT | O_EXCL, mode: 0o644)
    fchmod(file.raw, 0o644)
    guard writeAll(bytes, to: file.raw), fsync(file.raw) == 0 else {
      let failure = SystemError("write \(path)")
      unlink(path)
      throw failure
    }
  }

  private static func move(_ old: String, to new: String) throws(SystemError) {
    guard rename(old, new) == 0 else { throw SystemError("rename \(old) to \(new)") }
  }

  /// Makes the names last as well.
  private func synchroniseFolder() throws(SystemError) {
    let end = path.lastIndex(of: "/")
    let folder = end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let directory = try openFile(folder, flags: O_RDONLY | O_DIRECTORY)
    guard fsync(directory.raw) == 0 else { throw SystemError("synchronise \(folder)") }
  }
}

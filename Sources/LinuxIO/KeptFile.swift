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
    /// Nothing: both versions are the same, as after a `write` that was killed; no older one is kept.
    case same
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
  /// A kill leaves the version before, or the new one; what is kept beside it is then the one before it,
  /// or the same.
  ///
  /// - Errors: `SystemError`; both versions are then as they were.
  public func write(_ bytes: [UInt8]) throws(SystemError) {
    try change { now in
      guard now.present != bytes else { return [] }
      return writing(bytes, over: now)
    }
    removeStale()
  }

  /// The steps of `write`.
  func writing(_ bytes: [UInt8], over now: Versions) -> [FileStep] {
    let wish = Versions(present: bytes, previous: now.present ?? now.previous)
    // The other way round a kill in between would leave one that is older than the one before.
    return steps([
      (previousPath, now.previous, wish.previous), (path, now.present, wish.present),
    ])
  }

  /// Takes the version before back; what is there now becomes the version before, so that a second
  /// time undoes the first. A kill leaves all as it was, or as it is to be.
  ///
  /// - Returns: nil if there is neither version.
  /// - Errors: as `write`.
  public func restore() throws(SystemError) -> Restored? {
    var restored: Restored?
    try change { now in
      switch (now.present, now.previous) {
      case (.some(let bytes), .some(let older)):
        restored = bytes == older ? .same : .exchanged
        if bytes == older { return [] }
        return [.exchange(previousPath, path), .synchronise(folder)]
      case (.some, nil):
        restored = .removed
        return [.move(path, to: previousPath), .synchronise(folder)]
      case (nil, .some):
        restored = .returned
        return [.move(previousPath, to: path), .synchronise(folder)]
      case (nil, nil):
        restored = nil
        return []
      }
    }
    return restored
  }

  /// Both versions, to be put back after a change that turned out wrong.
  public struct Versions: Sendable, Equatable {
    var present: [UInt8]?
    var previous: [UInt8]?
  }

  /// Reads both versions.
  ///
  /// - Errors: as `present`.
  public func versions() throws(SystemError) -> Versions {
    Versions(present: try present(), previous: try previous())
  }

  /// Puts both versions back as they were.
  ///
  /// - Errors: as `write`.
  public func reset(to versions: Versions) throws(SystemError) {
    try change { now in
      steps([
        (path, now.present, versions.present), (previousPath, now.previous, versions.previous),
      ])
    }
  }

  /// Finds out whether `write` may write so many bytes, by writing as many; nothing stays behind.
  ///
  /// - Errors: `SystemError` if it may not, or if there is no room.
  public func checkWritable(byteCount: Int) throws(SystemError) {
    let now = try versions()
    var steps: [FileStep] = []
    // What is there is kept, and needs room of its own.
    for count in [byteCount, now.present?.count].compactMap({ $0 }) {
      let new = temporaryName()
      steps += [
        .create(new, Array(repeating: UInt8(ascii: "\n"), count: count), for: path),
        .synchronise(new),
      ]
    }
    steps.append(.synchronise(folder))
    try FileStep.take(steps)
    for step in steps { step.undo() }
  }

  // MARK: Steps

  // Only as many as there are others who write the same file at the same moment.
  private static let mostAttempts = 100

  /// Takes the steps that lead from what is there; others if somebody else has changed it meanwhile.
  func change(_ steps: (Versions) -> [FileStep]) throws(SystemError) {
    var attempts = 0
    while true {
      let now = try versions()
      do throws(SystemError) {
        return try FileStep.take(steps(now))
      } catch {
        attempts += 1
        guard attempts < Self.mostAttempts, try versions() != now else { throw error }
      }
    }
  }

  /// What leads from old to new bytes of files, which change in this order.
  private func steps(_ changes: [(path: String, old: [UInt8]?, new: [UInt8]?)]) -> [FileStep] {
    var (first, renames, last): ([FileStep], [FileStep], [FileStep]) = ([], [], [])
    for (path, old, new) in changes where old != new {
      let other = temporaryName()
      if let new { first += [.create(other, new, for: path), .synchronise(other)] }
      switch (old, new) {
      case (nil, _): renames.append(.move(other, to: path))
      case (_, nil): renames.append(.move(path, to: other))
      default: renames.append(.exchange(other, path))
      }
      if old != nil { last.append(.remove(other)) }
    }
    return renames.isEmpty ? [] : first + renames + [.synchronise(folder)] + last
  }

  private static let temporary = ".new-"

  /// A name that no other process has, and that nobody takes for a file of settings.
  private func temporaryName() -> String {
    path + Self.temporary + String(UInt64.random(in: 0...UInt64.max), radix: 16)
  }

  // Longer than anybody writes.
  private static let stale = 3_600

  /// Removes what runs that were killed have left, if it can be removed.
  private func removeStale() {
    guard let names = try? directoryNames(folder) else { return }  // Nothing depends on it.
    let prefix = path.split(separator: "/").last.map(String.init) ?? path
    for name in names where name.hasPrefix(prefix + Self.temporary) {
      let left = "\(folder)/\(name)"
      var status = stat()
      guard lstat(left, &status) == 0, time(nil) - status.st_mtim.tv_sec > Self.stale else {
        continue
      }
      unlink(left)
    }
  }

  /// Where the file lies.
  private var folder: String {
    guard let end = path.lastIndex(of: "/") else { return "." }
    return end == path.startIndex ? "/" : String(path[..<end])
  }
}

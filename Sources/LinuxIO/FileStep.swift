import CLinuxShims
import Glibc

/// One thing that is done to a folder while a file is replaced; whatever comes before a kill is whole.
enum FileStep: Equatable {
  /// Makes a file that is not there yet, readable for all; an error names the file it is to become.
  case create(String, [UInt8], for: String)
  /// Makes a file's bytes, or a folder's names, last.
  case synchronise(String)
  /// Lets two files change places at once.
  case exchange(String, String)
  /// Gives a file a name that nothing has.
  case move(String, to: String)
  /// Removes a file that is needed no more; one that stays does no harm.
  case remove(String)

  func take() throws(SystemError) {
    switch self {
    case .create(let path, let bytes, let name): try Self.makeFile(path, bytes, for: name)
    case .synchronise(let path):
      let file = try openFile(path, flags: O_RDONLY)
      guard fsync(file.raw) == 0 else { throw SystemError("synchronise \(path)") }
    case .exchange(let first, let second):
      if tb_rename(first, second, Int32(TB_RENAME_EXCHANGE)) == 0 { return }
      guard Self.isUnknown(errno) else { throw SystemError("exchange \(first) and \(second)") }
      try Self.exchangeByLink(first, second)
    case .move(let old, let new):
      if tb_rename(old, new, Int32(TB_RENAME_NOREPLACE)) == 0 { return }
      guard Self.isUnknown(errno), rename(old, new) == 0 else {
        throw SystemError("rename \(old) to \(new)")
      }
    case .remove(let path): unlink(path)
    }
  }

  /// Makes what `take` did undone, as far as it can be.
  func undo() {
    switch self {
    case .create(let path, _, _): unlink(path)
    case .exchange(let first, let second):
      _ = try? FileStep.exchange(first, second).take()  // The error that is told is the first one.
    case .move(let old, let new):
      _ = try? FileStep.move(new, to: old).take()  // As above.
    case .synchronise, .remove: break
    }
  }

  /// Takes steps in turn; where one fails, those before it are undone.
  ///
  /// - Errors: what the step said.
  static func take(_ steps: [FileStep]) throws(SystemError) {
    for (index, step) in steps.enumerated() {
      do throws(SystemError) {
        try step.take()
      } catch {
        for done in steps[..<index].reversed() { done.undo() }
        throw error
      }
    }
  }

  /// Whether a file system does not know a flag of `renameat2`.
  private static func isUnknown(_ error: Int32) -> Bool { error == EINVAL || error == ENOSYS }

  /// Lets files change places where the file system cannot: the second is there at each moment, the first
  /// is missing for one.
  static func exchangeByLink(_ first: String, _ second: String) throws(SystemError) {
    let third = "\(first).link"
    guard link(second, third) == 0 else { throw SystemError("exchange \(first) and \(second)") }
    guard rename(first, second) == 0 else {
      let failure = SystemError("exchange \(first) and \(second)")
      unlink(third)
      throw failure
    }
    guard rename(third, first) == 0 else { throw SystemError("rename \(third) to \(first)") }
  }

  private static func makeFile(
    _ path: String, _ bytes: [UInt8], for name: String
  ) throws(SystemError) {
    let raw = tb_open(path, O_WRONLY | O_CREAT | O_EXCL, 0o644)
    guard raw >= 0 else { throw SystemError("write \(name)") }
    let file = OwnedDescriptor(owning: raw)
    fchmod(file.raw, 0o644)
    guard writeAll(bytes, to: file.raw) else {
      let failure = SystemError("write \(name)")
      unlink(path)
      throw failure
    }
  }
}

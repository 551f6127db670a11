// Where this module sits: below the daemon and the client library, beside the pure stages.
// All system calls but those of libevdev and libudev are made here.

import CLinuxShims
import Glibc

/// The `errno` of a failed system call, as a value.
public struct Errno: Error, Equatable, Sendable, CustomStringConvertible {
  /// The number, as in `errno.h`.
  public var rawValue: Int32

  /// Wraps a number.
  public init(_ rawValue: Int32) { self.rawValue = rawValue }

  /// The calling thread's `errno` at this moment.
  public static var current: Errno { Errno(errno) }

  /// The symbol, such as `EACCES`.
  public var name: String {
    guard let name = tb_errno_name(rawValue) else { return "error \(rawValue)" }
    return String(cString: name)
  }

  /// The C library's words and the symbol.
  public var description: String { "\(String(cString: strerror(rawValue))) (\(name))" }
}

/// A system call that failed, what on, and why.
public struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What was attempted, in words that follow "cannot".
  public var attempt: String
  /// Why it failed.
  public var errno: Errno

  /// Describes a failure.
  public init(_ attempt: String, _ errno: Errno = .current) {
    self.attempt = attempt
    self.errno = errno
  }

  /// One line: cannot do what, and why.
  public var description: String { "cannot \(attempt): \(errno)" }
}

/// Calls again while the call is interrupted by a signal; a negative result is a failure.
@inline(__always)
func retryingInterrupts<Result: SignedInteger>(_ call: () -> Result) -> Result {
  while true {
    let result = call()
    if result < 0, errno == EINTR { continue }
    return result
  }
}

import Glibc

/// A point in time after which a wait gives up.
///
/// It ends a test that would hang, and says nothing about speed; so it is generous.
public struct Deadline: Sendable {
  private let end: ContinuousClock.Instant

  /// A deadline so long after now.
  public init(_ distance: Duration = .seconds(30)) { end = .now + distance }

  /// What is left, for `poll(2)`; 0 once the time is over.
  public var milliseconds: Int32 {
    let (seconds, attoseconds) = (end - .now).components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    // Rounded up: a poll of 0 ms just before the end would spin.
    return Int32(seconds * 1000 + attoseconds / 1_000_000_000_000_000) + 1
  }

  /// Waits until a descriptor has something to read or is closed; false once the time is over.
  public func awaitInput(_ descriptor: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while ContinuousClock.now < end {
      let ready = poll(&entry, 1, milliseconds)
      if ready > 0 { return true }
      // A signal ends poll early; the deadline stands.
      if ready < 0 && errno != EINTR { return false }
    }
    return false
  }
}

/// What a wait that came to its deadline was waiting for.
public struct TimedOut: Error, CustomStringConvertible {
  /// The sentence.
  public let description: String

  /// Names what was waited for.
  public init(_ awaited: String) { description = "waited in vain for \(awaited)" }
}

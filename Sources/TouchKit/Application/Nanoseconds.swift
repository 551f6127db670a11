// Times that an app sets become the clock's nanoseconds here, and nowhere else: any number has a
// meaning, and the largest one stands for a time that never comes.

extension Duration {
  /// The duration in nanoseconds; a negative one counts as none, one too long as the longest.
  var wholeNanoseconds: UInt64 {
    let parts = components
    guard parts.seconds >= 0, parts.attoseconds >= 0 else { return 0 }
    let (whole, isOver) = UInt64(parts.seconds).multipliedReportingOverflow(by: 1_000_000_000)
    return isOver ? .max : later(than: whole, by: UInt64(parts.attoseconds / 1_000_000_000))
  }

  var inSeconds: Double { Double(wholeNanoseconds) / 1e9 }
}

/// Seconds in nanoseconds; below 0 and what is no number count as none, too many as the most.
func wholeNanoseconds(inSeconds seconds: Double) -> UInt64 {
  guard seconds > 0 else { return 0 }
  return UInt64(exactly: (seconds * 1e9).rounded()) ?? .max
}

/// A time after another; the last that there is, if it lies beyond.
func later(than time: UInt64, by nanoseconds: UInt64) -> UInt64 {
  let (sum, isOver) = time.addingReportingOverflow(nanoseconds)
  return isOver ? .max : sum
}

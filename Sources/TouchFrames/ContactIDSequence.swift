/// Numbers contacts: 1, 2, 3 and so on, over all panels that share the sequence.
///
/// One sequence serves a whole daemon, so an id names one contact for as long as the daemon runs.
/// At a million contacts a second it would last for half a million years.
public final class ContactIDSequence {
  private var last: UInt64 = 0

  /// Creates a sequence that begins with 1.
  public init() {}

  /// Takes the next number.
  func next() -> UInt64 {
    last &+= 1
    return last
  }
}

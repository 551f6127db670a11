/// A closure with an identity, which a control runs as it does a target's method.
@MainActor
public final class UIAction {
  /// What tells actions apart; adding one replaces that of the same identifier.
  public struct Identifier: RawRepresentable, Hashable, Sendable {
    /// The text that makes it.
    public let rawValue: String
    /// Creates an identifier from its text.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Creates an identifier from its text.
    public init(_ rawValue: String) { self.rawValue = rawValue }
  }

  /// What people read.
  public let title: String
  /// What runs the action at present: the control.
  public internal(set) var sender: AnyObject?

  private let givenIdentifier: Identifier?
  let handler: @MainActor (UIAction) -> Void

  /// Creates an action; without an identifier it is equal to none but itself.
  public init(
    title: String = "", identifier: Identifier? = nil,
    handler: @escaping @MainActor (UIAction) -> Void
  ) {
    self.title = title
    givenIdentifier = identifier
    self.handler = handler
  }

  /// What tells it apart.
  public var identifier: Identifier {
    givenIdentifier ?? Identifier("dynamic.\(UInt(bitPattern: ObjectIdentifier(self).hashValue))")
  }

  func run(from sender: AnyObject?) {
    let outer = self.sender
    self.sender = sender
    handler(self)
    self.sender = outer
  }
}

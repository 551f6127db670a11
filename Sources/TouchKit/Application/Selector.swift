/// A named method of a class, as target and action need it: comparable and without an object.
///
/// Linux has no Objective-C runtime, hence no `#selector`. A method reference serves where an
/// action is only added; a named selector is for what is removed or compared later:
///
///     extension Selector where Target == Panel { static var save: Self { .init("save", Panel.save) } }
///     button.addTarget(self, action: .save, for: .touchUpInside)
public struct Selector<Target: AnyObject>: Sendable {
  /// The selector without its type.
  public let erased: AnySelector

  /// Names a method without arguments.
  public init(
    _ name: String, _ method: @escaping @MainActor @Sendable (Target) -> @MainActor () -> Void
  ) {
    erased = AnySelector(name, on: Target.self) { target, _, _ in
      method(target)()
      return true
    }
  }

  /// Names a method that takes the sender; a sender of another class than it takes is refused.
  public init<Sender: AnyObject>(
    _ name: String, _ method: @escaping @MainActor @Sendable (Target) -> @MainActor (Sender) -> Void
  ) {
    erased = AnySelector(name, on: Target.self) { target, sender, _ in
      guard let sender = sender as? Sender else { return false }
      method(target)(sender)
      return true
    }
  }

  /// Names a method that takes the sender and the event; the event is nil if code sent the action.
  public init<Sender: AnyObject>(
    _ name: String,
    _ method: @escaping @MainActor @Sendable (Target) -> @MainActor (Sender, UIEvent?) -> Void
  ) {
    erased = AnySelector(name, on: Target.self) { target, sender, event in
      guard let sender = sender as? Sender else { return false }
      method(target)(sender, event)
      return true
    }
  }
}

/// A selector of any class; two are equal if class and name are.
public struct AnySelector: Sendable, Hashable {
  /// The name it was given, or the place of the method reference in the source.
  public let name: String

  private let targetType: ObjectIdentifier
  private let accepts: @Sendable (AnyObject) -> Bool
  private let call: @MainActor @Sendable (AnyObject, AnyObject?, UIEvent?) -> Bool

  init<Target: AnyObject>(
    _ name: String, on type: Target.Type,
    call: @escaping @MainActor @Sendable (Target, AnyObject?, UIEvent?) -> Bool
  ) {
    self.name = name
    targetType = ObjectIdentifier(type)
    accepts = { $0 is Target }
    self.call = { target, sender, event in
      guard let target = target as? Target else { return false }
      return call(target, sender, event)
    }
  }

  /// Tells whether the object has the method.
  ///
  /// By class, not by name as in UIKit: any object of the class that the selector names has it.
  public func isImplemented(by object: AnyObject) -> Bool { accepts(object) }

  /// Calls the method.
  ///
  /// - Returns: false, and nothing is called, if the object lacks the method or the method takes
  ///   another class of sender.
  @MainActor
  func send(to target: AnyObject, from sender: AnyObject?, for event: UIEvent?) -> Bool {
    call(target, sender, event)
  }

  /// Compares class and name.
  public static func == (left: AnySelector, right: AnySelector) -> Bool {
    left.targetType == right.targetType && left.name == right.name
  }

  /// Feeds class and name.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(targetType)
    hasher.combine(name)
  }
}

/// A target that is not kept alive, and can be told from no target after it has died.
struct ActionTarget {
  private(set) weak var object: AnyObject?
  private let identity: ObjectIdentifier?

  init(_ object: AnyObject?) {
    self.object = object
    identity = object.map { ObjectIdentifier($0) }
  }

  /// Whether there never was a target: the action looks for one in the responder chain.
  var isNone: Bool { identity == nil }
  /// Whether there was a target that is gone.
  var isDead: Bool { identity != nil && object == nil }

  /// Tells whether both name the same live object, or both none.
  func isSame(as other: AnyObject?) -> Bool {
    guard let other else { return isNone }
    return object === other
  }
}

/// The source position that tells method references apart, which are not comparable themselves.
func callSite(_ file: String, _ line: Int, _ column: Int) -> String { "\(file):\(line):\(column)" }

/// Counts of what was refused: the input's breaches of the stream laws, and the app's own mistakes.
///
/// Nothing of it stops the application; a count above zero is worth a look.
public struct TouchDiagnostics: Sendable, Equatable {
  /// Contacts of a frame that broke a law of touch streams, and were ignored.
  public var unlawfulContacts = 0
  /// Settings of a recogniser's state that the state table does not know, and were ignored.
  public var illegalTransitions = 0
  /// Failure requirements that would have closed a circle, and were dropped.
  public var droppedRequirements = 0
  /// Actions whose method takes another class of sender, and were not sent.
  public var refusedActions = 0
  /// Controllers that could not be presented, or be added as children, and were not.
  public var refusedControllers = 0
  /// The first breach of the input in words; debug builds only.
  public var firstFault: String?

  /// Creates counts of zero.
  public init() {}
}

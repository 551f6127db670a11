// Where this module sits: beside TouchKit, for apps that use Foundation as well.

public import Foundation
public import TouchKit

extension RunLoop {
  /// Lets Foundation's main run loop do the work of TouchKit's, which then is not to be run.
  ///
  /// Touches, gestures and timers are served in the loop's default mode and its common ones.
  ///
  /// - Returns: what does it; keep it for as long as touches are wanted.
  @MainActor
  public static func hostTouchKit() -> DispatchHost { DispatchHost() }
}

/// A display, as far as an app has to know it.
@MainActor
public final class UIScreen {
  /// The display that the app's windows lie on.
  public static let main = UIScreen()

  /// The whole display; the origin is its left top corner.
  ///
  /// - Units: points. Known from the daemon; before it has answered, 1280 by 800. It changes when the
  ///   display is turned: width and height change places.
  public internal(set) var bounds = CGRect(x: 0, y: 0, width: 1280, height: 800)

  /// Pixels a point.
  public internal(set) var scale: CGFloat = 1

  private init() {}
}

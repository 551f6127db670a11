/// A recogniser's action as one line of JSON, the form of `touchctl recognize`.
///
/// Create it in the action; it holds what was true at that moment.
@MainActor
public struct GestureLine: CustomStringConvertible {
  /// The line, without its end.
  public let description: String

  /// Describes the action that is being sent.
  ///
  /// - Parameters:
  ///   - recognizer: the recogniser whose action is being sent.
  ///   - name: what the line calls the gesture; nil for the recogniser's own name.
  ///   - view: in whose coordinates places and distances are; nil for the window's.
  ///   - timeNanoseconds: when it happened, the application's `eventTimeNanoseconds` for one.
  public init(
    _ recognizer: UIGestureRecognizer, named name: String? = nil, in view: UIView? = nil,
    at timeNanoseconds: UInt64
  ) {
    let place = recognizer.location(in: view)
    var line = "{\"time_us\":\(timeNanoseconds / 1_000),\"gesture\":"
    line += Self.quoted(name ?? recognizer.name ?? "") + ",\"state\":\"\(recognizer.state.word)\""
    line += ",\"x\":\(Self.rounded(place.x)),\"y\":\(Self.rounded(place.y))"
    line += ",\"touches\":\(recognizer.numberOfTouches)"
    line += Self.details(recognizer, in: view)
    description = line + "}"
  }

  private static func details(_ recognizer: UIGestureRecognizer, in view: UIView?) -> String {
    switch recognizer {
    case let pan as UIPanGestureRecognizer:
      let translation = pan.translation(in: view)
      let velocity = pan.velocity(in: view)
      return ",\"tx\":\(rounded(translation.x)),\"ty\":\(rounded(translation.y))"
        + ",\"vx\":\(rounded(velocity.x)),\"vy\":\(rounded(velocity.y))"
    case let pinch as UIPinchGestureRecognizer:
      return ",\"scale\":\(rounded(pinch.scale)),\"velocity\":\(rounded(pinch.velocity))"
    case let rotation as UIRotationGestureRecognizer:
      return ",\"rotation\":\(rounded(rotation.rotation))"
        + ",\"velocity\":\(rounded(rotation.velocity))"
    default: return ""
    }
  }

  /// A number with three decimals at most; JSON has no word for what is not finite.
  private static func rounded(_ value: CGFloat) -> String {
    guard value.isFinite else { return "null" }
    let result = (value * 1_000).rounded() / 1_000
    return result == 0 ? "0.0" : "\(result)"
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}

extension UIGestureRecognizer.State {
  /// The state's name.
  public var word: String {
    switch self {
    case .possible: "possible"
    case .began: "began"
    case .changed: "changed"
    case .ended: "ended"
    case .cancelled: "cancelled"
    case .failed: "failed"
    }
  }
}

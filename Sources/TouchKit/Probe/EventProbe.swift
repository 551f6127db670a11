private import Glibc
import LinuxIO

/// Writes down the way of each touch: the hit test, the entry into the app, and the responders.
///
///     [hitTest] Root point=(60.0, 60.0)
///     [pointInside] Root point=(60.0, 60.0) inside=true
///     [hitTest] Root -> Overlap
///     [sendEvent] phase=began eventWindow=UIWindow activeKeyWindow=UIWindow
///     [touchesBegan] Overlap next=Root
///
/// Points are in the coordinates of the view that is asked. An excluded view is not asked and has
/// no line. Each responder that a touch comes to has a line, also one that only passes it on; the
/// last line of a phase is who kept it. Positions are somebody's PIN on a keypad: leave the probe
/// out of what you ship.
@MainActor
public final class EventProbe {
  /// What the lines call a responder; by default its class, with the tag of a view that has one.
  public var name: @MainActor (UIResponder) -> String

  private let write: @MainActor (String) -> Void

  /// Creates a probe.
  ///
  /// - Parameter write: takes each line, without its end; by default standard error does.
  public init(write: (@MainActor (String) -> Void)? = nil) {
    self.write = write ?? { writeAll(($0 + "\n").utf8, to: STDERR_FILENO) }
    name = { responder in
      let type = "\(type(of: responder))"
      guard let view = responder as? UIView, view.tag != 0 else { return type }
      return "\(type)#\(view.tag)"
    }
  }

  // MARK: What the runtime tells it

  func hitTest(_ view: UIView, _ point: CGPoint, ask: () -> UIView?) -> UIView? {
    write("[hitTest] \(name(view)) point=\(Self.text(point))")
    let hit = ask()
    write("[hitTest] \(name(view)) -> \(named(hit))")
    return hit
  }

  func pointInside(_ view: UIView, _ point: CGPoint, ask: () -> Bool) -> Bool {
    let isInside = ask()
    write("[pointInside] \(name(view)) point=\(Self.text(point)) inside=\(isInside)")
    return isInside
  }

  func sending(_ event: UIEvent, from application: UIApplication) {
    for touch in event.touches where touch.phase != .stationary {
      write(
        "[sendEvent] phase=\(touch.phase) eventWindow=\(named(touch.window)) "
          + "activeKeyWindow=\(named(application.keyWindow))")
    }
  }

  func touches(_ touches: Set<UITouch>, _ phase: UITouch.Phase, _ responder: UIResponder) {
    let method =
      switch phase {
      case .began: "touchesBegan"
      case .moved: "touchesMoved"
      case .ended: "touchesEnded"
      case .cancelled, .stationary: "touchesCancelled"
      }
    let count = touches.count == 1 ? "" : " touches=\(touches.count)"
    write("[\(method)] \(name(responder))\(count) next=\(named(responder.next))")
  }

  private func named(_ responder: UIResponder?) -> String { responder.map(name) ?? "nil" }

  private static func text(_ point: CGPoint) -> String {
    func rounded(_ value: CGFloat) -> String {
      value.isFinite ? "\((value * 100).rounded() / 100)" : "\(value)"
    }
    return "(\(rounded(point.x)), \(rounded(point.y)))"
  }
}

extension UIApplication {
  /// Who writes down the way of each touch; nil, and without cost, unless set.
  ///
  /// `TOUCHKIT_PROBE=1` in the environment of a program that starts by `@main` sets one.
  public final var probe: EventProbe? {
    get { event.probe }
    set { event.probe = newValue }
  }
}

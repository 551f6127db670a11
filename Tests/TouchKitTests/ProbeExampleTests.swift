import Testing
import TouchKit
import TouchTestSupport

@testable import TouchProbe

/// The experiments of the probe's page: what each switch does to the hit test, line by line.
@MainActor @Suite struct `Touch probe example` {
  private final class Collector {
    var lines: [String] = []
  }

  private let collector = Collector()
  private let application = UIApplication()
  private let window: UIWindow
  private let controller = ProbeController()

  init() {
    let frame = CGRect(x: 0, y: 0, width: 1280, height: 800)
    window = UIWindow(frame: frame, application: application)
    window.rootViewController = controller
    window.makeKeyAndVisible()
    let collector = collector
    application.probe = .named { collector.lines.append($0) }
  }

  /// Taps a switch, and forgets what that tap did.
  private func flip(_ choice: Switch) {
    touch.tap(at: controller.buttons[choice.rawValue - 1].center).play(into: window)
    collector.lines = []
  }

  /// Where a finger lands, in Root's coordinates: in Middle, Inner and Overlap; in Inner alone.
  private static let shared = at(350, 215)
  private static let outside = at(500, 180)

  /// The lines of a landing, without those of what lies around Root.
  private func land(_ place: CGPoint) -> [String] {
    collector.lines = []
    let point = controller.root.convert(place, to: nil)
    touch.down(at: point).play(into: window)
    let around = ["UIWindow", "Screen", "UIButton", "ProbeController", "UIApplication"]
    let lines = collector.lines.filter { line in
      !around.contains { line.split(separator: " ").dropFirst().first == $0[...] }
    }
    touch.wait(.zero).play(into: window)
    application.cancelAllTouches()
    return lines
  }

  @Test func `HT-5, HT-8, HT-32: the overlap is asked first, with its own point, and ends it`() {
    #expect(
      land(Self.shared) == [
        "[hitTest] Root point=(350.0, 215.0)",
        "[pointInside] Root point=(350.0, 215.0) inside=true",
        "[hitTest] Overlap point=(100.0, 15.0)",
        "[pointInside] Overlap point=(100.0, 15.0) inside=true",
        "[hitTest] Overlap -> Overlap",
        "[hitTest] Root -> Overlap",
        "[sendEvent] phase=began eventWindow=UIWindow activeKeyWindow=UIWindow",
        "[touchesBegan] Overlap next=Root",
        "[touchesBegan] Root next=Screen",
      ])
  }

  @Test(arguments: [Switch.hidden, .alpha, .interaction])
  func `HT-2, HT-33: a switch that excludes the overlap takes its lines away`(_ choice: Switch) {
    flip(choice)
    #expect(
      land(Self.shared) == [
        "[hitTest] Root point=(350.0, 215.0)",
        "[pointInside] Root point=(350.0, 215.0) inside=true",
        "[hitTest] Middle point=(250.0, 115.0)",
        "[pointInside] Middle point=(250.0, 115.0) inside=true",
        "[hitTest] Inner point=(50.0, 65.0)",
        "[pointInside] Inner point=(50.0, 65.0) inside=true",
        "[hitTest] Inner -> Inner",
        "[hitTest] Middle -> Inner",
        "[hitTest] Root -> Inner",
        "[sendEvent] phase=began eventWindow=UIWindow activeKeyWindow=UIWindow",
        "[touchesBegan] Inner next=Middle",
        "[touchesBegan] Middle next=Root",
        "[touchesBegan] Root next=Screen",
      ])
    flip(choice)
    #expect(land(Self.shared).last == "[touchesBegan] Root next=Screen")
    #expect(
      land(Self.shared).dropFirst(6).first
        == "[sendEvent] phase=began eventWindow=UIWindow activeKeyWindow=UIWindow")
  }

  @Test(arguments: [false, true])
  func `HT-10: what reaches out of its parent is not hit there, clipped or not`(_ clips: Bool) {
    if clips { flip(.clips) }
    #expect(controller.middle.clipsToBounds == clips)
    #expect(
      land(Self.outside) == [
        "[hitTest] Root point=(500.0, 180.0)",
        "[pointInside] Root point=(500.0, 180.0) inside=true",
        "[hitTest] Overlap point=(250.0, -20.0)",
        "[pointInside] Overlap point=(250.0, -20.0) inside=false",
        "[hitTest] Overlap -> nil",
        "[hitTest] Middle point=(400.0, 80.0)",
        "[pointInside] Middle point=(400.0, 80.0) inside=false",
        "[hitTest] Middle -> nil",
        "[hitTest] Root -> Root",
        "[sendEvent] phase=began eventWindow=UIWindow activeKeyWindow=UIWindow",
        "[touchesBegan] Root next=Screen",
      ])
  }

  @Test func `RC-17: the touch climbs from the hit view to the application`() {
    collector.lines = []
    touch.down(at: controller.inner.convert(at(10, 10), to: nil)).play(into: window)
    #expect(
      collector.lines.filter { $0.hasPrefix("[touchesBegan]") } == [
        "[touchesBegan] Inner next=Middle", "[touchesBegan] Middle next=Root",
        "[touchesBegan] Root next=Screen", "[touchesBegan] Screen next=ProbeController",
        "[touchesBegan] ProbeController next=UIWindow",
        "[touchesBegan] UIWindow next=UIApplication", "[touchesBegan] UIApplication next=nil",
      ])
  }
}

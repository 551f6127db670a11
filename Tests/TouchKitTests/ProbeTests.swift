import Testing
import TouchKit
import TouchTestSupport

private final class Collector {
  var lines: [String] = []
}

@MainActor @Suite struct `The event probe` {
  private func probed(_ stage: Stage) -> Collector {
    let collector = Collector()
    let probe = EventProbe { collector.lines.append($0) }
    probe.name = { ($0 as? LogView)?.name ?? "\(type(of: $0))" }
    stage.application.probe = probe
    return collector
  }

  @Test func `writes down hit test, entry and responders, in the order in which they come`() {
    let stage = Stage()
    let root = stage.view("Root", 10, 20, 200, 200)
    let front = stage.view("Front", 50, 50, 100, 100, in: root)
    front.forwards = true
    let collector = probed(stage)
    stage.play(touch.down(at: at(70, 90)).move(to: at(71, 90.126)).up())
    #expect(
      collector.lines == [
        "[hitTest] UIWindow point=(70.0, 90.0)",
        "[pointInside] UIWindow point=(70.0, 90.0) inside=true",
        "[hitTest] Root point=(60.0, 70.0)",
        "[pointInside] Root point=(60.0, 70.0) inside=true",
        "[hitTest] Front point=(10.0, 20.0)",
        "[pointInside] Front point=(10.0, 20.0) inside=true",
        "[hitTest] Front -> Front",
        "[hitTest] Root -> Front",
        "[hitTest] UIWindow -> Front",
        "[sendEvent] phase=began eventWindow=UIWindow activeKeyWindow=UIWindow",
        "[touchesBegan] Front next=Root",
        "[touchesBegan] Root next=UIWindow",
        "[sendEvent] phase=moved eventWindow=UIWindow activeKeyWindow=UIWindow",
        "[touchesMoved] Front next=Root",
        "[touchesMoved] Root next=UIWindow",
        "[sendEvent] phase=ended eventWindow=UIWindow activeKeyWindow=UIWindow",
        "[touchesEnded] Front next=Root",
        "[touchesEnded] Root next=UIWindow",
      ])
  }

  @Test func `tells the event's window from the key window, and counts touches`() {
    final class Panel: UIWindow {}
    let stage = Stage()
    let panel = Panel(frame: stage.window.frame, application: stage.application)
    panel.isHidden = false
    let view = LogView("V", stage.log, panel.bounds)
    view.isMultipleTouchEnabled = true
    panel.addSubview(view)
    let collector = probed(stage)
    stage.play(touch.down((1, at: at(1, 1)), (2, at: at(2, 2))).cancel(1, 2))
    let lines = collector.lines.filter { !$0.hasPrefix("[hitTest]") && !$0.hasPrefix("[point") }
    let entry = "eventWindow=Panel activeKeyWindow=UIWindow"
    #expect(
      lines == [
        "[sendEvent] phase=began \(entry)", "[sendEvent] phase=began \(entry)",
        "[touchesBegan] V touches=2 next=Panel",
        "[sendEvent] phase=cancelled \(entry)", "[sendEvent] phase=cancelled \(entry)",
        "[touchesCancelled] V touches=2 next=Panel",
      ])
  }

  @Test func `has no line for what is not asked, and none at all when it is off`() {
    let stage = Stage()
    stage.view("Hidden", 0, 0, 100, 100).isHidden = true
    let collector = probed(stage)
    stage.play(touch.down(at: at(5, 5)))
    #expect(!collector.lines.isEmpty && !collector.lines.contains { $0.contains("Hidden") })
    #expect(collector.lines.last == "[touchesBegan] UIApplication next=nil")
    collector.lines = []
    _ = stage.window.hitTest(at(5, 5), with: nil)
    stage.application.probe = nil
    stage.play(touch.tap(at: at(5, 5)))
    #expect(collector.lines == [])
  }

  @Test func `names views by class and tag unless told otherwise`() {
    let view = UIView()
    let probe = EventProbe { _ in }
    #expect(probe.name(view) == "UIView")
    view.tag = 7
    #expect(probe.name(view) == "UIView#7")
    #expect(probe.name(UIViewController()) == "UIViewController")
  }
}

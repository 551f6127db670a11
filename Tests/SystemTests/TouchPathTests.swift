import Testing
import TouchModel
import UInputPanel

extension SystemTests {
  /// From the panel through the kernel, the daemon and the socket into an app's views.
  @Suite struct `The way of a touch` {
    @Test func `a panel plugged in after the start is picked up`() throws {
      try Service.start()
      let app = try PanelApp()
      let panel = try UInputPanel(.tenFingerPanel())
      defer { panel.unplug() }
      #expect(try app.reach(from: panel) == [])
    }

    @Test func `a finger's way reaches the view at the right points`() throws {
      let (app, panel) = try appInFront()
      defer { panel.unplug() }
      try panel.touch(points: [0: (160, 120)])
      #expect(try app.touch() == .touch("began", 160, 120))
      try panel.touch(points: [0: (240, 160)])
      #expect(try app.touch() == .touch("moved", 240, 160))
      try panel.lift()
      #expect(try app.touch() == .touch("ended", 240, 160))
    }

    @Test func `a tap is recognised where the finger was`() throws {
      let (app, panel) = try appInFront()
      defer { panel.unplug() }
      try panel.tap(x: 640, y: 400)
      while true {
        let line = try app.line()
        guard line.gesture == "tap" else { continue }
        #expect(line.state == "ended" && line.x == 640 && line.y == 400)
        return
      }
    }

    @Test func `pulling the panel cancels both fingers, and nothing follows`() throws {
      let (app, panel) = try appInFront()
      defer { panel.unplug() }
      try panel.touch(points: [0: (540, 400), 1: (740, 400)])
      #expect(try [app.touch(), app.touch()].allSatisfy { $0.touch == "began" })
      panel.unplug()
      let ends = try [app.touch(), app.touch()]
      #expect(ends.allSatisfy { $0.touch == "cancelled" })
      #expect(Set(ends.map(\.x)) == [540, 740])
      let next = try UInputPanel(.tenFingerPanel())
      defer { next.unplug() }
      #expect(try app.reach(from: next) == [], "nothing but the new panel's taps")
    }

    @Test func `an app killed with a finger down leaves the next one undisturbed`() throws {
      let (app, panel) = try appInFront()
      defer { panel.unplug() }
      try panel.touch(points: [0: (640, 400)])
      #expect(try app.touch() == .touch("began", 640, 400))
      app.kill()
      let second = try PanelApp()
      try panel.touch(points: [0: (660, 400)])
      try panel.lift()
      #expect(try second.reach(from: panel) == [], "the finger was the first app's")
      #expect(try Service.property("NRestarts") == "0")
    }

    @Test func `a restart cancels, and a finger that stays down is left alone`() throws {
      let (app, panel) = try appInFront()
      defer { panel.unplug() }
      try panel.touch(points: [0: (640, 400)])
      #expect(try app.touch() == .touch("began", 640, 400))
      try Service.restart()
      #expect(try app.touch() == .touch("cancelled", 640, 400))
      try panel.touch(points: [0: (660, 400)])
      try panel.lift()
      #expect(try app.reach(from: panel) == [], "what was down at the start is nobody's")
    }

    /// The service, an app that has its place, and a panel that the daemon reads.
    private func appInFront() throws -> (PanelApp, UInputPanel) {
      try Service.start()
      let app = try PanelApp()
      let panel = try UInputPanel(.tenFingerPanel())
      try app.reach(from: panel)
      return (app, panel)
    }
  }
}

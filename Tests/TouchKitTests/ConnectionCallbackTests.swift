import Testing
import TouchKit
import TouchModel
import TouchTestSupport

extension `One main loop` {
  /// What an app may do when its connection tells it of a change; the test is the loop.
  @MainActor @Suite struct `An app's connection that tells the app of a change` {
    private let loop = MainLoop.main
    private let daemon: FakeDaemon
    private let application = UIApplication()
    private let connection: ApplicationConnection
    private let view: LogView
    private let window: UIWindow

    init() throws {
      loop.servesMainQueue = false
      daemon = try FakeDaemon()
      connection = try ApplicationConnection(application, name: "app", path: daemon.path)
      window = UIWindow(
        frame: CGRect(x: 0, y: 0, width: 1280, height: 800), application: application)
      view = LogView("V", Log(), window.bounds)
      view.isMultipleTouchEnabled = true
      window.addSubview(view)
      window.isHidden = false
    }

    private func serve() { daemon.serve { loop.dispatchPending() } }

    private func play(_ script: TouchScript) {
      daemon.play(script)
      serve()
    }

    @Test func `PL-19, PL-20: a loss whose callback runs the loop until the daemon is back`() throws
    {
      serve()
      play(touch.down(at: at(10, 10)))
      connection.stateChanged = { [daemon, loop, view, connection] isOpen, _ in
        view.log.add(isOpen ? "open" : "lost")
        guard !isOpen else { return }
        try? daemon.comeBack()
        let pump = loop.addTimer(at: 0, every: 1_000_000) { _ in daemon.answer() }
        loop.run(until: { connection.isOpen })
        loop.remove(pump)
        daemon.serve { loop.dispatchPending() }
        daemon.play(touch.tap(2, at: at(20, 20)))
        daemon.serve { loop.dispatchPending() }
        view.log.add("returns")
      }
      daemon.goAway()
      loop.dispatchPending()
      loop.dispatchPending()
      #expect(
        view.log.take() == [
          "V.began{1}", "lost", "V.cancelled{1}", "open", "V.began{1}", "V.ended{1}", "returns",
        ])
      #expect(daemon.unacknowledgedFrames == 0)
      connection.invalidate()
    }

    @Test func `PL-19: a new screen whose callback runs the loop`() {
      serve()
      connection.screenChanged = { [daemon, loop, view, window] in
        view.log.add("screen of \(window.bounds.size.width)")
        daemon.play(touch.tap(at: at(10, 10)))
        daemon.serve { loop.dispatchPending() }
        view.log.add("returns")
      }
      daemon.change(displays: [Display(id: 0, name: "x", width: 800, height: 1280, scale: 1)])
      serve()
      #expect(
        view.log.take() == ["screen of 800.0", "V.began{1}", "V.ended{1}", "returns"])
      connection.invalidate()
    }

    @Test func `a callback may end the connection; nothing is told after that`() {
      serve()
      var told = 0
      connection.screenChanged = { [connection] in
        told += 1
        connection.invalidate()
      }
      connection.stateChanged = { _, _ in told += 10 }
      daemon.change(displays: [Display(id: 0, name: "x", width: 800, height: 1280, scale: 1)])
      serve()
      daemon.goAway()
      serve()
      #expect(told == 1)
      #expect(!connection.isOpen)
    }

    @Test func `one that has ended is the daemon's client no longer`() {
      serve()
      play(touch.down(at: at(10, 10)))
      connection.invalidate()
      #expect(view.log.take() == ["V.began{1}", "V.cancelled{1}"])
      serve()
      #expect(daemon.clientNames == [] && !connection.isOpen)
      play(touch.tap(2, at: at(10, 10)))
      #expect(view.log.take() == [])
      #expect(application.diagnostics == TouchDiagnostics())
    }

    @Test func `NC-2: after too many fingers on a connection that ended the next one starts anew`()
      throws
    {
      application.configuration.contactLimit = .phone
      serve()
      var script = touch.down(1, at: at(20, 20))
      for finger in 2...6 { script = script.down(finger, at: at(Double(finger) * 20, 20)) }
      play(script)
      _ = view.log.take()
      connection.invalidate()
      let next = try ApplicationConnection(application, name: "next", path: daemon.path)
      serve()
      play(touch.tap(9, at: at(20, 20)))
      #expect(view.log.take() == ["V.began{1}", "V.ended{1}"])
      next.invalidate()
    }

    @Test func `WN-15: a window let go wakes the host also after another connection has gone`()
      throws
    {
      var first: ApplicationConnection? = try ApplicationConnection(
        application, name: "first", path: daemon.path)
      let second = try ApplicationConnection(application, name: "second", path: daemon.path)
      connection.invalidate()
      first = nil
      #expect(first == nil)
      serve()
      var other: UIWindow? = UIWindow(frame: window.frame, application: application)
      let front = LogView("W", view.log, window.bounds)
      other?.addSubview(front)
      other?.isHidden = false
      play(touch.down(at: at(10, 10)))
      other = nil
      #expect(view.log.take() == ["W.began{1}"])
      loop.dispatchPending()
      #expect(view.log.take() == ["W.cancelled{1}"])
      second.invalidate()
    }

    @Test func `PL-20: what is queued in a hit test is acknowledged once it is handled`() {
      serve()
      let tester = TestingView(view.log, window.bounds)
      window.addSubview(tester)
      tester.onHitTest = { [daemon, loop] in
        daemon.play(touch.tap(2, at: at(5, 5)))
        daemon.serve { loop.dispatchPending() }
        return daemon.unacknowledgedFrames
      }
      play(touch.tap(at: at(10, 10)))
      #expect(tester.counts == [4])
      #expect(daemon.unacknowledgedFrames == 0)
      connection.invalidate()
    }
  }
}

/// A view that runs the loop the first time that it is tested.
private final class TestingView: UIView {
  var onHitTest: (() -> Int)?
  var counts: [Int] = []

  init(_ log: Log, _ frame: CGRect) { super.init(frame: frame) }

  override func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
    let body = onHitTest
    onHitTest = nil
    if let body { counts.append(body()) }
    return super.hitTest(point, with: event)
  }
}

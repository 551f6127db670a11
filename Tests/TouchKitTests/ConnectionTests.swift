import Testing
import TouchKit
import TouchModel
import TouchTestSupport

extension `One main loop` {
  /// An app and a fake daemon in one process; the test is the loop.
  @MainActor @Suite struct `An app's connection` {
    private let loop = MainLoop.main
    private let daemon: FakeDaemon
    private let application = UIApplication()
    private let connection: ApplicationConnection
    private let view: LogView
    private let window: UIWindow

    init() throws {
      // The main queue is the test runner's.
      loop.servesMainQueue = false
      daemon = try FakeDaemon()
      connection = try ApplicationConnection(application, name: "app", path: daemon.path)
      window = UIWindow(
        frame: CGRect(x: 0, y: 0, width: 1280, height: 800), application: application)
      view = LogView("V", Log(), window.bounds)
      window.addSubview(view)
      window.isHidden = false
    }

    private func serve() { daemon.serve { loop.dispatchPending() } }

    private func play(_ script: TouchScript) {
      daemon.play(script)
      serve()
    }

    private func finish() { connection.invalidate() }

    @Test func `hands touches to views and acknowledges them once they are handled`() {
      serve()
      #expect(connection.isOpen && daemon.clientNames == ["app"])
      play(touch.tap(at: at(10, 10)))
      #expect(view.log.take() == ["V.began{1}", "V.ended{1}"])
      #expect(daemon.unacknowledgedFrames == 0)
      finish()
    }

    @Test func `one that is let go cancels what is down and leaves nothing in the loop`() throws {
      finish()
      var second: ApplicationConnection? = try ApplicationConnection(
        application, name: "second", path: daemon.path)
      weak let gone = second
      serve()
      #expect(second?.isOpen == true)
      play(touch.down(at: at(10, 10)))
      #expect(view.log.take() == ["V.began{1}"])
      second = nil
      #expect(gone == nil)
      // Not within the assignment: a handler may read what is assigned to.
      #expect(view.log.take() == [])
      serve()
      #expect(view.log.take() == ["V.cancelled{1}"])
      // What it had in the loop would be called now.
      serve()
      #expect(view.log.take() == [])
    }

    @Test func `a handler may read the property whose connection is let go`() throws {
      finish()
      let holder = Holder()
      holder.connection = try ApplicationConnection(
        application, name: "held", path: daemon.path)
      serve()
      var isGone: [Bool] = []
      play(touch.down(at: at(10, 10)))
      view.onTouch = { [unowned holder] _ in isGone.append(holder.connection == nil) }
      holder.connection = nil
      serve()
      #expect(isGone == [true])
      #expect(view.log.take() == ["V.began{1}", "V.cancelled{1}"])
    }

    @MainActor private final class Holder {
      var connection: ApplicationConnection?
    }

    @Test func `WN-15: a window that the host lets go has its touches cancelled without a frame`() {
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
      finish()
    }

    @Test func `does not acknowledge moves that wait for the end of their interval`() {
      application.configuration.frameInterval = .seconds(1_000_000)
      serve()
      play(touch.down(at: at(10, 10)))
      #expect(daemon.unacknowledgedFrames == 0)
      play(touch.down(2, at: at(20, 20)).move(2, to: at(30, 20)))
      #expect(view.log.take() == ["V.began{1}"])
      #expect(daemon.unacknowledgedFrames == 2)
      finish()
      #expect(view.log.take() == ["V.cancelled{1}"])
    }

    @Test
    func `PL-19: acknowledges what an interval has delivered, though resampling keeps the rest`() {
      application.configuration.frameInterval = .nanoseconds(1)
      application.configuration.resamplesMoves = true
      serve()
      // The interval is over at once; but what was measured in the last 5 ms is for the next one.
      let step = Duration.nanoseconds(10)
      play(
        touch.down(at: at(10, 10)).move(to: at(20, 10), over: step).move(to: at(30, 10), over: step)
      )
      #expect(daemon.unacknowledgedFrames == 0)
      finish()
    }

    @Test
    func `WN-12: follows the daemon: covered, in front again, and as it was while it is gone`()
      throws
    {
      serve()
      play(touch.down(at: at(10, 10)))
      let other = UIApplication()
      let above = try ApplicationConnection(other, name: "above", path: daemon.path)
      serve()
      #expect(application.applicationState == .inactive && other.applicationState == .active)
      #expect(view.log.take() == ["V.began{1}", "V.cancelled{1}"])
      daemon.goAway()
      serve()
      #expect(application.applicationState == .inactive)
      #expect(!connection.isOpen)
      above.invalidate()
      finish()
    }

    @Test
    func `WN-12, PL-20: an app that is covered during a handler's run leaves the front in it`()
      throws
    {
      serve()
      let other = UIApplication()
      let log = view.log
      var above: ApplicationConnection?
      view.onBegan = { [application, daemon, loop] in
        above = try? ApplicationConnection(other, name: "above", path: daemon.path)
        daemon.serve { loop.dispatchPending() }
        log.add("\(application.applicationState) in the handler")
      }
      play(touch.down(at: at(10, 10)))
      #expect(above?.isOpen == true && application.applicationState == .inactive)
      #expect(log.take() == ["V.began{1}", "V.cancelled{1}", "inactive in the handler"])
      above?.invalidate()
      finish()
    }
  }
}

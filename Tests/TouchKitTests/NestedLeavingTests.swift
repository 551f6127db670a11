import Testing
import TouchKit
import TouchModel
import TouchTestSupport

@MainActor @Suite struct `The queue run by a handler outside of an event` {
  @Test func `PL-20, DV-14: a view that is removed runs the queue; its finger goes on elsewhere`() {
    let table = Table()
    let recognizer = table.add("A", to: table.windows[0])
    table.views[0].onPhase[.cancelled] = {
      table.frame(.down, 3)
      table.run()
    }
    table.frame(.down, 1)
    table.run()
    table.views[0].removeFromSuperview()
    table.frame(.motion, 1, by: 30)
    table.frame(.up, 1, 3)
    table.run()
    #expect(
      table.lines() == [
        "A.tBegan{1}", "V1.began 1", "V1.cancelled 1", "V3.began 3", "V1.cancelled returns",
        "A.tMoved{1}", "V3.ended 3", "A.tEnded{1}",
      ])
    #expect(recognizer.state == .possible && recognizer.numberOfTouches == 0)
  }

  @Test func `PL-20, DV-14: a view that is removed cancels all touches; each is cancelled once`() {
    let table = Table()
    _ = table.add("A", to: table.windows[0])
    table.views[0].onPhase[.cancelled] = { table.application.cancelAllTouches() }
    table.frame(.down, 1, 3)
    table.run()
    table.views[0].removeFromSuperview()
    table.frame(.up, 1, 3)
    table.run()
    #expect(
      table.lines() == [
        "V3.began 3", "A.tBegan{1}", "V1.began 1", "V1.cancelled 1", "V3.cancelled 3",
        "A.tCancelled{1}", "A.reset", "V1.cancelled returns",
      ])
  }

  @Test func `PL-20, WN-15: a window that is hidden runs the queue; its fingers are over`() {
    let table = Table()
    let recognizer = table.add("A", to: table.views[0])
    table.views[0].onPhase[.cancelled] = {
      table.frame(.up, 1)
      table.run()
    }
    table.frame(.down, 1)
    table.run()
    table.windows[0].isHidden = true
    #expect(
      table.log.take() == [
        "A.tBegan{1}", "V1.began 1", "V1.cancelled 1", "V1.cancelled returns",
      ])
    table.application.settle()
    #expect(table.lines() == ["A.reset"])
    #expect(recognizer.state == .possible && recognizer.numberOfTouches == 0)
  }

  @Test func `PL-20, WN-15: a finger that lands in a window that is shown again meanwhile stays`() {
    let table = Table()
    _ = table.add("A", to: table.views[0])
    table.views[0].onPhase[.cancelled] = {
      table.windows[0].isHidden = false
      table.frame(.down, 2)
      table.frame(.up, 1)
      table.run()
    }
    table.frame(.down, 1)
    table.run()
    table.windows[0].isHidden = true
    table.frame(.up, 2)
    table.run()
    #expect(
      table.lines() == [
        "A.tBegan{1}", "V1.began 1", "V1.cancelled 1", "V2.began 2", "V1.cancelled returns",
        "V2.ended 2", "A.reset",
      ])
  }

  @Test func `GD-7: a window that is hidden while a delegate is asked leaves nothing behind`() {
    let table = Table()
    let recognizer = table.add("A", to: table.views[0])
    let delegate = LogDelegate("A", table.log)
    delegate.logs = false
    delegate.receives = { _ in
      table.windows[0].isHidden = true
      return true
    }
    recognizer.delegate = delegate
    table.frame(.down, 1)
    table.frame(.up, 1)
    table.run()
    #expect(table.lines() == [])
    #expect(recognizer.numberOfTouches == 0)
  }

  private enum Loss: CaseIterable {
    case cancelAll, transition, ignore

    @MainActor
    func happen(to application: UIApplication) {
      switch self {
      case .cancelAll: application.cancelAllTouches()
      case .transition: application.transition(to: .inactive)
      case .ignore: application.beginIgnoringInteractionEvents()
      }
    }
  }

  @Test(arguments: Loss.allCases)
  private func `DV-14, DV-18, WN-15: a hidden window's views lose their fingers once each`(
    _ loss: Loss
  ) {
    let table = Table()
    let button = UIButton(frame: table.views[1].frame)
    table.windows[0].addSubview(button)
    table.views[0].onPhase[.cancelled] = { loss.happen(to: table.application) }
    table.frame(.down, 1, 2, 3)
    table.run()
    #expect(button.isTracking)
    table.windows[0].isHidden = true
    table.frame(.up, 1, 2, 3)
    table.run()
    #expect(!button.isTracking && !button.isHighlighted)
    #expect(
      table.lines() == [
        "V3.began 3", "V1.began 1", "V1.cancelled 1", "V3.cancelled 3", "V1.cancelled returns",
      ])
  }

  @Test(arguments: Loss.allCases)
  private func `DV-14, DV-18, WN-15: so do those of a window that is let go`(_ loss: Loss) {
    let table = Table()
    var window: UIWindow? = UIWindow(
      frame: CGRect(x: 0, y: 200, width: 200, height: 100), application: table.application)
    let first = NumberedView("A", table.log, CGRect(x: 0, y: 0, width: 100, height: 100))
    let second = NumberedView("B", table.log, CGRect(x: 100, y: 0, width: 100, height: 100))
    for view in [first, second] { window?.addSubview(view) }
    window?.isHidden = false
    first.onPhase[.cancelled] = { loss.happen(to: table.application) }
    let downs = [contact(1, .down, 10, 210), contact(2, .down, 110, 210)]
    table.application.enqueue(TouchFrame(timeNanoseconds: 1_000_000, contacts: downs))
    table.run()
    window = nil
    table.application.settle()
    table.frame(.up, 1, 2)
    table.run()
    #expect(
      table.lines() == [
        "A.began 1", "B.began 2", "A.cancelled 1", "A.cancelled returns", "B.cancelled 2",
      ])
  }

  @Test func `WN-3, PL-20: a window that its own hit test hides gets no finger`() {
    let table = Table()
    table.views[0].onHitTest = { table.windows[0].isHidden = true }
    table.views[2].onPhase[.began] = {
      table.frame(.down, 1)
      table.frame(.motion, 3, by: 30)
      table.run()
    }
    table.frame(.down, 3)
    table.run()
    table.frame(.up, 1, 3)
    table.run()
    #expect(
      table.lines() == ["V3.began 3", "V3.moved 3", "V3.began returns", "V3.ended 3"])
  }

  @Test func `PL-17: a frame that changes nothing is not sent, though a handler runs the queue`() {
    let table = Table()
    for (index, window) in table.windows.enumerated() {
      window.log = table.log
      window.name = "W\(index + 1)"
    }
    table.frame(.down, 1, 3)
    table.run()
    table.views[2].onPhase[.moved] = {
      table.frame(.still, 1, 3, by: 30)
      table.run()
    }
    table.frame(.motion, 1, 3, by: 30)
    table.run()
    #expect(
      table.lines() == [
        "W2.sendEvent", "V3.began 3", "W1.sendEvent", "V1.began 1",
        "W2.sendEvent", "V3.moved 3", "W1.sendEvent", "V1.moved 1", "V3.moved returns",
      ])
  }
}

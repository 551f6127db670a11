import Testing
import TouchKit
import TouchTestSupport

@testable import Panel

@MainActor @Suite struct `Panel example` {
  func run(_ script: TouchScript) -> (lines: [String], card: UIView) {
    let journal = Journal()
    journal.isPrinting = false
    let controller = PanelController(journal: journal)
    let frame = CGRect(x: 0, y: 0, width: 1280, height: 800)
    let application = UIApplication()
    let window = UIWindow(frame: frame, application: application)
    window.rootViewController = controller
    window.makeKeyAndVisible()
    script.wait(.seconds(1)).play(into: window)
    return (journal.lines, controller.card)
  }

  @Test func `its button and background tell what happens`() {
    #expect(run(touch.tap(at: at(600, 60))).lines == ["the button was pressed"])
    #expect(run(touch.tap(at: at(100, 600))).lines == ["tap ended at 100.0,600.0"])
    #expect(
      run(touch.tap(at: at(100, 600)).wait(.milliseconds(90)).tap(at: at(101, 600))).lines
        == ["doubleTap ended at 101.0,600.0"])
    #expect(
      run(touch.down(at: at(100, 600)).wait(.seconds(1)).up()).lines
        == ["longPress began at 100.0,600.0", "longPress ended at 100.0,600.0"])
  }

  @Test func `the card follows one finger, and two fingers change its size`() {
    let drag = run(
      touch.down(at: at(500, 300)).move(to: at(610, 300), over: .milliseconds(80)).up())
    #expect(drag.lines.last == "pan ended at 610.0,300.0")
    #expect(drag.card.center == at(740, 400))
    let pinch = run(
      touch.down((1, at: at(590, 400)), (2, at: at(690, 400)))
        .move((1, to: at(580, 400)), (2, to: at(700, 400)))
        .move((1, to: at(520, 400)), (2, to: at(760, 400))).up(1, 2))
    #expect(
      pinch.lines == [
        "pinch began at 640.0,400.0", "pinch changed at 640.0,400.0",
        "pinch ended at 640.0,400.0",
      ])
    #expect(pinch.card.transform == CGAffineTransform(scaleX: 2, y: 2))
  }
}

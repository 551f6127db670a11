import TestSupport
import Testing
import TouchKit
import TouchTestSupport

/// What docs/recipes.md promises, tried with the code that stands there.
@MainActor @Suite struct `Recipes` {
  private let stage = Stage()
  private var window: UIWindow { stage.window }

  private func add<View: UIView>(
    _ view: View, _ x: Double, _ y: Double, _ width: Double, _ height: Double,
    in parent: UIView? = nil
  ) -> View {
    view.frame = CGRect(x: x, y: y, width: width, height: height)
    (parent ?? window).addSubview(view)
    return view
  }

  private func button(_ tag: Int, _ x: Double, in parent: UIView) -> UIButton {
    let button = add(UIButton(), x, 0, 40, 40, in: parent)
    button.tag = tag
    button.addTarget(stage.log, action: Log.sent, for: .touchUpInside)
    return button
  }

  private func tap(_ x: Double, _ y: Double) -> [String] {
    stage.play(touch.tap(at: at(x, y)))
    return stage.log.take()
  }

  @Test func `the code of the page is the code that is tried here`() throws {
    let page = try Repository.text("docs/recipes.md")
    let code = try Repository.text("Tests/TouchKitTests/Recipes.swift")
    let blocks = page.matches(of: /```swift\n([^`]*)```/).map { String($0.1) }
    #expect(blocks.count == 8)
    var rest = code[...]
    for block in blocks {
      let place = rest.firstRange(of: block)
      #expect(place != nil, "not in Recipes.swift, or in another order:\n\(block)")
      if let place { rest = rest[place.upperBound...] }
    }
    let isAllThere = rest.allSatisfy { $0.isWhitespace }
    #expect(isAllThere, "in Recipes.swift alone:\n\(rest)")
  }

  @Test func `HT-10, HT-18: a child outside of its parent`() {
    let parent = add(OverflowView(), 50, 50, 100, 100)
    let child = button(1, 80, in: parent)
    let beside = stage.view("W", 0, 0, 300, 40)
    #expect(tap(160, 60) == [])
    #expect(tap(140, 60) == ["1!"])
    parent.overflowing = child
    #expect(tap(160, 60) == ["1!"] && tap(169, 89) == ["1!"])
    #expect(tap(171, 60) == [] && tap(160, 91) == [])
    child.isHidden = true
    #expect(tap(160, 60) == [])
    child.isHidden = false
    beside.frame.size.height = 100
    #expect(tap(160, 60) == ["W.began{1}", "W.ended{1}"])
    child.removeFromSuperview()
    window.addSubview(child)
    #expect(parent.hitTest(at(110, 10), with: nil) == nil)
  }

  @Test func `HT-18, HT-31: a larger touch area`() {
    let row = add(UIView(), 0, 0, 200, 60)
    let left = add(RoomyButton(), 20, 20, 20, 20, in: row)
    let right = add(RoomyButton(), 50, 20, 20, 20, in: row)
    for (tag, button) in [left, right].enumerated() {
      button.tag = tag + 1
      button.addTarget(stage.log, action: Log.sent, for: .touchUpInside)
    }
    #expect(tap(10, 10) == ["1!"] && tap(9, 10) == [])
    #expect(tap(42, 30) == ["2!"] && tap(39, 30) == ["1!"])
    #expect(tap(79, 49) == ["2!"] && tap(80, 49) == [])
    left.touchMargin = 0
    #expect(tap(19, 30) == [] && tap(20, 30) == ["1!"])
    row.frame = CGRect(x: 0, y: 25, width: 200, height: 60)
    right.touchMargin = 30
    #expect(tap(60, 24) == [] && tap(60, 26) == ["2!"])
  }

  @Test func `HT-2: an overlay that lets everything pass`() {
    let below = button(1, 0, in: window)
    let overlay = add(UIView(), 0, 0, 400, 800)
    _ = button(2, 60, in: overlay)
    #expect(tap(5, 5) == [] && tap(65, 5) == ["2!"])
    makePassThrough(overlay)
    #expect(tap(5, 5) == ["1!"] && tap(65, 5) == [])
    #expect(window.hitTest(at(5, 5), with: nil) === below)
  }

  @Test func `HT-16, HT-17: an overlay whose empty area passes touches on`() {
    _ = button(1, 0, in: window)
    let overlay = add(BlankPassingView(), 0, 0, 400, 800)
    _ = button(2, 60, in: overlay)
    #expect(tap(5, 5) == ["1!"] && tap(65, 5) == ["2!"])
    #expect(window.hitTest(at(300, 300), with: nil) === window)
  }

  @Test func `WN-4: a window whose empty area passes touches on`() {
    _ = button(1, 0, in: window)
    let over = BlankPassingWindow(frame: window.frame, application: stage.application)
    over.windowLevel = .alert
    let controller = UIViewController()
    over.rootViewController = controller
    _ = button(2, 60, in: controller.view)
    over.isHidden = false
    #expect(tap(5, 5) == ["1!"] && tap(65, 5) == ["2!"])
  }

  @Test func `CB-11: a background tap that leaves the controls alone`() {
    let background = add(UIView(), 0, 0, 400, 800)
    let control = add(UIControl(), 0, 0, 100, 100, in: background)
    let badge = add(UIView(), 10, 10, 20, 20, in: control)
    let recognizer = stage.add(UITapGestureRecognizer(), "T", to: background)
    #expect(tap(15, 15) == ["T→ended"] && tap(50, 50) == ["T→ended"])
    let delegate = BackgroundTap()
    recognizer.delegate = delegate
    #expect(tap(15, 15) == [] && tap(50, 50) == [] && tap(200, 200) == ["T→ended"])
    #expect(badge.enclosingControl === control && background.enclosingControl == nil)
  }

  @Test func `a background tap ends editing`() {
    let field = add(UITextField(), 0, 0, 100, 40)
    let tap = UITapGestureRecognizer()
    let delegate = BackgroundTap()
    tap.delegate = delegate
    let dismisser = Dismisser(window)
    tap.addTarget(dismisser, action: Dismisser.tapped)
    window.addGestureRecognizer(tap)
    stage.play(touch.tap(at: at(5, 5)))
    #expect(field.isFirstResponder)
    stage.play(touch.tap(at: at(5, 5)))
    #expect(field.isFirstResponder)
    stage.play(touch.tap(at: at(300, 300)))
    #expect(!field.isFirstResponder)
  }

  @MainActor
  private final class Dismisser {
    let view: UIView
    init(_ view: UIView) { self.view = view }
    func tapped() { view.endEditing(true) }
  }

  @Test func `RC-25, RC-27: an action climbs from a cell to its controller`() {
    let controller = RowController()
    window.rootViewController = controller
    let list = add(UIView(), 0, 100, 400, 600, in: controller.view)
    for row in 0..<3 {
      let cell = RowCell(frame: CGRect(x: 0, y: Double(row) * 60, width: 400, height: 60))
      cell.button.tag = row
      list.addSubview(cell)
    }
    stage.play(touch.tap(at: at(20, 235)))
    stage.play(touch.tap(at: at(20, 115)))
    #expect(controller.opened == [2, 0])
    window.rootViewController = UIViewController()
    window.addSubview(list)
    stage.play(touch.tap(at: at(20, 115)))
    #expect(controller.opened == [2, 0])
  }

  @Test func `CB-1, CB-3: a control that keeps its tap from a recogniser behind it`() {
    let background = add(UIView(), 0, 0, 400, 800)
    stage.add(UITapGestureRecognizer(), "T", to: background)
    let plain = add(UIControl(), 0, 0, 100, 100, in: background)
    let keeping = add(TapKeepingControl(), 100, 0, 100, 100, in: background)
    for (tag, control) in [plain, keeping].enumerated() {
      control.tag = tag + 1
      control.addTarget(stage.log, action: Log.sent, for: .touchUpInside)
    }
    #expect(tap(50, 50) == ["T→ended"])
    #expect(tap(150, 50) == ["2!"])
    #expect(tap(250, 50) == ["T→ended"])
  }

  @Test func `CT-4: what covers a button takes its touch`() {
    let target = button(1, 0, in: window)
    let cover = add(UIView(), 0, 0, 20, 40, in: target)
    #expect(tap(5, 5) == [] && tap(30, 5) == ["1!"])
    cover.isUserInteractionEnabled = false
    #expect(tap(5, 5) == ["1!"])
  }
}

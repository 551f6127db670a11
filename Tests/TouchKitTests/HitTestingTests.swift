import Testing
import TouchKit
import TouchTestSupport

/// A view that logs what it is asked, and may answer otherwise.
private final class ProbeView: UIView {
  var name = ""
  var log: Log?
  var answer: ((UIView?) -> UIView?)?
  var expansion: CGFloat = 0
  var onHitTest: () -> Void = {}
  var lastPoint: CGPoint?
  var lastEvent: UIEvent?

  override func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
    log?.add("\(name).hitTest")
    lastPoint = point
    lastEvent = event
    onHitTest()
    let hit = super.hitTest(point, with: event)
    return answer.map { $0(hit) } ?? hit
  }

  override func point(inside point: CGPoint, with event: UIEvent?) -> Bool {
    log?.add("\(name).pointInside")
    return bounds.insetBy(dx: -expansion, dy: -expansion).contains(point)
  }
}

@MainActor @Suite struct `Hit testing` {
  struct Landing: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let point: CGPoint
    let isHit: Bool

    init(_ name: String, _ x: Double, _ y: Double, _ isHit: Bool) {
      testDescription = name
      point = CGPoint(x: x, y: y)
      self.isHit = isHit
    }
  }

  nonisolated static let landings = [
    Landing("inside", 20, 20, true),
    Landing("on the left edge", 10, 20, true),
    Landing("on the top edge", 20, 10, true),
    Landing("on the right edge", 60, 20, false),
    Landing("just before the right edge", 59.999, 20, true),
    Landing("on the bottom edge", 20, 50, false),
    Landing("left of the view", 9.999, 20, false),
  ]

  @Test(arguments: landings)
  func `HT-7: the left and top edge are inside, the right and bottom edge outside`(
    _ landing: Landing
  ) {
    let root = UIView(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
    let button = UIView(frame: CGRect(x: 10, y: 10, width: 50, height: 40))
    root.addSubview(button)
    #expect(root.hitTest(landing.point, with: nil) === (landing.isHit ? button : root))
  }

  private func tree() -> (root: ProbeView, child: ProbeView) {
    let root = ProbeView(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
    let child = ProbeView(frame: CGRect(x: 10, y: 20, width: 50, height: 50))
    root.addSubview(child)
    return (root, child)
  }

  @Test func `HT-1, HT-8: a view is asked with a point of its own coordinates`() {
    let (root, child) = tree()
    _ = root.hitTest(at(15, 30), with: nil)
    #expect(child.lastPoint == at(5, 10))
    child.bounds.origin = at(100, 200)
    _ = root.hitTest(at(15, 30), with: nil)
    #expect(child.lastPoint == at(105, 210))
  }

  @Test func `HT-2, HT-33: an excluded view is not asked, directly or through its parent`() {
    let (root, child) = tree()
    let log = Log()
    child.log = log
    child.name = "child"
    child.answer = { _ in child }
    let exclusions: [(UIView) -> Void] = [
      { $0.isHidden = true }, { $0.isUserInteractionEnabled = false }, { $0.alpha = 0.01 },
    ]
    for exclude in exclusions {
      child.isHidden = false
      child.isUserInteractionEnabled = true
      child.alpha = 1
      exclude(child)
      #expect(root.hitTest(at(15, 30), with: nil) === root)
      #expect(log.take() == [])
      let plain = UIView(frame: CGRect(x: 0, y: 0, width: 10, height: 10))
      exclude(plain)
      #expect(plain.hitTest(at(5, 5), with: nil) == nil)
    }
  }

  @Test(arguments: [(0.009, false), (0.01, false), (0.011, true), (1.0, true)])
  func `HT-3: alpha up to 0.01 excludes`(_ alpha: Double, _ isHit: Bool) {
    let (root, child) = tree()
    child.alpha = alpha
    #expect((root.hitTest(at(15, 30), with: nil) === child) == isHit)
  }

  @Test func `HT-4, HT-10: subviews outside a view are not asked, whether it clips or not`() {
    let (root, child) = tree()
    let outside = UIView(frame: CGRect(x: 60, y: 0, width: 20, height: 20))
    child.addSubview(outside)
    #expect(root.hitTest(at(75, 25), with: nil) === root)
    child.clipsToBounds = true
    #expect(root.hitTest(at(75, 25), with: nil) === root)
    child.expansion = 30
    #expect(root.hitTest(at(75, 25), with: nil) === outside)
  }

  @Test func `HT-5, HT-6, HT-25: the front-most sibling wins, however shallow`() {
    let (root, child) = tree()
    let deep = UIView(frame: child.bounds)
    child.addSubview(deep)
    #expect(root.hitTest(at(15, 30), with: nil) === deep)
    let front = UIView(frame: root.bounds)
    root.addSubview(front)
    #expect(root.hitTest(at(15, 30), with: nil) === front)
    root.sendSubviewToBack(front)
    #expect(root.hitTest(at(15, 30), with: nil) === deep)
    #expect(root.hitTest(at(90, 90), with: nil) === front)
  }

  @Test func `HT-9: a view without extent is not hit, nor its subviews`() {
    let (root, child) = tree()
    child.addSubview(UIView(frame: CGRect(x: 0, y: 0, width: 30, height: 30)))
    child.frame = CGRect(x: 10, y: 20, width: 0, height: 0)
    #expect(root.hitTest(at(10, 20), with: nil) === root)
  }

  @Test func `HT-11: alphas are not multiplied`() {
    let (root, child) = tree()
    root.alpha = 0.1
    child.alpha = 0.05
    #expect(root.hitTest(at(15, 30), with: nil) === child)
    root.alpha = 0.005
    #expect(root.hitTest(at(15, 30), with: nil) == nil)
  }

  @Test func `HT-14: transforms are undone; a view without an inverse is not hit`() {
    let (root, child) = tree()
    child.frame = CGRect(x: 40, y: 40, width: 20, height: 20)
    child.transform = CGAffineTransform(scaleX: 2, y: 2)
    #expect(root.hitTest(at(31, 31), with: nil) === child)
    #expect(child.lastPoint == at(0.5, 0.5))
    child.transform = CGAffineTransform(rotationAngle: .pi / 4)
    #expect(root.hitTest(at(41, 41), with: nil) === root)
    #expect(root.hitTest(at(50, 37), with: nil) === child)
    child.transform = CGAffineTransform(scaleX: 0, y: 1)
    #expect(root.hitTest(at(50, 50), with: nil) === root)
  }

  @Test func `HT-16, HT-17: an override may pass the view or only its empty area`() {
    let (root, child) = tree()
    let behind = UIView(frame: child.frame)
    root.insertSubview(behind, belowSubview: child)
    child.answer = { _ in nil }
    #expect(root.hitTest(at(15, 30), with: nil) === behind)
    let inner = UIView(frame: CGRect(x: 0, y: 0, width: 10, height: 20))
    child.addSubview(inner)
    child.answer = { $0 === child ? nil : $0 }
    #expect(root.hitTest(at(15, 30), with: nil) === inner)
    #expect(root.hitTest(at(45, 60), with: nil) === behind)
  }

  @Test func `HT-18, HT-31: an enlarged area counts inside the parent; the later sibling wins`() {
    let root = ProbeView(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
    let left = ProbeView(frame: CGRect(x: 5, y: 40, width: 20, height: 20))
    let right = ProbeView(frame: CGRect(x: 35, y: 40, width: 20, height: 20))
    left.expansion = 10
    right.expansion = 10
    root.addSubview(left)
    root.addSubview(right)
    #expect(root.hitTest(at(1, 31), with: nil) === left)
    #expect(root.hitTest(at(-1, 41), with: nil) == nil)
    #expect(root.hitTest(at(30, 50), with: nil) === right)
  }

  @Test func `HT-19, HT-20: an override may give a view elsewhere, even in another window`() {
    let stage = Stage()
    let log = stage.log
    let other = stage.view("other", 300, 300, 50, 50)
    stage.add(UITapGestureRecognizer(), "T", to: other)
    let probe = ProbeView(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
    probe.answer = { _ in other }
    stage.window.addSubview(probe)
    stage.play(touch.tap(at: at(10, 10)))
    #expect(log.take() == ["other.began{1}", "T→ended", "other.cancelled{1}"])

    let second = UIWindow(frame: stage.window.frame, application: stage.application)
    second.windowLevel = UIWindow.Level(rawValue: -1)
    second.isHidden = false
    let far = stage.view("far", 0, 0, 10, 10, in: second)
    var window: UIWindow?
    far.onTouch = { window = $0.window }
    probe.answer = { _ in far }
    stage.play(touch.tap(at: at(10, 10)))
    #expect(window === second)
    #expect(log.take() == ["far.began{1}", "far.ended{1}"])
  }

  @Test func `HT-21, HT-22, HT-23: a contact is tested once, with the event`() {
    let stage = Stage()
    let probe = ProbeView(frame: stage.window.bounds)
    probe.log = stage.log
    probe.name = "P"
    stage.window.addSubview(probe)
    stage.play(touch.down(at: at(10, 10)).move(to: at(50, 50)).up())
    #expect(stage.log.take() == ["P.hitTest", "P.pointInside"])
    #expect(probe.lastEvent != nil)
    _ = probe.hitTest(at(1, 1), with: nil)
    #expect(probe.lastEvent == nil)
  }

  @Test func `HT-23: it is the very event that is then sent, for each view that is asked`() {
    final class Asked: UIView {
      var events: [UIEvent?] = []
      override func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
        events.append(event)
        return super.hitTest(point, with: event)
      }
      override func point(inside point: CGPoint, with event: UIEvent?) -> Bool {
        events.append(event)
        return super.point(inside: point, with: event)
      }
    }
    let spy = Spy()
    let outer = Asked(frame: spy.window.bounds)
    let inner = Asked(frame: spy.window.bounds)
    spy.window.addSubview(outer)
    outer.addSubview(inner)
    var sent: [UIEvent] = []
    spy.application.onSend = { sent.append($0) }
    spy.frame(1, contact(1, .down, 5))
    spy.application.handleEventQueue()
    #expect(sent.count == 1)
    for view in [outer, inner] {
      #expect(view.events.count == 2 && view.events.allSatisfy { $0 != nil && $0 === sent.first })
      view.events = []
    }
    // Asked by the app it is what the app gives, also below.
    _ = spy.window.hitTest(at(5, 5), with: nil)
    for view in [outer, inner] {
      #expect(view.events.count == 2 && view.events.allSatisfy { $0 == nil })
    }
  }

  @Test func `HT-15: labels and image views let touches pass, with all that they hold`() {
    let root = UIView(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
    for view in [UILabel(frame: root.bounds), UIImageView(frame: root.bounds), UIView()] {
      view.frame = root.bounds
      let isPlain = type(of: view) == UIView.self
      let button = UIButton(frame: root.bounds)
      view.addSubview(button)
      root.addSubview(view)
      #expect(root.hitTest(at(5, 5), with: nil) === (isPlain ? button : root))
      view.isUserInteractionEnabled = true
      #expect(root.hitTest(at(5, 5), with: nil) === button)
      view.removeFromSuperview()
    }
    for view in [UIControl(), UIButton(), UITextField(), UIView()] {
      #expect(view.isUserInteractionEnabled)
    }
  }

  @Test func `HT-24: a window is tested as any view is`() {
    let stage = Stage()
    let back = stage.view("back", 0, 0, 100, 100)
    let front = stage.view("front", 50, 0, 100, 100)
    #expect(stage.window.hitTest(at(60, 5), with: nil) === front)
    #expect(stage.window.hitTest(at(40, 5), with: nil) === back)
    #expect(stage.window.hitTest(at(300, 300), with: nil) === stage.window)
    #expect(stage.window.hitTest(at(400, 5), with: nil) == nil)
    stage.window.isUserInteractionEnabled = false
    #expect(stage.window.hitTest(at(60, 5), with: nil) == nil)
  }

  @Test func `HT-28: a button with a label and an image is the hit view itself`() {
    let button = UIButton(frame: CGRect(x: 0, y: 0, width: 100, height: 40))
    button.addSubview(UIImageView(frame: CGRect(x: 0, y: 0, width: 40, height: 40)))
    button.addSubview(UILabel(frame: CGRect(x: 40, y: 0, width: 60, height: 40)))
    for x in [5.0, 60] { #expect(button.hitTest(at(x, 5), with: nil) === button) }
  }

  @Test func `HT-29: the final place counts, and an animation may keep touches off`() {
    let stage = Stage()
    let view = stage.view("V", 0, 0, 50, 50)
    view.frame.origin.x = 200
    #expect(stage.window.hitTest(at(205, 5), with: nil) === view)
    view.isHeldByAnimation = true
    #expect(stage.window.hitTest(at(205, 5), with: nil) === stage.window)
    view.isHeldByAnimation = false
    stage.play(touch.down(at: at(205, 5)).then { view.isHeldByAnimation = true }.up())
    #expect(stage.log.take() == ["V.began{1}", "V.ended{1}"])
  }

  @Test func `HT-26: a moved bounds origin moves the content under the point`() {
    let scroll = UIView(frame: CGRect(x: 0, y: 0, width: 100, height: 200))
    scroll.bounds.origin.y = 400
    let row = UIView(frame: CGRect(x: 0, y: 490, width: 100, height: 20))
    scroll.addSubview(row)
    let root = UIView(frame: CGRect(x: 0, y: 0, width: 100, height: 200))
    root.addSubview(scroll)
    #expect(root.hitTest(at(50, 100), with: nil) === row)
    #expect(root.hitTest(at(50, 80), with: nil) === scroll)
  }

  @Test func `HT-27: a disabled control is still hit`() {
    let root = UIView(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
    let control = UIControl(frame: root.bounds)
    control.isEnabled = false
    root.addSubview(control)
    #expect(root.hitTest(at(5, 5), with: nil) === control)
  }

  @Test func `HT-30: the tree may change while it is tested`() {
    let root = UIView(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
    let views = (0..<3).map { _ in ProbeView(frame: root.bounds) }
    for view in views {
      root.addSubview(view)
      view.answer = { _ in nil }
      view.onHitTest = { for view in views { view.removeFromSuperview() } }
    }
    #expect(root.hitTest(at(5, 5), with: nil) === root)
    #expect(root.subviews.isEmpty)
  }

  @Test func `HT-32: the first hit ends the search`() {
    let log = Log()
    func make(_ name: String, _ frame: CGRect) -> ProbeView {
      let view = ProbeView(frame: frame)
      view.name = name
      view.log = log
      return view
    }
    let all = CGRect(x: 0, y: 0, width: 100, height: 100)
    let root = make("Root", all)
    let middle = make("Middle", all)
    middle.addSubview(make("Inner", all))
    let overlap = make("Overlap", CGRect(x: 50, y: 50, width: 50, height: 50))
    root.addSubview(middle)
    root.addSubview(overlap)
    #expect(root.hitTest(at(60, 60), with: nil) === overlap)
    #expect(
      log.take() == ["Root.hitTest", "Root.pointInside", "Overlap.hitTest", "Overlap.pointInside"])
  }
}

import Testing
import TouchKit
import TouchTestSupport

private final class HookView: UIView {
  var name = ""
  var log: Log?
  override func didAddSubview(_ subview: UIView) { log?.add("\(name) has got one") }
  override func willRemoveSubview(_ subview: UIView) { log?.add("\(name) loses one") }
  override func willMove(toSuperview view: UIView?) { log?.add("\(name) to \(view != nil)") }
  override func didMoveToSuperview() { log?.add("\(name) in \(superview != nil)") }
  override func willMove(toWindow window: UIWindow?) {
    log?.add("\(name) to window \(window != nil)")
  }
  override func didMoveToWindow() { log?.add("\(name) in window \(window != nil)") }
}

/// A view that does something, once, in one of the hooks of the tree.
private final class Mover: UIView {
  enum Moment: CaseIterable { case willMoveToSuperview, didMoveToSuperview }
  var moment = Moment.willMoveToSuperview
  var act: (UIView) -> Void = { _ in }

  private func reached(_ now: Moment) {
    guard now == moment else { return }
    let action = act
    act = { _ in }
    action(self)
  }

  override func willMove(toSuperview view: UIView?) { reached(.willMoveToSuperview) }
  override func didMoveToSuperview() { reached(.didMoveToSuperview) }
}

@MainActor @Suite struct `View tree` {
  let root = UIView(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
  let a = UIView()
  let b = UIView()
  let c = UIView()

  @Test func `order of subviews`() {
    for view in [a, b] { root.addSubview(view) }
    root.insertSubview(c, at: 0)
    #expect(root.subviews == [c, a, b])
    root.bringSubviewToFront(c)
    #expect(root.subviews == [a, b, c])
    root.sendSubviewToBack(b)
    #expect(root.subviews == [b, a, c])
    root.exchangeSubview(at: 0, withSubviewAt: 2)
    #expect(root.subviews == [c, a, b])
    root.insertSubview(b, aboveSubview: c)
    #expect(root.subviews == [c, b, a])
    root.insertSubview(a, belowSubview: b)
    #expect(root.subviews == [c, a, b])
    root.insertSubview(c, at: 99)
    #expect(root.subviews == [a, b, c])
    root.addSubview(a)
    #expect(root.subviews == [b, c, a])
  }

  @Test func `a view has one superview, which keeps it`() {
    root.addSubview(a)
    a.addSubview(b)
    #expect(b.superview === a && b.isDescendant(of: root) && !root.isDescendant(of: b))
    #expect(b.isDescendant(of: b))
    root.addSubview(b)
    #expect(b.superview === root && a.subviews.isEmpty)
    b.removeFromSuperview()
    #expect(b.superview == nil && root.subviews == [a])
    c.tag = 7
    a.addSubview(c)
    #expect(root.viewWithTag(7) === c && root.viewWithTag(8) == nil)
  }

  @Test func `hooks tell of changes`() {
    let stage = Stage()
    let outer = HookView(frame: root.bounds)
    let inner = HookView(frame: root.bounds)
    outer.name = "outer"
    inner.name = "inner"
    outer.addSubview(inner)
    outer.log = stage.log
    inner.log = stage.log
    stage.window.addSubview(outer)
    #expect(
      stage.log.take() == [
        "outer to true", "outer to window true", "inner to window true", "outer in true",
        "outer in window true", "inner in window true",
      ])
    inner.removeFromSuperview()
    #expect(
      stage.log.take() == [
        "inner to false", "inner to window false", "outer loses one", "inner in false",
        "inner in window false",
      ])
    outer.addSubview(inner)
    #expect(stage.log.take().contains("outer has got one"))
  }

  @Test func `a hook that moves the view on has the last word`() {
    let other = UIView()
    let mover = Mover(frame: root.bounds)
    for moment in Mover.Moment.allCases {
      mover.act = { [other] view in other.addSubview(view) }
      mover.moment = moment
      root.addSubview(mover)
      #expect(root.subviews.isEmpty && other.subviews == [mover], "\(moment)")
      #expect(mover.superview === other, "\(moment)")
      mover.act = { _ in }
      mover.removeFromSuperview()
    }
    for moment in Mover.Moment.allCases {
      mover.act = { _ in }
      mover.moment = moment
      other.addSubview(mover)
      mover.act = { [root] view in root.addSubview(view) }
      mover.removeFromSuperview()
      #expect(other.subviews.isEmpty && mover.superview === root, "\(moment)")
      #expect(root.subviews == [mover], "\(moment)")
      mover.act = { _ in }
      mover.removeFromSuperview()
    }
  }

  @Test func `a view that a hook moves on is lost once, and only by who held it`() {
    let log = Log()
    let parents = ["old", "new"].map { name in
      let view = HookView()
      view.name = name
      return view
    }
    let mover = Mover(frame: root.bounds)
    parents[0].addSubview(mover)
    for parent in parents { parent.log = log }
    mover.moment = .willMoveToSuperview
    mover.act = { $0.removeFromSuperview() }
    parents[1].addSubview(mover)
    #expect(log.take() == ["old loses one", "new has got one"])
    mover.act = { view in parents[0].addSubview(view) }
    mover.removeFromSuperview()
    #expect(log.take() == ["new loses one", "old has got one"])
  }

  @Test func `a hook that removes a sibling does not make another one go`() {
    let mover = Mover(frame: root.bounds)
    for view in [a, b, mover, c] { root.addSubview(view) }
    mover.moment = .willMoveToSuperview
    mover.act = { [a] _ in a.removeFromSuperview() }
    mover.removeFromSuperview()
    #expect(root.subviews == [b, c])
  }

  @Test func `a hook that puts the parent into the view ends the adding, without a circle`() {
    let mover = Mover(frame: root.bounds)
    mover.moment = .willMoveToSuperview
    mover.act = { [root] view in view.addSubview(root) }
    root.addSubview(mover)
    #expect(root.superview === mover && mover.superview == nil && root.subviews.isEmpty)
  }

  @Test func `negative extents become positive ones`() {
    let view = UIView(frame: CGRect(x: 40, y: 60, width: -30, height: -40))
    #expect(view.frame == CGRect(x: 10, y: 20, width: 30, height: 40))
    #expect(view.bounds == CGRect(x: 0, y: 0, width: 30, height: 40) && view.center == at(25, 40))
    #expect(view.bounds.size == CGSize(width: 30, height: 40))
    view.frame = CGRect(x: 0, y: 0, width: -10, height: 5)
    #expect(view.frame == CGRect(x: -10, y: 0, width: 10, height: 5))
    #expect(view.bounds.size == CGSize(width: 10, height: 5) && view.center == at(-5, 2.5))
    root.addSubview(view)
    #expect(view.hitTest(at(1, 1), with: nil) === view)
  }

  @Test func `a window is found, and is its own`() {
    let stage = Stage()
    stage.window.addSubview(root)
    root.addSubview(a)
    #expect(a.window === stage.window && stage.window.window === stage.window && b.window == nil)
  }

  @Test func `frame, bounds and centre go together`() {
    a.frame = CGRect(x: 10, y: 20, width: 30, height: 40)
    #expect(a.center == at(25, 40) && a.bounds == CGRect(x: 0, y: 0, width: 30, height: 40))
    a.center = at(100, 100)
    #expect(a.frame == CGRect(x: 85, y: 80, width: 30, height: 40))
    a.bounds = CGRect(x: 5, y: 6, width: 10, height: 20)
    #expect(a.frame == CGRect(x: 95, y: 90, width: 10, height: 20))
  }

  @Test func `a controller makes its view when it is asked for`() {
    final class Own: UIViewController {
      var loads = 0
      override func loadView() { view = UIView(frame: CGRect(x: 1, y: 2, width: 3, height: 4)) }
      override func viewDidLoad() { loads += 1 }
    }
    let own = Own()
    #expect(!own.isViewLoaded && own.viewIfLoaded == nil && own.loads == 0)
    #expect(own.view.frame.width == 3 && own.loads == 1 && own.isViewLoaded)
    let parent = UIViewController()
    parent.addChild(own)
    #expect(own.parent === parent && parent.children.first === own)
    own.removeFromParent()
    #expect(own.parent == nil && parent.children.isEmpty)
    let stage = Stage()
    stage.window.rootViewController = own
    #expect(own.view.superview === stage.window && own.view.frame == stage.window.bounds)
    stage.window.rootViewController = parent
    #expect(own.view.superview == nil && parent.view.window === stage.window)
  }
}

import Testing
import TouchKit

@MainActor @Suite struct `Coordinate conversion` {
  func isNear(_ a: CGPoint, _ x: Double, _ y: Double) -> Bool {
    abs(a.x - x) < 1e-9 && abs(a.y - y) < 1e-9
  }

  @Test func `CV-1: without a transform, bounds and frame origin are all`() {
    let parent = UIView(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
    let view = UIView(frame: CGRect(x: 10, y: 20, width: 30, height: 40))
    parent.addSubview(view)
    view.bounds.origin = at(1, 2)
    #expect(view.convert(at(5, 5), to: parent) == at(14, 23))
    #expect(view.convert(at(14, 23), from: parent) == at(5, 5))
    #expect(view.frame == CGRect(x: 10, y: 20, width: 30, height: 40))
  }

  @Test func `CV-6: a scrolled view's content lies further up`() {
    let parent = UIView(frame: CGRect(x: 0, y: 0, width: 500, height: 500))
    let scroll = UIView(frame: CGRect(x: 10, y: 20, width: 100, height: 100))
    parent.addSubview(scroll)
    scroll.bounds.origin = at(0, 40)
    #expect(scroll.convert(CGPoint.zero, to: parent) == at(10, -20))
  }

  @Test func `CV-7: a scale works about the centre`() {
    let parent = UIView()
    let view = UIView(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
    parent.addSubview(view)
    view.transform = CGAffineTransform(scaleX: 2, y: 2)
    #expect(view.convert(CGPoint.zero, to: parent) == at(-50, -50))
    #expect(view.convert(at(50, 50), to: parent) == at(50, 50))
    #expect(view.frame == CGRect(x: -50, y: -50, width: 200, height: 200))
  }

  @Test func `CV-2, CV-8: a rotation works about the centre`() {
    let parent = UIView()
    let view = UIView(frame: CGRect(x: 50, y: 75, width: 100, height: 50))
    parent.addSubview(view)
    view.transform = CGAffineTransform(rotationAngle: .pi / 2)
    #expect(isNear(view.convert(CGPoint.zero, to: parent), 125, 50))
    view.transform = view.transform.concatenating(CGAffineTransform(translationX: 7, y: 3))
    #expect(isNear(view.convert(CGPoint.zero, to: parent), 132, 53))
  }

  @Test func `CV-2: another anchor is what the centre places and a transform leaves`() {
    let parent = UIView()
    let view = UIView(frame: CGRect(x: 10, y: 20, width: 100, height: 50))
    parent.addSubview(view)
    view.anchorPoint = at(0, 0)
    #expect(view.center == at(60, 45) && view.frame.origin == at(60, 45))
    view.frame = CGRect(x: 10, y: 20, width: 100, height: 50)
    #expect(view.center == at(10, 20))
    view.transform = CGAffineTransform(scaleX: 2, y: 3)
    #expect(view.convert(at(1, 1), to: parent) == at(12, 23))
    #expect(view.convert(at(12, 23), from: parent) == at(1, 1))
    #expect(view.frame == CGRect(x: 10, y: 20, width: 200, height: 150))
    view.anchorPoint = at(1, 1)
    view.frame = CGRect(x: 0, y: 0, width: 20, height: 30)
    #expect(view.bounds.size == CGSize(width: 10, height: 10))
    #expect(view.frame == CGRect(x: 0, y: 0, width: 20, height: 30) && view.center == at(20, 30))
    view.bounds.origin = at(5, 5)
    #expect(view.convert(at(15, 15), to: parent) == at(20, 30))
  }

  @Test func `CV-3: nil is the window, and for a window the screen`() {
    let window = Stage().window
    window.frame.origin = at(100, 200)
    let view = UIView(frame: CGRect(x: 10, y: 20, width: 30, height: 40))
    window.addSubview(view)
    #expect(view.convert(at(1, 1), to: nil) == at(11, 21))
    #expect(view.convert(at(11, 21), from: nil) == at(1, 1))
    #expect(window.convert(at(11, 21), to: nil) == at(111, 221))
    #expect(window.convert(at(111, 221), from: nil) == at(11, 21))
  }

  @Test func `CV-3: to and from undo each other, by way of the window, whatever lies between`() {
    let window = Stage().window
    window.frame.origin = at(100, 200)
    let left = UIView(frame: CGRect(x: 10, y: 20, width: 100, height: 100))
    let right = UIView(frame: CGRect(x: 200, y: 40, width: 100, height: 100))
    let inner = UIView(frame: CGRect(x: 5, y: 6, width: 10, height: 10))
    for view in [left, right] { window.addSubview(view) }
    right.addSubview(inner)
    left.bounds.origin = at(0, 50)
    right.transform = CGAffineTransform(scaleX: 2, y: 4)
    // In the window: 10 + 1 and 20 + 52 - 50; its way down into the other one: about the centre
    // (250, 90), from which the origin lies 50 away.
    #expect(left.convert(at(1, 52), to: nil) == at(11, 22))
    #expect(left.convert(at(1, 52), to: right) == at(50 + (11 - 250) / 2, 50 + (22 - 90) / 4))
    #expect(left.convert(at(1, 52), to: inner) == at(-74.5, 27))
    #expect(inner.convert(at(-74.5, 27), to: left) == at(1, 52))
    #expect(inner.convert(at(1, 52), from: left) == at(-74.5, 27))
    #expect(left.convert(at(-74.5, 27), from: inner) == at(1, 52))
    #expect(inner.convert(at(-74.5, 27), to: nil) == at(11, 22))
    #expect(inner.convert(at(11, 22), from: nil) == at(-74.5, 27))
    #expect(window.convert(at(11, 22), to: inner) == at(-74.5, 27))
  }

  @Test func `CV-4: views without a window convert through their common root`() {
    let root = UIView()
    let a = UIView(frame: CGRect(x: 10, y: 0, width: 10, height: 10))
    let b = UIView(frame: CGRect(x: 0, y: 20, width: 10, height: 10))
    root.addSubview(a)
    root.addSubview(b)
    #expect(a.convert(at(1, 1), to: b) == at(11, -19))
    let lone = UIView(frame: CGRect(x: 1, y: 1, width: 10, height: 10))
    #expect(lone.convert(lone.convert(at(3, 4), to: b), from: b) == at(3, 4))
  }

  @Test func `CV-5: a rectangle becomes the box around its corners`() {
    let parent = UIView()
    let view = UIView(frame: CGRect(x: 50, y: 75, width: 100, height: 50))
    parent.addSubview(view)
    view.transform = CGAffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 0, ty: 0)
    let box = view.convert(view.bounds, to: parent)
    #expect(box == CGRect(x: 75, y: 50, width: 50, height: 100))
    #expect(view.convert(box, from: parent) == view.bounds)
  }

  @Test func `CV-9: a frame set under a transform is what is seen`() {
    let view = UIView(frame: CGRect(x: 0, y: 0, width: 10, height: 10))
    view.transform = CGAffineTransform(scaleX: 2, y: 4)
    view.frame = CGRect(x: 10, y: 20, width: 40, height: 40)
    #expect(view.frame == CGRect(x: 10, y: 20, width: 40, height: 40))
    #expect(view.bounds.size == CGSize(width: 20, height: 10))
    #expect(view.center == at(30, 40))
  }

  @Test func `CV-10: windows convert through the screen`() {
    let stage = Stage()
    let other = UIWindow(
      frame: CGRect(x: 100, y: 50, width: 50, height: 50), application: stage.application)
    #expect(other.convert(at(1, 2), to: stage.window) == at(101, 52))
    #expect(other.convert(at(101, 52), from: stage.window) == at(1, 2))
  }

  @Test func `CV-11: there and back is the same place`() {
    let root = UIView(frame: CGRect(x: 3, y: 4, width: 500, height: 500))
    var view = root
    for index in 1...6 {
      let inner = UIView(
        frame: CGRect(x: Double(index), y: 3, width: 100 + Double(index), height: 90))
      inner.transform = CGAffineTransform(rotationAngle: Double(index) * 0.7)
        .scaledBy(x: 1.3, y: 0.4)
      inner.bounds.origin = at(Double(index), -7)
      view.addSubview(inner)
      view = inner
    }
    let there = view.convert(at(12.5, -3), to: root)
    #expect(isNear(view.convert(there, from: root), 12.5, -3))
  }
}

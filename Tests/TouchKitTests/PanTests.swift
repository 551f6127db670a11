import Testing
import TouchKit
import TouchTestSupport

/// Writes down what a recogniser tells in each action.
@MainActor
private final class Reader {
  var lines: [String] = []
  var translations: [CGPoint] = []
  var velocities: [CGPoint] = []
  var onAction: (UIPanGestureRecognizer) -> Void = { _ in }

  func read(_ pan: UIPanGestureRecognizer) {
    lines.append("\(pan.state)")
    translations.append(pan.translation(in: pan.view))
    velocities.append(pan.velocity(in: pan.view))
    onAction(pan)
  }
}

@MainActor
private func pan<Pan: UIPanGestureRecognizer>(
  _ recognizer: Pan, _ script: TouchScript, _ set: (Pan) -> Void = { _ in },
  onAction: @escaping (UIPanGestureRecognizer) -> Void = { _ in }
) -> Reader {
  let stage = Stage()
  let reader = Reader()
  reader.onAction = onAction
  recognizer.addTarget(reader, action: Reader.read)
  set(recognizer)
  stage.window.addGestureRecognizer(recognizer)
  stage.play(script)
  return reader
}

@MainActor @Suite struct `Pan` {
  func isNear(_ a: CGPoint, _ b: CGPoint, _ error: Double = 1e-9) -> Bool {
    abs(a.x - b.x) <= error && abs(a.y - b.y) <= error
  }

  @Test func `PN-1: defaults`() {
    let pan = UIPanGestureRecognizer()
    #expect(pan.minimumNumberOfTouches == 1 && pan.maximumNumberOfTouches == Int.max)
  }

  @Test(arguments: [(9.99, []), (10.0, ["began"]), (12.0, ["began"])])
  func `PN-2, PN-15: it begins 10 pt from the start; less fails at the lift`(
    _ distance: Double, _ expected: [String]
  ) {
    let script = touch.down(at: at(0, 0)).move(to: at(0, distance))
    #expect(pan(UIPanGestureRecognizer(), script).lines == expected)
    #expect(
      pan(UIPanGestureRecognizer(), script.up()).lines == expected
        + (expected.isEmpty ? [] : ["ended"])
    )
  }

  @Test func `PN-3, PN-4, PN-5, PN-19: the first 10 pt don't count; each move is an action`() {
    let reader = pan(
      UIPanGestureRecognizer(),
      touch.down(at: at(0, 0)).move(to: at(0, 12)).move(to: at(5, 12)).move(to: at(5, 32)).up())
    #expect(reader.lines == ["began", "changed", "changed", "ended"])
    #expect(reader.translations == [at(0, 2), at(5, 2), at(5, 22), at(5, 22)])
  }

  @Test func `PN-5: a view sees the movement in its own coordinates`() {
    let stage = Stage()
    let view = stage.view("V", 0, 0, 400, 400)
    view.transform = CGAffineTransform(scaleX: 2, y: 2)
    let recognizer = stage.add(UIPanGestureRecognizer(), "P", to: view)
    stage.play(touch.down(at: at(100, 100)).move(to: at(130, 100)))
    #expect(recognizer.translation(in: view) == at(10, 0))
    #expect(recognizer.translation(in: nil) == at(20, 0))
    recognizer.setTranslation(at(50, 0), in: view)
    #expect(isNear(recognizer.translation(in: nil), at(100, 0)))
    #expect(recognizer.velocity(in: nil).x == 2 * recognizer.velocity(in: view).x)
  }

  @Test func `PN-6, PN-18: a translation that is set to zero each time adds up to the way`() {
    var sum = 0.0
    var velocities: [Double] = []
    _ = pan(
      UIPanGestureRecognizer(),
      touch.down(at: at(0, 0)).move(to: at(200, 0), over: .milliseconds(80)).up(),
      onAction: { pan in
        sum += pan.translation(in: nil).x
        pan.setTranslation(.zero, in: nil)
        velocities.append(pan.velocity(in: nil).x)
      })
    #expect(abs(sum - 190) < 1e-9)
    #expect(velocities.allSatisfy { abs($0 - 2500) < 1 })
  }

  @Test func `PN-7: fingers that come and go make no jump`() {
    let reader = pan(
      UIPanGestureRecognizer(),
      touch.down(1, at: at(0, 0)).move(1, to: at(20, 0)).down(2, at: at(300, 300))
        .move((1, to: at(30, 0)), (2, to: at(310, 300))).up(1).move(2, to: at(320, 300)).up(2))
    #expect(reader.lines == ["began", "changed", "changed", "ended"])
    #expect(reader.translations == [at(10, 0), at(20, 0), at(30, 0), at(30, 0)])
  }

  @Test func `PN-8: it ends when fewer fingers are left than it takes`() {
    let script = touch.down((1, at: at(0, 0)), (2, at: at(50, 0)))
      .move((1, to: at(20, 0)), (2, to: at(70, 0))).up(1).move(2, to: at(90, 0)).up(2)
    let two = { (pan: UIPanGestureRecognizer) in pan.minimumNumberOfTouches = 2 }
    #expect(pan(UIPanGestureRecognizer(), script, two).lines == ["began", "ended"])
    let lowered = pan(
      UIPanGestureRecognizer(), script, two, onAction: { $0.minimumNumberOfTouches = 1 })
    #expect(lowered.lines == ["began", "changed", "ended"])
  }

  @Test func `PN-9, PN-10: too many fingers keep it from beginning, and are ignored later`() {
    let one = { (pan: UIPanGestureRecognizer) in pan.maximumNumberOfTouches = 1 }
    let tooMany = touch.down((1, at: at(0, 0)), (2, at: at(50, 0)))
      .move((1, to: at(40, 0)), (2, to: at(90, 0))).up(2)
    #expect(pan(UIPanGestureRecognizer(), tooMany, one).lines == [])
    let back = pan(UIPanGestureRecognizer(), tooMany.move(1, to: at(60, 0)).up(1), one)
    #expect(back.lines == ["began", "ended"] && back.translations.first == at(10, 0))
    let later = pan(
      UIPanGestureRecognizer(),
      touch.down(1, at: at(0, 0)).move(to: at(20, 0)).down(2, at: at(9, 9)).move(2, to: at(50, 9))
        .up(2).move(1, to: at(30, 0)).up(1), one)
    #expect(later.lines == ["began", "changed", "ended"])
  }

  @Test func `PN-11: velocity spans the last two intervals, or the only one`() throws {
    let reader = pan(
      UIPanGestureRecognizer(),
      touch.down(at: at(0, 0)).move(to: at(20, 0), over: .milliseconds(10), samples: 1)
        .move(to: at(30, 0), over: .milliseconds(10), samples: 1)
        .move(to: at(30, 40), over: .milliseconds(10), samples: 1))
    try #require(reader.velocities.count == 3)
    #expect(isNear(reader.velocities[0], at(2000, 0), 1e-6))
    #expect(isNear(reader.velocities[1], at(1500, 0), 1e-6))
    #expect(isNear(reader.velocities[2], at(500, 2000), 1e-6))
  }

  @Test func `PN-12, PN-13: constant speed is told within 1 %, at the end that of the last move`() {
    let reader = pan(
      UIPanGestureRecognizer(),
      touch.down(at: at(0, 0)).move(to: at(300, 400), over: .seconds(1)).wait(.seconds(30)).up())
    #expect(reader.velocities.allSatisfy { isNear($0, at(300, 400), 4) })
    #expect(reader.velocities.last == reader.velocities.dropLast().last)
  }

  @Test func `PN-14: fingers that move apart still change it`() {
    let reader = pan(
      UIPanGestureRecognizer(),
      touch.down((1, at: at(100, 0)), (2, at: at(200, 0)))
        .move((1, to: at(120, 0)), (2, to: at(220, 0))).move(
          (1, to: at(110, 0)), (2, to: at(230, 0)))
    )
    #expect(reader.lines == ["began", "changed"])
    #expect(reader.translations == [at(10, 0), at(10, 0)])
  }

  @Test func `PN-17: slow movement counts the same`() {
    let reader = pan(
      UIPanGestureRecognizer(),
      touch.down(at: at(0, 0)).move(to: at(9, 0)).wait(.seconds(60)).move(to: at(10, 0)))
    #expect(reader.lines == ["began"])
  }

  @Test func `PN-20: the way counts from where the fingers were enough`() {
    let two = { (pan: UIPanGestureRecognizer) in pan.minimumNumberOfTouches = 2 }
    let start = touch.down(1, at: at(0, 0)).move(1, to: at(50, 0)).down(2, at: at(100, 0))
    #expect(pan(UIPanGestureRecognizer(), start.move(1, to: at(69, 0)), two).lines == [])
    let reader = pan(UIPanGestureRecognizer(), start.move(1, to: at(74, 0)), two)
    #expect(reader.lines == ["began"] && reader.translations == [at(2, 0)])
  }

  @Test func `PN-21: taken away, the translation keeps its value`() {
    let reader = pan(
      UIPanGestureRecognizer(), touch.down(at: at(0, 0)).move(to: at(30, 0)).cancel())
    #expect(reader.lines == ["began", "cancelled"])
    #expect(reader.translations == [at(20, 0), at(20, 0)])
  }
}

@MainActor @Suite struct `Edge pan` {
  func lines(_ edges: UIRectEdge, _ script: TouchScript) -> [String] {
    pan(UIScreenEdgePanGestureRecognizer(), script, { $0.edges = edges }).lines
  }

  func drag(_ x: Double, _ y: Double, to place: CGPoint) -> TouchScript {
    touch.down(at: at(x, y)).move(to: place).up()
  }

  @Test func `EP-1: without edges it never begins`() {
    #expect(UIScreenEdgePanGestureRecognizer().edges == [])
    #expect(lines([], drag(0, 100, to: at(100, 100))) == [])
  }

  @Test func `EP-2: it starts within 13 pt of its edge`() {
    #expect(lines(.left, drag(13, 100, to: at(50, 100))) == ["began", "ended"])
    #expect(lines(.left, drag(13.1, 100, to: at(50, 100))) == [])
    #expect(lines(.right, drag(387, 100, to: at(350, 100))) == ["began", "ended"])
    #expect(lines(.right, drag(386.9, 100, to: at(350, 100))) == [])
    #expect(lines(.top, drag(100, 0, to: at(100, 50))) == ["began", "ended"])
    #expect(lines(.bottom, drag(100, 799, to: at(100, 750))) == ["began", "ended"])
    #expect(lines(.left, drag(399, 100, to: at(350, 100))) == [])
  }

  @Test func `EP-3: inwards at least as far as sideways`() {
    #expect(lines(.left, drag(0, 100, to: at(20, 120))) == ["began", "ended"])
    #expect(lines(.left, drag(0, 100, to: at(20, 121))) == [])
    let sidewaysFirst = touch.down(at: at(0, 100)).move(to: at(5, 115)).move(to: at(90, 115)).up()
    #expect(lines(.left, sidewaysFirst) == [])
    let slow = touch.down(at: at(0, 100)).move(to: at(9, 108)).move(to: at(20, 108)).up()
    #expect(lines(.left, slow) == ["began", "ended"])
  }

  @Test func `EP-4: in a corner the direction decides`() {
    #expect(lines(.all, drag(1, 1, to: at(40, 5))) == ["began", "ended"])
    #expect(lines(.all, drag(1, 1, to: at(5, 40))) == ["began", "ended"])
    #expect(lines(.left, drag(1, 1, to: at(5, 40))) == [])
  }

  @Test func `EP-5: a second finger before it begins makes it fail`() {
    let script = touch.down(1, at: at(1, 100)).down(2, at: at(1, 200))
      .move((1, to: at(50, 100)), (2, to: at(50, 200)))
    #expect(lines(.left, script) == [])
  }

  @Test func `EP-7: the rest is a pan's`() {
    let reader = pan(
      UIScreenEdgePanGestureRecognizer(), touch.down(at: at(0, 100)).move(to: at(12, 100)),
      { $0.edges = .left })
    #expect(reader.translations == [at(2, 0)])
  }
}

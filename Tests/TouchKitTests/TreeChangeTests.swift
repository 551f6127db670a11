import Testing
import TouchKit
import TouchModel
import TouchTestSupport

/// What a handler may do to the tree that it is called from.
private enum Deed: CaseIterable {
  case removeSelf, removeParent, removeSibling, hide, move, reparent, addAgain, present, letGo
}

/// Views that change the tree in each of the calls that a touch makes.
@MainActor @Suite struct `The tree changed from within` {
  /// A place in the life of a touch at which the app's code runs.
  private enum Place: CaseIterable {
    case hitTest, pointInside, shouldReceive, recognizerBegan, shouldBegin, action
    case began, moved, ended, cancelled
  }

  @MainActor
  private final class Scene {
    let stage = Stage()
    let parent: LogView
    var view: ActingView?
    let sibling: LogView
    let recognizer: LogRecognizer
    weak var gone: ActingView?

    init(place: Place, deed: Deed) {
      parent = stage.view("P", 0, 0, 200, 200)
      parent.forwards = true
      sibling = stage.view("S", 100, 100, 50, 50, in: parent)
      let view = ActingView(stage.log, CGRect(x: 0, y: 0, width: 100, height: 100))
      self.view = view
      gone = view
      parent.addSubview(view)
      recognizer = LogRecognizer(stage.log)
      recognizer.name = "G"
      recognizer.addTarget(stage.log, action: Log.acted)
      recognizer.cancelsTouchesInView = false
      stage.window.addGestureRecognizer(recognizer)
      let act: () -> Void = { [unowned self] in perform(deed) }
      switch place {
      case .hitTest: view.onHitTest = once(act)
      case .pointInside: view.onPointInside = once(act)
      case .began: view.onPhase[.began] = once(act)
      case .moved: view.onPhase[.moved] = once(act)
      case .ended: view.onPhase[.ended] = once(act)
      case .cancelled: view.onPhase[.cancelled] = once(act)
      case .shouldReceive:
        let first = once(act)
        stage.delegate(recognizer) {
          $0.receives = { _ in
            first()
            return true
          }
        }
      case .shouldBegin:
        recognizer.onMoved = { $0.state = .began }
        recognizer.cancelsTouchesInView = true
        view.onShouldBegin = once(act)
      case .recognizerBegan:
        let first = once(act)
        recognizer.onBegan = { _, _, _ in first() }
      case .action:
        recognizer.onMoved = { $0.state = .began }
        recognizer.addTarget(Actor(once(act)), action: Actor.act, keptBy: stage)
      }
    }

    private func once(_ body: @escaping () -> Void) -> () -> Void {
      var isDone = false
      return {
        guard !isDone else { return }
        isDone = true
        body()
      }
    }

    private func perform(_ deed: Deed) {
      stage.log.add("\(deed)")
      switch deed {
      case .removeSelf: view?.removeFromSuperview()
      case .removeParent: parent.removeFromSuperview()
      case .removeSibling: sibling.removeFromSuperview()
      case .hide: view?.isHidden = true
      case .move: view?.frame.origin = at(150, 150)
      case .reparent: if let view { stage.window.addSubview(view) }
      case .addAgain: if let view { parent.addSubview(view) }
      case .present:
        let cover = stage.view("C", 0, 0, 400, 800)
        cover.isMultipleTouchEnabled = true
      case .letGo:
        view?.removeFromSuperview()
        view = nil
      }
    }
  }

  @MainActor
  private final class Actor {
    let body: () -> Void
    init(_ body: @escaping () -> Void) { self.body = body }
    func act() { body() }
  }

  /// Logs its touches, and runs a test's code at places of the hit test and of the delivery.
  private final class ActingView: UIView {
    let log: Log
    var onHitTest: () -> Void = {}
    var onPointInside: () -> Void = {}
    var onShouldBegin: () -> Void = {}
    var onPhase: [UITouch.Phase: () -> Void] = [:]

    init(_ log: Log, _ frame: CGRect) {
      self.log = log
      super.init(frame: frame)
    }

    override func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
      onHitTest()
      return super.hitTest(point, with: event)
    }

    override func point(inside point: CGPoint, with event: UIEvent?) -> Bool {
      onPointInside()
      return super.point(inside: point, with: event)
    }

    override func gestureRecognizerShouldBegin(_ recognizer: UIGestureRecognizer) -> Bool {
      onShouldBegin()
      return true
    }

    private func note(_ phase: UITouch.Phase) {
      log.add("V.\(phase)")
      onPhase[phase]?()
    }

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) { note(.began) }
    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) { note(.moved) }
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) { note(.ended) }
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
      note(.cancelled)
    }
  }

  /// What the view itself hears of a touch that goes down, moves and is lifted.
  private func expected(_ place: Place, _ deed: Deed) -> [String] {
    let whole = ["V.began", "V.moved", "V.ended"]
    let leaves: Set<Deed> = [.removeSelf, .removeParent, .reparent, .addAgain, .letGo]
    switch place {
    case .hitTest:
      // Where the answer is given by super, the view still stands for it, removed or not.
      return deed == .hide ? [] : whole
    case .pointInside: return whole
    case .shouldReceive, .recognizerBegan: return leaves.contains(deed) ? [] : whole
    case .shouldBegin: return ["V.began", "V.cancelled"]
    case .cancelled: return ["V.began", "V.moved", "V.cancelled"]
    case .began: return leaves.contains(deed) ? ["V.began", "V.cancelled"] : whole
    case .action: return leaves.contains(deed) ? ["V.began", "V.cancelled"] : whole
    case .moved: return leaves.contains(deed) ? ["V.began", "V.moved", "V.cancelled"] : whole
    case .ended: return whole
    }
  }

  @Test func `DV-14, DV-17, DV-18: whatever a handler does, one end follows each began`() {
    for place in Place.allCases {
      for deed in Deed.allCases {
        let scene = Scene(place: place, deed: deed)
        let move = touch.down(at: at(10, 10)).move(to: at(60, 10), samples: 1)
        scene.stage.play(place == .cancelled ? move.cancel() : move.up().wait(.seconds(1)))
        let lines = scene.stage.log.take()
        #expect(lines.filter { $0 == "\(deed)" }.count == 1, "\(place) \(deed): \(lines)")
        #expect(
          lines.filter { $0.hasPrefix("V.") } == expected(place, deed), "\(place) \(deed): \(lines)"
        )
        #expect(scene.stage.application.diagnostics == TouchDiagnostics(), "\(place) \(deed)")
        if deed == .letGo { #expect(scene.gone == nil, "\(place)") }
      }
    }
  }

  @Test func `HT-30, DV-14: what leaves while it is tested gets its touch, but in no window`() {
    let scene = Scene(place: .hitTest, deed: .removeSelf)
    var window: UIWindow?
    scene.view?.onPhase[.began] = { [unowned scene] in window = scene.view?.window }
    scene.stage.play(touch.tap(at: at(10, 10)))
    #expect(window == nil && scene.view?.superview == nil)
  }
}

extension UIGestureRecognizer {
  /// Adds a target that the stage keeps.
  fileprivate func addTarget<Target: AnyObject>(
    _ target: Target, action: @escaping @MainActor @Sendable (Target) -> @MainActor () -> Void,
    keptBy stage: Stage
  ) {
    stage.keep(target)
    addTarget(target, action: action)
  }
}

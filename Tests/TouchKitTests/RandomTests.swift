import Glibc
import Testing
import TouchKit
import TouchModel

/// A view that checks that each touch begins once, ends once, and is told nothing after.
private final class LawfulView: UIView {
  var live: Set<UITouch> = []
  var faults: [String] = []

  private func check(_ touches: Set<UITouch>, _ phase: UITouch.Phase, isLive: Bool) {
    if touches.isEmpty { faults.append("an empty set") }
    for touch in touches {
      if touch.phase != phase { faults.append("\(phase) with \(touch.phase)") }
      if live.contains(touch) != isLive { faults.append("\(phase) of live \(!isLive)") }
    }
  }

  override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
    check(touches, .began, isLive: false)
    live.formUnion(touches)
  }

  override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {
    check(touches, .moved, isLive: true)
  }

  override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
    check(touches, .ended, isLive: true)
    live.subtract(touches)
  }

  override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
    check(touches, .cancelled, isLive: true)
    live.subtract(touches)
  }
}

/// Counts the actions that don't follow from the one before.
@MainActor
private final class StateWatch {
  var last: [ObjectIdentifier: UIGestureRecognizer.State] = [:]
  var faults: [String] = []

  func acted(_ recognizer: UIGestureRecognizer) {
    let key = ObjectIdentifier(recognizer)
    let isRunning = last[key] == .began || last[key] == .changed
    switch recognizer.state {
    case .began: if isRunning { faults.append("began twice") }
    case .changed, .cancelled: if !isRunning { faults.append("\(recognizer.state) from nothing") }
    case .ended:
      let isDiscrete =
        recognizer is UITapGestureRecognizer || recognizer is UISwipeGestureRecognizer
      if isRunning == isDiscrete { faults.append("ended from \(String(describing: last[key]))") }
    case .possible, .failed: faults.append("an action for \(recognizer.state)")
    }
    last[key] = recognizer.state
  }
}

private struct SeededNumbers: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

@MainActor @Suite struct `Random fingers` {
  private enum Move {
    case down, motion, up, cancel, wait, manyMotions, removeView, disable, hideWindow, cancelAll
    case changeState
  }

  @MainActor
  private final class World {
    let application = UIApplication()
    let window: UIWindow
    let watch = StateWatch()
    var views: [LawfulView] = []
    var recognizers: [UIGestureRecognizer] = []
    var delegates: [LogDelegate] = []
    var contacts: [Contact] = []
    var numbers: SeededNumbers
    var time: UInt64 = 1_000_000_000
    var nextID: UInt64 = 1

    init(seed: UInt64) {
      numbers = SeededNumbers(state: seed)
      window = UIWindow(
        frame: CGRect(x: 0, y: 0, width: 300, height: 300), application: application)
      window.isHidden = false
      if Bool.random(using: &numbers) {
        application.configuration.frameInterval = .milliseconds(16)
        application.configuration.resamplesMoves = Bool.random(using: &numbers)
      }
      if Int.random(in: 0..<4, using: &numbers) == 0 {
        application.configuration.contactLimit = ContactLimit(most: 3)
      }
      application.configuration.reportsForceChanges = Bool.random(using: &numbers)
      for index in 0..<4 {
        let view = LawfulView(
          frame: CGRect(x: Double(index) * 40, y: Double(index) * 30, width: 200, height: 200))
        view.isMultipleTouchEnabled = Bool.random(using: &numbers)
        view.isExclusiveTouch = Int.random(in: 0..<6, using: &numbers) == 0
        ((views.randomElement(using: &numbers) as UIView?) ?? window).addSubview(view)
        views.append(view)
        add(to: view)
      }
    }

    private func add(to view: UIView) {
      let made: [UIGestureRecognizer] = [
        UITapGestureRecognizer(), UIPanGestureRecognizer(), UILongPressGestureRecognizer(),
        UIPinchGestureRecognizer(), UISwipeGestureRecognizer(), UIRotationGestureRecognizer(),
        UIScreenEdgePanGestureRecognizer(),
      ]
      for recognizer in made.shuffled(using: &numbers).prefix(3) {
        if let tap = recognizer as? UITapGestureRecognizer {
          tap.numberOfTapsRequired = Int.random(in: 1...2, using: &numbers)
          tap.numberOfTouchesRequired = Int.random(in: 1...2, using: &numbers)
        }
        recognizer.cancelsTouchesInView = Bool.random(using: &numbers)
        recognizer.delaysTouchesBegan = Int.random(in: 0..<3, using: &numbers) == 0
        recognizer.delaysTouchesEnded = Bool.random(using: &numbers)
        if Bool.random(using: &numbers), let other = recognizers.randomElement(using: &numbers) {
          recognizer.require(toFail: other)
        }
        if Int.random(in: 0..<3, using: &numbers) == 0 {
          let delegate = LogDelegate("D", Log())
          delegate.logs = false
          delegate.together = Bool.random(using: &numbers)
          let required = recognizers.randomElement(using: &numbers)
          delegate.requires = { $0 === required }
          recognizer.delegate = delegate
          delegates.append(delegate)
        }
        recognizer.addTarget(watch, action: StateWatch.acted)
        view.addGestureRecognizer(recognizer)
        recognizers.append(recognizer)
      }
    }

    func step(_ move: Move) {
      switch move {
      case .down:
        guard contacts.count < 5 else { return }
        let taken = contacts.map(\.slot)
        let slot: Int32 = (0...5).first { !taken.contains($0) } ?? 0
        contacts.append(
          Contact(id: nextID, slot: slot, phase: .down, position: randomPoint()))
        nextID += 1
        send()
      case .motion: shift()
      case .manyMotions: for _ in 0..<4 { shift(handling: false) }
      case .up, .cancel:
        guard let index = contacts.indices.randomElement(using: &numbers) else { return }
        contacts[index].phase = move == .up ? .up : .cancel
        send()
      case .wait:
        time += UInt64.random(in: 0...600_000_000, using: &numbers)
        application.handleEventQueue()
        application.fireTimers(upTo: time)
      case .removeView:
        guard let view = views.randomElement(using: &numbers) else { return }
        let parent = view.superview
        view.removeFromSuperview()
        parent?.addSubview(view)
      case .disable:
        guard let recognizer = recognizers.randomElement(using: &numbers) else { return }
        recognizer.isEnabled.toggle()
        recognizer.isEnabled = true
      case .hideWindow:
        window.isHidden = true
        window.isHidden = false
      case .cancelAll: application.cancelAllTouches()
      case .changeState:
        let states: [UIApplication.State] = [.active, .active, .inactive, .background]
        application.transition(to: states.randomElement(using: &numbers) ?? .active)
      }
      if Bool.random(using: &numbers) { application.settle() }
    }

    private func shift(handling: Bool = true) {
      for index in contacts.indices where Bool.random(using: &numbers) {
        contacts[index].phase = .motion
        contacts[index].position.x += Double.random(in: -15...15, using: &numbers)
        contacts[index].position.y += Double.random(in: -15...15, using: &numbers)
        contacts[index].pressure = Float(Int.random(in: 0...2, using: &numbers)) / 2
      }
      send(handling: handling)
    }

    private func send(handling: Bool = true) {
      time += UInt64.random(in: 1...20_000_000, using: &numbers)
      application.enqueue(TouchFrame(timeNanoseconds: time, contacts: contacts))
      if handling { application.handleEventQueue() }
      contacts.removeAll { $0.phase.isEnd }
      for index in contacts.indices { contacts[index].phase = .still }
    }

    private func randomPoint() -> Point {
      Point(
        x: Double.random(in: -20..<320, using: &numbers),
        y: Double.random(in: -20..<320, using: &numbers))
    }

    func finish() {
      for index in contacts.indices { contacts[index].phase = .up }
      send()
      application.fireTimers(upTo: time + 5_000_000_000)
      application.settle()
    }

    var faults: [String] {
      var faults = watch.faults
      for view in views {
        faults += view.faults
        if !view.live.isEmpty { faults.append("\(view.live.count) touches never ended") }
      }
      for recognizer in recognizers where recognizer.state != .possible {
        faults.append("\(type(of: recognizer)) stays \(recognizer.state)")
      }
      if application.nextDeadlineNanoseconds != nil { faults.append("a timer is left") }
      if application.diagnostics.unlawfulContacts > 0 { faults.append("an unlawful contact") }
      return faults
    }
  }

  /// How many worlds are tried; `TOUCHBRIDGE_ROUNDS` asks for more.
  nonisolated static let rounds =
    getenv("TOUCHBRIDGE_ROUNDS").flatMap {
      UInt64(String(cString: $0))
    } ?? 150

  @Test func `whatever fingers do, each touch begins and ends once, and all comes to rest`() {
    let common: [Move] = [
      .down, .down, .motion, .motion, .motion, .manyMotions, .up, .up, .cancel, .wait,
    ]
    let rare: [Move] = [.removeView, .disable, .hideWindow, .cancelAll, .changeState, .changeState]
    for seed in 0..<Self.rounds {
      let world = World(seed: seed)
      for _ in 0..<120 {
        let isRare = Int.random(in: 0..<25, using: &world.numbers) == 0
        let moves = isRare ? rare : common
        if let move = moves.randomElement(using: &world.numbers) { world.step(move) }
      }
      world.finish()
      #expect(world.faults == [], "seed \(seed)")
    }
  }
}

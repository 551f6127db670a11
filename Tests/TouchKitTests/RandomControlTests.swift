import TestSupport
import Testing
import TouchKit
import TouchModel

/// The laws of what one control sends.
@MainActor
private struct Ledger {
  /// Whether `touchDown` was sent and its end was not.
  var isDown = false
  var isInside = false
  var downs = 0
  /// Lifts and cancels; and what ended silently, as CT-8 has it.
  var ends = 0
  var lifts = 0
  var primaries = 0
  var faults: [String] = []

  static let names: [(UIControl.Event, String)] = [
    (.touchDown, "touchDown"), (.touchDownRepeat, "touchDownRepeat"),
    (.touchDragInside, "touchDragInside"), (.touchDragOutside, "touchDragOutside"),
    (.touchDragEnter, "touchDragEnter"), (.touchDragExit, "touchDragExit"),
    (.touchUpInside, "touchUpInside"), (.touchUpOutside, "touchUpOutside"),
    (.touchCancel, "touchCancel"), (.primaryActionTriggered, "primaryActionTriggered"),
  ]

  mutating func take(_ event: UIControl.Event, _ name: String) {
    if event == .primaryActionTriggered {
      primaries += 1
      return
    }
    if isDown == (event == .touchDown) {
      faults.append("\(name) \(isDown ? "before the end of the last" : "without touchDown")")
    }
    switch event {
    case .touchDown:
      downs += 1
      (isDown, isInside) = (true, true)
    case .touchUpInside, .touchUpOutside, .touchCancel:
      ends += 1
      if event == .touchUpInside { lifts += 1 }
      isDown = false
    case .touchDragEnter, .touchDragExit:
      if isInside == (event == .touchDragEnter) { faults.append("\(name) twice") }
      isInside.toggle()
    case .touchDragInside, .touchDragOutside:
      if isInside != (event == .touchDragInside) { faults.append("\(name) on the other side") }
    default: break
    }
  }
}

/// A button that may do something to itself or others at any call.
private final class WildButton: UIButton {
  unowned let world: ControlWorld
  var ledger = Ledger()
  /// The touch that `beginTracking` has agreed to last: the one that is tracked, if one is at all.
  private var last: UITouch?
  private var agreed: Set<UITouch> = []

  init(_ world: ControlWorld, _ frame: CGRect) {
    self.world = world
    super.init(frame: frame)
    for (event, name) in Ledger.names {
      addAction(
        UIAction(identifier: .init(name)) { [unowned self] _ in
          ledger.take(event, name)
          world.maybeAct(on: self)
        }, for: event)
    }
  }

  override func beginTracking(_ touch: UITouch, with event: UIEvent?) -> Bool {
    world.maybeAct(on: self)
    guard !world.chance(8) else { return false }
    last = touch
    agreed.insert(touch)
    return true
  }

  override func continueTracking(_ touch: UITouch, with event: UIEvent?) -> Bool {
    if !agreed.contains(touch) { ledger.faults.append("continues what it does not track") }
    world.maybeAct(on: self)
    // Of several touches nobody but the control knows which makes the events.
    guard !isMultipleTouchEnabled, world.chance(10) else { return true }
    if isTracking, last === touch, ledger.isDown {
      ledger.isDown = false
      ledger.ends += 1
    }
    return false
  }

  override func endTracking(_ touch: UITouch?, with event: UIEvent?) {
    if let touch, agreed.remove(touch) == nil {
      ledger.faults.append("ends what it does not track")
    }
    world.maybeAct(on: self)
  }

  override func cancelTracking(with event: UIEvent?) { world.maybeAct(on: self) }

  override var isHighlighted: Bool { didSet { world.maybeAct(on: self) } }

  override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
    world.maybeAct(on: self)
    super.touchesBegan(touches, with: event)
  }

  override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {
    world.maybeAct(on: self)
    super.touchesMoved(touches, with: event)
  }

  override func point(inside point: CGPoint, with event: UIEvent?) -> Bool {
    world.maybeAct(on: self)
    return super.point(inside: point, with: event)
  }

  /// What is wrong once all fingers are up.
  func faultsAtRest() -> [String] {
    var faults = ledger.faults
    if isTracking || isTouchInside { faults.append("still tracking") }
    if isHighlighted { faults.append("still highlighted") }
    if ledger.isDown || ledger.downs != ledger.ends {
      faults.append("\(ledger.downs) touchDown, \(ledger.ends) ends")
    }
    if ledger.lifts != ledger.primaries {
      faults.append("\(ledger.lifts) touchUpInside, \(ledger.primaries) primary actions")
    }
    return faults
  }
}

/// A window, some buttons in views, recognisers about them, and fingers.
@MainActor
private final class ControlWorld {
  enum Deed: CaseIterable {
    case remove, add, disable, enable, hide, darken, hideWindow, moveAway
    case handleMore, handleMuchMore, passTime, settle, cancelAll, cancelOne
  }

  let application = UIApplication()
  let window: UIWindow
  let panes: [UIView]
  private(set) var buttons: [WildButton] = []
  private var numbers: SplitMix
  private var depth = 0
  /// One call in so many does something.
  private var rarity = 10

  private var contacts: [Contact] = []
  private var time: UInt64 = 1_000_000_000
  private var nextID: UInt64 = 1

  init(seed: UInt64) {
    numbers = SplitMix(seed: seed)
    window = UIWindow(
      frame: CGRect(x: 0, y: 0, width: 600, height: 300), application: application)
    panes = (0..<2).map {
      UIView(frame: CGRect(x: 300 * Double($0), y: 0, width: 300, height: 300))
    }
    for pane in panes { window.addSubview(pane) }
    for index in 0..<4 {
      let button = WildButton(
        self, CGRect(x: 150 * Double(index % 2), y: 0, width: 150, height: 300))
      button.isMultipleTouchEnabled = chance(2)
      panes[index / 2].addSubview(button)
      buttons.append(button)
    }
    let recognizers: [UIGestureRecognizer] = [
      UITapGestureRecognizer(), UIPanGestureRecognizer(), UILongPressGestureRecognizer(),
    ]
    for recognizer in recognizers where chance(3) {
      recognizer.delaysTouchesBegan = chance(3)
      recognizer.addTarget(self, action: ControlWorld.recognized)
      panes[pick(2)].addGestureRecognizer(recognizer)
    }
    window.makeKeyAndVisible()
  }

  func recognized() { maybeAct(on: buttons[pick(buttons.count)]) }

  func maybeAct(on own: WildButton) {
    guard depth < 3, chance(rarity) else { return }
    depth += 1
    act(on: chance(4) ? buttons[pick(buttons.count)] : own)
    depth -= 1
  }

  private func act(on button: WildButton) {
    switch Deed.allCases[pick(Deed.allCases.count)] {
    case .remove: button.removeFromSuperview()
    case .add: panes[pick(2)].addSubview(button)
    case .disable: button.isEnabled = false
    case .enable: button.isEnabled = true
    case .hide: button.isHidden.toggle()
    case .darken: button.isHighlighted = false
    case .hideWindow: window.isHidden.toggle()
    case .moveAway: button.frame.origin.x += 50 - Double(pick(100))
    case .handleMore: moveFingers()
    case .handleMuchMore: for _ in 0..<4 { moveFingers() }
    case .passTime: passTime()
    case .settle: application.settle()
    case .cancelAll: application.cancelAllTouches()
    case .cancelOne: lift(.cancel)
    }
  }

  // MARK: Fingers

  func step() {
    for button in buttons where chance(4) {
      if button.window == nil { panes[pick(2)].addSubview(button) }
      button.isEnabled = true
      button.isHidden = false
    }
    if chance(2) { window.isHidden = false }
    if chance(10) { passTime() } else { moveFingers() }
    if chance(2) { application.settle() }
  }

  private func moveFingers() {
    switch pick(8) {
    case 0, 1, 2: down()
    case 3, 4: move()
    case 5, 6: lift(.up)
    default: lift(.cancel)
    }
  }

  private func passTime() {
    time += UInt64(pick(700)) * 1_000_000
    application.fireTimers(upTo: time)
  }

  private func down() {
    for _ in 0...pick(2) where contacts.count < 5 {
      let slot: Int32 = (0...5).first { slot in !contacts.contains { $0.slot == slot } } ?? 0
      contacts.append(Contact(id: nextID, slot: slot, phase: .down, position: place()))
      nextID += 1
    }
    send()
  }

  private func move() {
    for index in contacts.indices where chance(2) {
      contacts[index].phase = .motion
      contacts[index].position = place()
    }
    send()
  }

  private func lift(_ phase: ContactPhase) {
    for _ in 0...pick(2) where !contacts.isEmpty { contacts[pick(contacts.count)].phase = phase }
    send()
  }

  private func place() -> Point { Point(x: Double(pick(600)), y: Double(pick(300))) }

  private func send() {
    time += 8_000_000
    application.enqueue(TouchFrame(timeNanoseconds: time, contacts: contacts))
    contacts.removeAll { $0.phase.isEnd }
    for index in contacts.indices { contacts[index].phase = .still }
    application.handleEventQueue()
  }

  /// Lifts all fingers, and tells what is wrong then.
  func finish() -> [String] {
    rarity = .max
    for index in contacts.indices { contacts[index].phase = .up }
    send()
    application.fireTimers(upTo: time + 5_000_000_000)
    application.settle()
    var faults = buttons.flatMap { $0.faultsAtRest() }
    if application.diagnostics.unlawfulContacts > 0 { faults.append("an unlawful contact") }
    return faults
  }

  // MARK: Numbers

  private func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &numbers) }
  func chance(_ rarity: Int) -> Bool { rarity != .max && pick(rarity) == 0 }
}

@MainActor @Suite struct `Random controls` {
  /// Steps are ten to a round, as with the random trees.
  @Test func `CT-12, CT-14, CT-17, PL-20: whatever is done in its calls, a control comes to rest`()
  {
    let seed = environmentSeed("random controls")
    let steps = randomRounds * 10
    let worlds = max(1, steps / 50)
    var downs = 0
    for index in 0..<UInt64(worlds) {
      let world = ControlWorld(seed: seed &+ index)
      for _ in 0..<steps / worlds { world.step() }
      let faults = world.finish()
      #expect(faults.isEmpty, "seed \(seed &+ index): \(faults.prefix(5))")
      if !faults.isEmpty { return }
      for button in world.buttons { downs += button.ledger.downs }
    }
    // Of eight steps three put a finger down, and most of the window is buttons.
    #expect(downs > steps / 30)
  }
}

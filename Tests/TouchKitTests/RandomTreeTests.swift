import TestSupport
import Testing
import TouchKit
import TouchModel

/// A view that keeps the laws of its touches, and may do something to the tree at any call.
private final class TreeView: UIView {
  let world: TreeWorld
  var live: Set<UITouch> = []

  init(_ world: TreeWorld, _ frame: CGRect) {
    self.world = world
    super.init(frame: frame)
  }

  override func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
    world.maybeAct()
    let hit = super.hitTest(point, with: event)
    world.maybeAct()
    return hit
  }

  override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
    world.check(touches, .began, on: self)
    live.formUnion(touches)
    world.began += touches.count
    world.maybeAct()
  }

  override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {
    world.check(touches, .moved, on: self)
    world.maybeAct()
  }

  override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
    world.check(touches, .ended, on: self)
    live.subtract(touches)
    world.ended += touches.count
    world.maybeAct()
  }

  override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
    world.check(touches, .cancelled, on: self)
    live.subtract(touches)
    world.ended += touches.count
    world.maybeAct()
  }

  override func willMove(toSuperview newSuperview: UIView?) { world.maybeAct() }
  override func didMoveToSuperview() { world.maybeAct() }
  override func willMove(toWindow newWindow: UIWindow?) { world.maybeAct() }
  override func didMoveToWindow() { world.maybeAct() }
  override func didAddSubview(_ subview: UIView) { world.maybeAct() }
  override func willRemoveSubview(_ subview: UIView) { world.maybeAct() }

  override var canBecomeFirstResponder: Bool {
    world.maybeAct()
    return true
  }
  override var canResignFirstResponder: Bool {
    world.maybeAct()
    return true
  }
  /// Asked as a first responder of the key window, and then of what holds it.
  override func canPerformAction(_ action: AnySelector, withSender sender: AnyObject?) -> Bool {
    if window == nil { world.faults.append("a first responder outside of any window") }
    return false
  }
  func act() {}

  isolated deinit { world.gone(live.count) }
}

/// A window that may change the tree when it hears that it is key, or is no more.
private final class TreeWindow: UIWindow {
  unowned let world: TreeWorld
  var isKey = false

  init(_ world: TreeWorld, _ frame: CGRect) {
    self.world = world
    super.init(frame: frame, application: world.application)
  }

  override func becomeKey() {
    if isKey { world.faults.append("key twice") }
    isKey = true
    world.maybeAct()
  }

  override func resignKey() {
    if !isKey { world.faults.append("no longer key twice") }
    isKey = false
    world.maybeAct()
  }
}

/// A controller whose appearance must alternate, and that may change the tree when it hears of it.
private final class TreeController: UIViewController {
  let world: TreeWorld
  private var steps: [String] = []

  init(_ world: TreeWorld) {
    self.world = world
    super.init()
  }

  private func step(_ name: String, after allowed: Set<String>) {
    if !allowed.contains(steps.last ?? "did disappear") {
      world.faults.append("\(name) after \(steps.last ?? "nothing")")
    }
    steps = [name]
    world.maybeAct()
  }

  override func loadView() {
    view = TreeView(world, CGRect(x: 20, y: 20, width: 150, height: 150))
  }
  override func viewWillAppear(_ animated: Bool) {
    step("will appear", after: ["did disappear", "will disappear"])
  }
  override func viewDidAppear(_ animated: Bool) { step("did appear", after: ["will appear"]) }
  override func viewWillDisappear(_ animated: Bool) {
    step("will disappear", after: ["did appear", "will appear"])
  }
  override func viewDidDisappear(_ animated: Bool) {
    step("did disappear", after: ["will disappear"])
  }
}

/// Two windows, some views and controllers, and fingers; all by one row of random numbers.
@MainActor
private final class TreeWorld {
  enum Deed: CaseIterable {
    case add, addAnother, insert, exchange, front, back, remove, forget, make, hide, disable, fade
    case resize, turn, multiple, exclusive, present, dismiss, hideWindow, focus, endEditing, root
    case makeKey, letWindowGo
    case handleMore, passTime, settle, cancel
  }

  let application = UIApplication()
  var windows: [TreeWindow] = []
  var views: [TreeView] = []
  var controllers: [TreeController] = []
  var numbers: SplitMix
  var faults: [String] = []
  var began = 0
  var ended = 0
  var actingDepth = 0
  /// One call in so many changes the tree.
  var rarity = 12

  private var contacts: [Contact] = []
  private var time: UInt64 = 1_000_000_000
  private var nextID: UInt64 = 1

  init(seed: UInt64) {
    numbers = SplitMix(seed: seed)
    for index in 0..<2 { windows.append(window(index)) }
    for _ in 0..<3 { controllers.append(TreeController(self)) }
    for window in windows { window.makeKeyAndVisible() }
    for _ in 0..<8 { make() }
  }

  func gone(_ live: Int) {
    if live > 0 { faults.append("a view went with \(live) live touches") }
  }

  func check(_ touches: Set<UITouch>, _ phase: UITouch.Phase, on view: TreeView) {
    if touches.isEmpty { faults.append("an empty set") }
    for touch in touches {
      if touch.phase != phase { faults.append("\(phase) with \(touch.phase)") }
      if touch.view !== view { faults.append("\(phase) on another view") }
      if view.live.contains(touch) == (phase == .began) {
        faults.append("\(phase) of a touch that \(phase == .began ? "is" : "is not") live")
      }
    }
  }

  // MARK: The tree

  private func window(_ index: Int) -> TreeWindow {
    TreeWindow(self, CGRect(x: Double(index) * 100, y: 0, width: 300, height: 300))
  }

  private func make() {
    let frame = CGRect(
      x: number(-20...200), y: number(-20...200), width: number(0...200), height: number(0...200))
    let parent = anyView
    let view = TreeView(self, frame)
    views.append(view)
    if chance(3) { view.addGestureRecognizer(recognizer()) }
    parent.addSubview(view)
  }

  private func recognizer() -> UIGestureRecognizer {
    let made: [UIGestureRecognizer] = [
      UITapGestureRecognizer(), UIPanGestureRecognizer(), UILongPressGestureRecognizer(),
    ]
    let recognizer = made[pick(made.count)]
    recognizer.delaysTouchesBegan = chance(3)
    recognizer.addTarget(self, action: TreeWorld.maybeAct)
    recognizer.delegate = self
    return recognizer
  }

  private var anyView: UIView {
    let index = pick(views.count + windows.count)
    return index < windows.count ? windows[index] : views[index - windows.count]
  }

  private func mayHold(_ parent: UIView, _ view: UIView) -> Bool { !parent.isDescendant(of: view) }

  func maybeAct() {
    guard actingDepth < 3, chance(rarity) else { return }
    actingDepth += 1
    act()
    actingDepth -= 1
  }

  func act() {
    guard !views.isEmpty else { return make() }
    let deed = Deed.allCases[pick(Deed.allCases.count)]
    let view = views[pick(views.count)]
    let parent = anyView
    switch deed {
    case .add, .addAnother: if mayHold(parent, view) { parent.addSubview(view) }
    case .insert: if mayHold(parent, view) { parent.insertSubview(view, at: pick(4)) }
    case .exchange: parent.exchangeSubview(at: pick(4), withSubviewAt: pick(4))
    case .front: parent.bringSubviewToFront(view)
    case .back: parent.sendSubviewToBack(view)
    case .remove: view.removeFromSuperview()
    case .forget:
      // The last reference outside of the tree and of a delivery.
      views.removeAll { $0 === view }
      view.removeFromSuperview()
    case .make: if views.count < 20 { make() }
    case .hide: view.isHidden.toggle()
    case .disable: view.isUserInteractionEnabled.toggle()
    case .fade: view.alpha = chance(2) ? 0 : 1
    case .resize: view.frame.size = CGSize(width: number(-50...250), height: number(0...250))
    case .turn: view.transform = CGAffineTransform(rotationAngle: number(0...6))
    case .multiple: view.isMultipleTouchEnabled.toggle()
    case .exclusive: view.isExclusiveTouch.toggle()
    case .present: controllers[pick(3)].present(controllers[pick(3)], animated: false)
    case .dismiss: controllers[pick(3)].dismiss(animated: false)
    case .root: windows[pick(2)].rootViewController = chance(3) ? nil : controllers[pick(3)]
    case .hideWindow: windows[pick(2)].isHidden = chance(4)
    case .focus: view.becomeFirstResponder()
    case .endEditing: view.endEditing(true)
    case .makeKey: windows[pick(2)].makeKey()
    case .letWindowGo:
      if chance(4) {
        let index = pick(2)
        windows[index] = window(index)
        windows[index].isHidden = false
      }
    // A nested run of the loop, or parts of one.
    case .handleMore: moveFingers()
    case .passTime: passTime()
    case .settle: application.settle()
    case .cancel: application.cancelAllTouches()
    }
  }

  // MARK: Fingers

  func step() {
    switch pick(10) {
    case 0: act()
    case 1:
      if chance(10) {
        // As when the connection is lost: their ends never come. Handlers may bring new ones.
        let lost = contacts.map(\.id)
        contacts = []
        application.cancelAllTouches()
        contacts.removeAll { lost.contains($0.id) }
      }
      passTime()
    default: moveFingers()
    }
    if chance(2) { application.settle() }
    checkTree()
  }

  private func moveFingers() {
    switch pick(8) {
    case 0, 1: down()
    case 2, 3, 4: move()
    case 5, 6: lift(.up)
    default: lift(.cancel)
    }
  }

  private func passTime() {
    time += UInt64(pick(700)) * 1_000_000
    application.fireTimers(upTo: time)
  }

  private func down() {
    guard contacts.count < 5 else { return }
    let slot: Int32 = (0...5).first { slot in !contacts.contains { $0.slot == slot } } ?? 0
    let place = Point(x: number(-10...420), y: number(-10...320))
    contacts.append(Contact(id: nextID, slot: slot, phase: .down, position: place))
    nextID += 1
    send()
  }

  private func move() {
    for index in contacts.indices where chance(2) {
      contacts[index].phase = .motion
      contacts[index].position.x += number(-15...15)
    }
    send()
  }

  private func lift(_ phase: ContactPhase) {
    guard !contacts.isEmpty else { return }
    contacts[pick(contacts.count)].phase = phase
    send()
  }

  private func send() {
    time += 8_000_000
    application.enqueue(TouchFrame(timeNanoseconds: time, contacts: contacts))
    contacts.removeAll { $0.phase.isEnd }
    for index in contacts.indices { contacts[index].phase = .still }
    application.handleEventQueue()
  }

  /// Lifts all fingers and looks whether each began has had its end.
  func finish() {
    rarity = .max
    for index in contacts.indices { contacts[index].phase = .up }
    send()
    application.fireTimers(upTo: time + 5_000_000_000)
    application.settle()
    if began != ended { faults.append("\(began) began, \(ended) ended") }
    for view in views where !view.live.isEmpty { faults.append("a live touch is left") }
    for recognizer in views.flatMap({ $0.gestureRecognizers ?? [] }) {
      if recognizer.state != .possible || recognizer.numberOfTouches > 0 {
        faults.append("\(type(of: recognizer)) is left \(recognizer.state)")
      }
    }
    if application.diagnostics.unlawfulContacts > 0 { faults.append("an unlawful contact") }
    // Views know the world, which knows them.
    for window in windows {
      window.rootViewController = nil
      for view in window.subviews { view.removeFromSuperview() }
    }
    views = []
    controllers = []
  }

  // MARK: The tree's own laws

  private func checkTree() {
    for window in windows {
      checkBelow(window)
      if window.isKey != window.isKeyWindow { faults.append("a window is wrong about being key") }
    }
    let shown = windows.filter { !$0.isHidden }.map(ObjectIdentifier.init)
    if Set(application.windows.map(ObjectIdentifier.init)) != Set(shown) {
      faults.append("other windows are shown than are kept")
    }
    application.sendAction(Selector("act", TreeView.act), to: nil, from: nil, for: nil)
    for view in views {
      if let parent = view.superview, !parent.subviews.contains(where: { $0 === view }) {
        faults.append("a view has a superview that does not hold it")
      }
    }
  }

  private func checkBelow(_ view: UIView) {
    for (index, child) in view.subviews.enumerated() {
      if child.superview !== view { faults.append("a subview has another superview") }
      if view.subviews[..<index].contains(where: { $0 === child }) {
        faults.append("a subview twice")
      }
      checkBelow(child)
    }
  }

  // MARK: Numbers

  private func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &numbers) }
  private func chance(_ rarity: Int) -> Bool { rarity != .max && pick(rarity) == 0 }
  private func number(_ range: ClosedRange<Double>) -> Double {
    Double.random(in: range, using: &numbers)
  }
}

extension TreeWorld: UIGestureRecognizerDelegate {
  func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool {
    maybeAct()
    return !chance(8)
  }

  func gestureRecognizer(_ one: UIGestureRecognizer, shouldReceive touch: UITouch) -> Bool {
    maybeAct()
    return !chance(8)
  }
}

@MainActor @Suite struct `Random trees` {
  /// Steps are ten to a round: `script/test --long` makes 100,000 of them.
  @Test func `DV-14, DV-18, HT-30: whatever becomes of the tree, each began has one end`() {
    let seed = environmentSeed("random trees")
    let steps = randomRounds * 10
    let worlds = max(1, steps / 200)
    var began = 0
    for index in 0..<UInt64(worlds) {
      let world = TreeWorld(seed: seed &+ index)
      for _ in 0..<steps / worlds { world.step() }
      world.finish()
      #expect(world.faults.isEmpty, "seed \(seed &+ index): \(world.faults.prefix(5))")
      if !world.faults.isEmpty { return }
      began += world.began
    }
    // Of ten steps one or two put a finger down, and most of the screen is views.
    #expect(began > steps / 300)
  }
}

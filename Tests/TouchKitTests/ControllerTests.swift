import Testing
import TouchKit
import TouchTestSupport

/// A controller that logs what it is told about its view.
private final class Page: UIViewController {
  let name: String
  let log: Log
  var onWillAppear: () -> Void = {}
  var onWillDisappear: () -> Void = {}
  var onDidDisappear: () -> Void = {}
  var onDidLoad: () -> Void = {}

  init(_ name: String, _ log: Log) {
    self.name = name
    self.log = log
    super.init()
  }

  override func loadView() {
    view = LogView(name, log, CGRect(x: 0, y: 0, width: 10, height: 10))
  }
  override func viewDidLoad() { onDidLoad() }
  override func viewWillAppear(_ animated: Bool) {
    log.add("\(name) will appear\(animated ? " animated" : "")")
    onWillAppear()
  }
  override func viewDidAppear(_ animated: Bool) { log.add("\(name) did appear") }
  override func viewWillDisappear(_ animated: Bool) {
    log.add("\(name) will disappear")
    onWillDisappear()
  }
  override func viewDidDisappear(_ animated: Bool) {
    log.add("\(name) did disappear")
    onDidDisappear()
  }
  override func willMove(toParent parent: UIViewController?) {
    log.add("\(name) to \((parent as? Page)?.name ?? "nil")")
  }
  override func didMove(toParent parent: UIViewController?) {
    log.add("\(name) in \((parent as? Page)?.name ?? "nil")")
  }
}

@MainActor @Suite struct `View controllers` {
  private let stage = Stage()
  private var log: Log { stage.log }

  private func page(_ name: String) -> Page { Page(name, stage.log) }

  private func root() -> Page {
    let root = page("root")
    stage.window.rootViewController = root
    _ = stage.log.take()
    return root
  }

  @Test func `a root controller appears with its window and goes with it`() {
    let root = page("root")
    stage.window.isHidden = true
    stage.window.rootViewController = root
    #expect(log.take() == [])
    stage.window.isHidden = false
    #expect(log.take() == ["root will appear", "root did appear"])
    stage.window.isHidden = true
    #expect(log.take() == ["root will disappear", "root did disappear"])
    stage.window.isHidden = false
    let next = page("next")
    stage.window.rootViewController = next
    #expect(
      log.take() == [
        "root will appear", "root did appear", "root will disappear", "root did disappear",
        "next will appear", "next did appear",
      ])
    #expect(next.next === stage.window && root.next == nil)
  }

  @Test func `children hear of their parent, and appear with their view`() {
    let root = root()
    let child = page("child")
    root.addChild(child)
    #expect(log.take() == ["child to root"])
    root.view.addSubview(child.view)
    child.didMove(toParent: root)
    #expect(log.take() == ["child will appear", "child did appear", "child in root"])
    stage.window.isHidden = true
    #expect(
      log.take() == [
        "root will disappear", "child will disappear", "child did disappear", "root did disappear",
      ])
    stage.window.isHidden = false
    _ = log.take()
    child.willMove(toParent: nil)
    child.view.removeFromSuperview()
    child.removeFromParent()
    #expect(
      log.take() == ["child to nil", "child will disappear", "child did disappear", "child in nil"])
    #expect(root.children.isEmpty && child.parent == nil)
  }

  @Test func `a controller is not put into its own child, or into itself`() {
    let root = root()
    let child = page("child")
    root.addChild(child)
    child.addChild(root)
    root.addChild(root)
    #expect(root.parent == nil && child.children.isEmpty && root.children.count == 1)
    #expect(stage.application.diagnostics.refusedControllers == 1)
  }

  @Test func `a child of another parent moves over`() {
    let root = root()
    let other = page("other")
    let child = page("child")
    root.addChild(child)
    other.addChild(child)
    other.addChild(child)
    #expect(root.children.isEmpty && other.children.count == 1 && child.parent === other)
    #expect(log.take() == ["child to root", "child in nil", "child to other"])
  }

  @Test func `RC-5: a presented controller's next is the one that presents it`() {
    let root = root()
    let child = page("child")
    root.addChild(child)
    root.view.addSubview(child.view)
    let sheet = page("sheet")
    child.present(sheet, animated: true)
    #expect(sheet.presentingViewController === root && root.presentedViewController === sheet)
    #expect(child.presentedViewController === sheet && child.presentingViewController == nil)
    #expect(sheet.view.next === sheet && sheet.next === root && root.next === stage.window)
    let inner = page("inner")
    sheet.addChild(inner)
    #expect(inner.presentingViewController === root && inner.next == nil)
  }

  @Test func `presenting and dismissing in full screen, in UIKit's order`() {
    let root = root()
    let sheet = page("sheet")
    var calls = 0
    sheet.onWillAppear = { [unowned sheet] in #expect(sheet.isBeingPresented) }
    root.present(sheet, animated: true) { calls += 1 }
    #expect(
      log.take() == [
        "root will disappear", "sheet will appear", "sheet did appear", "root did disappear",
      ])
    #expect(!sheet.isBeingPresented && calls == 1)
    #expect(sheet.view.frame == stage.window.bounds && stage.window.subviews == [sheet.view])
    sheet.onDidDisappear = { [unowned sheet] in #expect(sheet.isBeingDismissed) }
    sheet.dismiss(animated: true) { calls += 1 }
    #expect(
      log.take() == [
        "sheet will disappear", "root will appear", "root did appear", "sheet did disappear",
      ])
    #expect(!sheet.isBeingDismissed && calls == 2 && sheet.presentingViewController == nil)
    #expect(stage.window.subviews == [root.view] && root.presentedViewController == nil)
    sheet.dismiss(animated: true) { calls += 1 }
    #expect(calls == 2 && log.take() == [])
  }

  @Test func `over the full screen the views behind stay, and get what is let through`() {
    let root = root()
    let sheet = page("sheet")
    sheet.modalPresentationStyle = .overFullScreen
    root.present(sheet, animated: false)
    #expect(log.take() == ["sheet will appear", "sheet did appear"])
    #expect(stage.window.subviews == [root.view, sheet.view])
    stage.play(touch.tap(at: at(5, 5)))
    #expect(log.take() == ["sheet.began{1}", "sheet.ended{1}"])
    sheet.view.isUserInteractionEnabled = false
    stage.play(touch.tap(at: at(5, 5)))
    #expect(log.take() == ["root.began{1}", "root.ended{1}"])
    root.dismiss(animated: false)
    #expect(log.take() == ["sheet will disappear", "sheet did disappear"])
  }

  @Test func `presenting in full screen cancels the touches behind`() {
    let root = root()
    let sheet = page("sheet")
    stage.play(
      touch.down(at: at(5, 5)).then { root.present(sheet, animated: true) }.move(to: at(9, 9)).up()
    )
    #expect(
      log.take() == [
        "root.began{1}", "root will disappear", "sheet will appear", "sheet did appear",
        "root.cancelled{1}", "root did disappear",
      ])
  }

  @Test func `dismissing takes all that lies over it, and brings back the one below`() {
    let root = root()
    let first = page("first")
    let second = page("second")
    root.present(first, animated: false)
    first.present(second, animated: false)
    _ = log.take()
    #expect(stage.window.subviews == [second.view])
    root.dismiss(animated: false)
    #expect(
      log.take() == [
        "second will disappear", "second did disappear", "root will appear", "root did appear",
      ])
    #expect(stage.window.subviews == [root.view])
    #expect(first.presentingViewController == nil && second.presentingViewController == nil)
    root.present(first, animated: false)
    first.present(second, animated: false)
    second.dismiss(animated: false)
    #expect(stage.window.subviews == [first.view] && root.presentedViewController === first)
  }

  @Test func `what cannot be presented is refused and counted, without a call`() {
    let root = root()
    let child = page("child")
    root.addChild(child)
    let sheet = page("sheet")
    let loose = page("loose")
    var calls = 0
    loose.present(sheet, animated: false) { calls += 1 }
    for refused in [child, root] { root.present(refused, animated: false) { calls += 1 } }
    root.present(sheet, animated: false)
    root.present(page("other"), animated: false) { calls += 1 }
    sheet.present(sheet, animated: false) { calls += 1 }
    #expect(calls == 0 && root.presentedViewController === sheet)
    // The loose one belongs to no window of this application.
    #expect(stage.application.diagnostics.refusedControllers == 4)
  }

  @Test func `a hook that dismisses at once leaves all in its place`() {
    let root = root()
    let sheet = page("sheet")
    sheet.onWillAppear = { [unowned sheet] in sheet.dismiss(animated: false) }
    root.present(sheet, animated: false)
    #expect(root.presentedViewController == nil && sheet.presentingViewController == nil)
    #expect(stage.window.subviews == [root.view])
    var state: [String: Bool] = [:]
    for line in log.take() {
      let words = line.split(separator: " ")
      if words[1] == "did" { state[String(words[0])] = words[2] == "appear" }
    }
    #expect(state["root"] == true && state["sheet"] != true)
  }

  @Test func `a covered view that has found another place stays there`() {
    let root = root()
    let sheet = page("sheet")
    let box = UIView()
    root.present(sheet, animated: false)
    box.addSubview(root.view)
    sheet.dismiss(animated: false)
    #expect(root.view.superview === box && stage.window.subviews.isEmpty)
    let host = UIView(frame: stage.window.bounds)
    stage.window.addSubview(host)
    host.addSubview(root.view)
    root.present(sheet, animated: false)
    host.removeFromSuperview()
    root.view.addSubview(host)
    sheet.dismiss(animated: false)
    #expect(root.view.superview == nil && host.superview === root.view)
  }

  @Test func `a controller is the root of one window`() {
    let root = root()
    let other = UIWindow(frame: stage.window.frame, application: stage.application)
    other.isHidden = false
    other.rootViewController = root
    #expect(stage.window.rootViewController == nil && stage.window.subviews.isEmpty)
    #expect(other.subviews == [root.view] && root.next === other)
    #expect(
      log.take() == [
        "root will disappear", "root did disappear", "root will appear", "root did appear",
      ])
    let next = page("next")
    stage.window.rootViewController = next
    #expect(other.subviews == [root.view] && root.next === other)
  }

  @Test func `a new root ends what the old one presented`() {
    let root = root()
    let sheet = page("sheet")
    root.present(sheet, animated: false)
    let next = page("next")
    stage.window.rootViewController = next
    #expect(stage.window.subviews == [next.view] && sheet.presentingViewController == nil)
    #expect(root.presentedViewController == nil)
    #expect(log.take().suffix(2) == ["next will appear", "next did appear"])
  }

  // MARK: Roots that change from within

  /// Who is in sight by what was logged, each step taken once.
  private func inSight() -> [String] {
    var names: [String] = []
    for line in log.take() {
      let words = line.split(separator: " ").map(String.init)
      guard words.count == 3, words[1] == "did" else { continue }
      names.removeAll { $0 == words[0] }
      if words[2] == "appear" { names.append(words[0]) }
    }
    return names
  }

  /// Expects a page to be the window's root, alone, and the only one in sight.
  private func expectRoot(
    _ page: Page, _ sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(stage.window.rootViewController === page, sourceLocation: sourceLocation)
    #expect(stage.window.subviews == [page.view], sourceLocation: sourceLocation)
    #expect(page.next === stage.window, sourceLocation: sourceLocation)
    #expect(inSight() == [page.name], sourceLocation: sourceLocation)
  }

  /// Hooks of the old and of the new root.
  nonisolated static let moments = [
    "old will disappear", "old did disappear", "new did load", "new will appear",
  ]

  @Test(arguments: moments, [false, true])
  func `RC-3: a root that a hook sets is the one that stays`(_ moment: String, _ isBack: Bool) {
    let (old, new) = (page("old"), page("new"))
    let last = isBack ? old : page("last")
    stage.window.rootViewController = old
    var isDone = false
    let deed = { [stage] in
      guard !isDone else { return }
      isDone = true
      stage.window.rootViewController = last
    }
    switch moment {
    case "old will disappear": old.onWillDisappear = deed
    case "old did disappear": old.onDidDisappear = deed
    case "new did load": new.onDidLoad = deed
    default: new.onWillAppear = deed
    }
    stage.window.rootViewController = new
    expectRoot(last)
    #expect(isDone && new.next == nil && new.viewIfLoaded?.superview == nil)
  }

  @Test func `RC-3: a root that comes back as what it presented goes stays`() {
    let root = page("root")
    stage.window.rootViewController = root
    let sheet = page("sheet")
    root.present(sheet, animated: false)
    sheet.onDidDisappear = { [stage] in stage.window.rootViewController = root }
    stage.window.rootViewController = page("new")
    expectRoot(root)
    #expect(root.presentedViewController == nil)
  }

  @Test func `RC-3: a root that is taken back as it moves to another window is the root of one`() {
    let root = root()
    let other = UIWindow(frame: stage.window.frame, application: stage.application)
    other.isHidden = false
    var isDone = false
    root.onWillDisappear = { [stage] in
      guard !isDone else { return }
      isDone = true
      stage.window.rootViewController = root
    }
    other.rootViewController = root
    #expect(stage.window.rootViewController === root && stage.window.subviews == [root.view])
    #expect(other.rootViewController == nil && other.subviews.isEmpty && root.next === stage.window)
  }

  @Test func `DV-14: a view that is added again to where it is being removed from stays`() {
    let root = root()
    let child = page("child")
    root.view.addSubview(child.view)
    var isDone = false
    child.onWillDisappear = { [unowned child] in
      guard !isDone else { return }
      isDone = true
      root.view.addSubview(child.view)
    }
    child.view.removeFromSuperview()
    #expect(child.view.superview === root.view && root.view.subviews == [child.view])
    #expect(inSight() == ["child"])
  }
}

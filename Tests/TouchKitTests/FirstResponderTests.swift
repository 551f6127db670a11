import Testing
import TouchKit
import TouchTestSupport

/// A text field that logs its editing and does what a test tells it to, each deed once.
private final class Field: UITextField, UITextFieldDelegate {
  let name: String
  let log: Log
  var deeds: [String: () -> Void] = [:]

  init(_ name: String, _ log: Log) {
    self.name = name
    self.log = log
    super.init(frame: CGRect(x: 0, y: 0, width: 100, height: 30))
    delegate = self
  }

  private func note(_ what: String) {
    if what == "began" || what == "ended" { log.add("\(name) \(what)") }
    deeds.removeValue(forKey: what)?()
  }

  func textFieldShouldBeginEditing(_ field: UITextField) -> Bool {
    note("begin?")
    return true
  }
  func textFieldDidBeginEditing(_ field: UITextField) { note("began") }
  func textFieldShouldEndEditing(_ field: UITextField) -> Bool {
    note("end?")
    return true
  }
  func textFieldDidEndEditing(_ field: UITextField) { note("ended") }
  override func willMove(toWindow newWindow: UIWindow?) {
    if newWindow == nil { note("leaving") }
  }
}

private final class Host: UIViewController {
  override var canBecomeFirstResponder: Bool { true }
}

/// A view that goes when it is asked for the second time whether it may be first responder.
private final class ShyView: UIView {
  var asked = 0
  override var canBecomeFirstResponder: Bool {
    asked += 1
    if asked == 2 { removeFromSuperview() }
    return true
  }
}

/// Callbacks that change who is first responder, or where, while it is being decided.
@MainActor @Suite struct `First responders that change from within` {
  private let stage = Stage()
  private let box: UIView
  private let a: Field
  private let b: Field
  private let c: Field

  init() {
    box = UIView(frame: stage.window.bounds)
    stage.window.addSubview(box)
    a = Field("a", stage.log)
    b = Field("b", stage.log)
    c = Field("c", stage.log)
    for field in [a, b, c] { box.addSubview(field) }
  }

  /// Makes one first responder, and forgets what was logged of it.
  private func begin(with field: Field) {
    field.becomeFirstResponder()
    _ = stage.log.take()
  }

  private var first: [Field] { [a, b, c].filter(\.isFirstResponder) }

  @Test func `RC-19: one that leaves the window as it is asked again does not become first`() {
    begin(with: a)
    // Asked before the present one resigns, and after that.
    let shy = ShyView(frame: CGRect(x: 0, y: 100, width: 10, height: 10))
    box.addSubview(shy)
    #expect(!shy.becomeFirstResponder())
    #expect(stage.log.take() == ["a ended"] && shy.asked == 2)
    stage.window.addSubview(shy)
    #expect(!shy.isFirstResponder)
  }

  @Test func `RC-21: the end of one that leaves does not make another that leaves first responder`()
  {
    begin(with: a)
    a.deeds["ended"] = { [b] in b.becomeFirstResponder() }
    box.removeFromSuperview()
    #expect(stage.log.take() == ["a ended", "b began", "b ended"])
    stage.window.addSubview(box)
    #expect(first == [])
  }

  @Test func `RC-21: two that put each other there both go`() {
    begin(with: a)
    a.deeds["ended"] = { [a, b] in
      b.deeds["ended"] = { [a] in a.becomeFirstResponder() }
      b.becomeFirstResponder()
      a.deeds["ended"] = { [b] in b.becomeFirstResponder() }
    }
    box.removeFromSuperview()
    #expect(stage.log.take() == ["a ended", "b began", "b ended"])
    stage.window.addSubview(box)
    #expect(first == [])
  }

  @Test func `RC-21: one that a hook of the leaving makes first responder goes as well`() {
    b.deeds["leaving"] = { [c] in c.becomeFirstResponder() }
    box.removeFromSuperview()
    #expect(stage.log.take() == ["c began", "c ended"])
    stage.window.addSubview(box)
    #expect(first == [])
  }

  @Test func `RC-21: the end may make one first responder that stays`() {
    let beside = Field("beside", stage.log)
    stage.window.addSubview(beside)
    begin(with: a)
    a.deeds["ended"] = { beside.becomeFirstResponder() }
    box.removeFromSuperview()
    #expect(stage.log.take() == ["a ended", "beside began"] && beside.isFirstResponder)
  }

  @Test func `RC-21: a controller whose view is replaced is first responder no more`() {
    let host = Host()
    stage.window.rootViewController = host
    #expect(host.becomeFirstResponder())
    let old = host.view
    host.view = UIView()
    #expect(!host.isFirstResponder)
    host.view = old
    #expect(old.window === stage.window && !host.isFirstResponder)
  }

  @Test func `RC-19: one that leaves the window meanwhile does not become first responder`() {
    begin(with: a)
    a.deeds["ended"] = { [b] in b.removeFromSuperview() }
    #expect(!b.becomeFirstResponder())
    #expect(stage.log.take() == ["a ended"])
    box.addSubview(b)
    #expect(first == [])
  }

  @Test func `RC-19: one that is disabled meanwhile does not either`() {
    begin(with: a)
    a.deeds["ended"] = { [b] in b.isEnabled = false }
    #expect(!b.becomeFirstResponder() && first == [])
    #expect(stage.log.take() == ["a ended"])
  }

  @Test func `RC-19: one that the end of the other puts there stays, and nobody hears twice`() {
    begin(with: a)
    a.deeds["ended"] = { [c] in c.becomeFirstResponder() }
    #expect(!b.becomeFirstResponder() && first == [c])
    #expect(stage.log.take() == ["a ended", "c began"])
    c.deeds["ended"] = { [b] in b.becomeFirstResponder() }
    #expect(b.becomeFirstResponder() && first == [b])
    #expect(stage.log.take() == ["c ended", "b began"])
    b.deeds["ended"] = { [b] in b.becomeFirstResponder() }
    #expect(!a.becomeFirstResponder() && first == [b])
    #expect(stage.log.take() == ["b ended", "b began"])
  }

  @Test func `RC-19: the question whether to begin or end may be answered by deeds`() {
    a.deeds["begin?"] = { [a] in a.becomeFirstResponder() }
    #expect(a.becomeFirstResponder() && first == [a])
    #expect(stage.log.take() == ["a began"])
    a.deeds["end?"] = { [a] in a.resignFirstResponder() }
    #expect(b.becomeFirstResponder() && first == [b])
    #expect(stage.log.take() == ["a ended", "b began"])
    b.deeds["end?"] = { [b] in b.removeFromSuperview() }
    #expect(c.becomeFirstResponder() && first == [c])
    #expect(stage.log.take() == ["b ended", "c began"])
    c.deeds["end?"] = { [a] in a.becomeFirstResponder() }
    #expect(c.resignFirstResponder() && first == [a])
    #expect(stage.log.take() == ["c ended", "a began"])
  }

  @Test func `RC-19: one that resigns as it hears of its beginning has not become it`() {
    a.deeds["began"] = { [a] in a.resignFirstResponder() }
    #expect(!a.becomeFirstResponder() && first == [])
    #expect(stage.log.take() == ["a began", "a ended"])
  }

  @Test func `RC-21: endEditing tells the truth of one that comes back, also when forced`() {
    begin(with: a)
    a.deeds["ended"] = { [a] in a.becomeFirstResponder() }
    #expect(!box.endEditing(false) && first == [a])
    a.deeds["ended"] = { [b] in b.becomeFirstResponder() }
    #expect(box.endEditing(true) && first == [b])
    #expect(stage.log.take() == ["a ended", "a began", "a ended", "b began"])
  }

  @Test func `RC-21: a view that is moved as it leaves keeps the first responder of its new place`()
  {
    let other = UIView(frame: stage.window.bounds)
    stage.window.addSubview(other)
    begin(with: a)
    a.deeds["ended"] = { [a, box] in
      other.addSubview(box)
      a.becomeFirstResponder()
    }
    box.removeFromSuperview()
    #expect(box.superview === other && first == [a])
    #expect(stage.log.take() == ["a ended", "a began"])
  }
}

import Testing
import TouchKit
import TouchTestSupport

private final class Editor: UITextFieldDelegate {
  let log = Log()
  var begins = true
  var ends = true

  func textFieldShouldBeginEditing(_ field: UITextField) -> Bool {
    log.add("begin?")
    return begins
  }
  func textFieldDidBeginEditing(_ field: UITextField) { log.add("began \(field.isEditing)") }
  func textFieldShouldEndEditing(_ field: UITextField) -> Bool {
    log.add("end?")
    return ends
  }
  func textFieldDidEndEditing(_ field: UITextField) { log.add("ended \(field.isEditing)") }
}

@MainActor @Suite struct `Text fields and the end of editing` {
  private let stage = Stage()
  private let editor = Editor()

  private func field() -> UITextField {
    let field = UITextField(frame: CGRect(x: 0, y: 0, width: 100, height: 30))
    field.delegate = editor
    field.addAction(UIAction { [editor] _ in editor.log.add("did begin") }, for: .editingDidBegin)
    field.addAction(UIAction { [editor] _ in editor.log.add("did end") }, for: .editingDidEnd)
    stage.window.addSubview(field)
    return field
  }

  @Test func `RC-20: a tapped text field becomes first responder, a plain view never`() {
    let field = field()
    let plain = stage.view("V", 100, 0, 100, 100)
    stage.play(touch.tap(at: at(5, 5)))
    #expect(field.isFirstResponder && field.isEditing)
    #expect(editor.log.take() == ["begin?", "began true", "did begin"])
    stage.play(touch.tap(at: at(5, 5)))
    stage.play(touch.tap(at: at(105, 5)))
    #expect(editor.log.take() == [] && field.isFirstResponder && !plain.isFirstResponder)
    #expect(field.resignFirstResponder())
    #expect(editor.log.take() == ["end?", "ended false", "did end"])
  }

  @Test func `who refuses to begin is not first responder`() {
    let field = field()
    editor.begins = false
    stage.play(touch.tap(at: at(5, 5)))
    #expect(!field.isFirstResponder && editor.log.take() == ["begin?"])
    editor.begins = true
    field.isEnabled = false
    #expect(!field.becomeFirstResponder())
  }

  @Test func `endEditing resigns what lies below, by force also what refuses`() {
    let box = stage.view("box", 0, 0, 100, 100)
    let field = field()
    box.addSubview(field)
    let beside = stage.view("beside", 100, 0, 100, 100)
    #expect(!box.endEditing(false))
    field.becomeFirstResponder()
    #expect(!beside.endEditing(true) && field.isFirstResponder)
    editor.ends = false
    _ = editor.log.take()
    #expect(!box.endEditing(false) && field.isFirstResponder)
    #expect(box.endEditing(true) && !field.isFirstResponder)
    #expect(editor.log.take() == ["end?", "end?", "ended false", "did end"])
    editor.ends = true
    field.becomeFirstResponder()
    #expect(stage.window.endEditing(false) && !field.isFirstResponder)
  }

  @Test func `RC-21: one that leaves its window resigns, and hears of it, though it refuses`() {
    let field = field()
    editor.ends = false
    field.becomeFirstResponder()
    _ = editor.log.take()
    field.removeFromSuperview()
    #expect(!field.isFirstResponder && field.superview == nil)
    #expect(editor.log.take() == ["end?", "ended false", "did end"])
  }

  @Test func `another field takes over only if the present one agrees`() {
    let first = field()
    let second = field()
    first.becomeFirstResponder()
    editor.ends = false
    #expect(!second.becomeFirstResponder() && first.isFirstResponder)
    editor.ends = true
    #expect(second.becomeFirstResponder() && !first.isFirstResponder)
  }
}

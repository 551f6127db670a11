import Testing
import TouchFrames
import TouchKit
import TouchModel
import TouchTestSupport

/// What the frame assembler makes of a script that is played on a panel.
private func frames(_ script: TouchScript, on panel: PanelModel) throws -> [TouchFrame] {
  var assembler = try FrameAssembler(
    description: panel.description, device: 1, display: 0, ids: ContactIDSequence(),
    source: .recording, isInjected: false)
  var frames: [TouchFrame] = []
  var last: UInt64 = 0
  for event in script.events(on: panel) {
    last = event.timeNanoseconds
    guard assembler.consume(event) else { continue }
    repeat { frames.append(assembler.frame.frame()) } while assembler.takePendingFrame()
  }
  if assembler.cancelAll(timeNanoseconds: last) { frames.append(assembler.frame.frame()) }
  return frames
}

@Suite struct `Panels as data` {
  static let fingers = touch.down(1, at: CGPoint(x: 100, y: 100))
    .move(to: CGPoint(x: 300, y: 200), over: .milliseconds(80))
    .down(2, at: CGPoint(x: 800, y: 600)).wait(.milliseconds(40))
    .move((1, to: CGPoint(x: 320, y: 240)), (2, to: CGPoint(x: 780, y: 560)))
    .up(1).wait(.milliseconds(20)).down(3, at: CGPoint(x: 640, y: 400)).up(2).up(3)

  static let sound = PanelModel.all.filter { $0.habits.isEmpty }

  @Test func `there is a panel of each kind, and each has a name of its own`() {
    #expect(PanelModel.all.count == 35)
    #expect(Set(PanelModel.all.map(\.name)).count == 35)
    #expect(Set(PanelModel.all.flatMap(\.habits)) == Set(PanelModel.Habit.allCases))
  }

  @Test(arguments: PanelModel.all.map(\.name))
  func `every stream of every panel obeys the laws`(_ name: String) throws {
    let panel = try #require(PanelModel.all.first { $0.name == name })
    for script in [Self.fingers, Self.fingers.drop(), Self.fingers.unplug(), dropped, pulled] {
      var checker = TouchStreamChecker()
      for frame in try frames(script, on: panel) { try checker.accept(frame) }
      try checker.finish()
    }
  }

  private var dropped: TouchScript {
    touch.down(1, at: CGPoint(x: 10, y: 10)).drop().move(1, to: CGPoint(x: 90, y: 90)).up(1)
  }

  private var pulled: TouchScript {
    touch.down((1, at: CGPoint(x: 10, y: 10)), (2, at: CGPoint(x: 500, y: 10))).unplug()
  }

  @Test(arguments: sound.map(\.name))
  func `a sound panel shows each finger that it has room for, to within its own unit`(
    _ name: String
  ) throws {
    let panel = try #require(Self.sound.first { $0.name == name })
    let most = panel.mostFingers ?? .max
    let seen = try frames(Self.fingers, on: panel).flatMap(\.contacts)
    let downs = seen.filter { $0.phase == .down }
    let expected = most > 1 ? [(100.0, 100.0), (800, 600), (640, 400)] : [(100, 100), (640, 400)]
    #expect(downs.count == expected.count)
    #expect(seen.count { $0.phase == .up } == expected.count)
    for (contact, place) in zip(downs, expected) {
      #expect(distance(contact, \.x, place.0 / 1279, panel) <= 0.5)
      #expect(distance(contact, \.y, place.1 / 799, panel) <= 0.5)
    }
  }

  /// How far a contact is from a part of an axis, in the panel's units.
  private func distance(
    _ contact: Contact, _ axis: KeyPath<Point, Double>, _ part: Double, _ panel: PanelModel
  ) -> Double {
    let isSingle = panel.description.touchProtocol == .singleTouch
    let x = isSingle ? EvdevCode.absX : EvdevCode.absMTPositionX
    guard let range = panel.description.axes[axis == \.x ? x : x + 1] else { return .infinity }
    let span = Double(range.maximum) - Double(range.minimum)
    return abs(contact.position[keyPath: axis] * span - part * span)
  }

  @Test func `the kernel's events name only what has changed`() {
    let panel = PanelModel("plain", x: 0...1279, y: 0...799)
    let script = touch.down(1, at: CGPoint(x: 10, y: 20)).move(to: CGPoint(x: 11, y: 20)).up()
    let lines = script.events(on: panel).map { "\($0.type) \($0.code) \($0.value)" }
    #expect(
      lines == [
        "3 57 1", "3 53 10", "3 54 20", "0 0 0", "3 53 11", "0 0 0", "3 57 -1", "0 0 0",
      ])
  }

  @Test func `lost events cancel what was down`() throws {
    let panel = PanelModel("plain", x: 0...1279, y: 0...799)
    let phases = try frames(dropped, on: panel).flatMap(\.contacts).map(\.phase)
    #expect(phases == [.down, .cancel])
  }

  @Test func `a panel that is pulled leaves its fingers to be cancelled`() throws {
    let panel = PanelModel("plain", x: 0...1279, y: 0...799)
    let phases = try frames(pulled, on: panel).flatMap(\.contacts).map(\.phase)
    #expect(phases == [.down, .down, .cancel, .cancel])
    #expect(pulled.frames.flatMap(\.contacts).map(\.phase) == phases)
  }
}

import Testing
import TouchKit
import TouchModel
import TouchTestSupport

@MainActor @Suite struct `Number of contacts` {
  private let stage = Stage()
  private let view: LogView

  init() {
    view = stage.view("V", 0, 0, 400, 400)
    view.isMultipleTouchEnabled = true
  }

  /// So many fingers down, one after the other.
  private func fingers(_ count: Int) -> TouchScript {
    (1...count).reduce(touch) { $0.down($1, at: at(Double($1) * 10, 10)) }
  }

  @Test func `NC-1: without a profile all contacts are followed, sixteen as well`() {
    stage.play(fingers(16))
    #expect(stage.log.take() == Array(repeating: "V.began{1}", count: 16))
  }

  nonisolated static let profiles: [(limit: ContactLimit, most: Int)] = [
    (.phone, 5), (.tablet, 11),
  ]

  @Test(arguments: profiles)
  func `NC-2, NC-3, NC-4: one finger too many cancels all until all are lifted`(
    _ profile: (limit: ContactLimit, most: Int)
  ) {
    stage.application.configuration.contactLimit = profile.limit
    stage.add(LogRecognizer(stage.log), "G", to: view)
    let log = stage.log
    let most = profile.most
    stage.play(
      fingers(most).then { log.add("\(most) are down") }.down(99, at: at(300, 300))
        .move(1, to: at(50, 50)))
    #expect(
      stage.log.take() == (1...most).flatMap { _ in ["G.tBegan{1}", "V.began{1}"] } + [
        "\(most) are down", "G.tCancelled{\(most)}", "V.cancelled{\(most)}", "G.reset",
      ])
  }

  @Test func `NC-2: nothing is delivered before the last of them has gone`() {
    stage.application.configuration.contactLimit = .phone
    let recognizer = stage.add(LogRecognizer(stage.log), "G", to: view)
    let log = stage.log
    let script = fingers(5).then { _ = log.take() }.down(6, at: at(60, 10))
      .then { log.add("six are down") }.move(1, to: at(50, 50)).up(1, 2, 3, 4)
      .down(7, at: at(70, 10)).up(5, 6).then { log.add("one is left") }.up(7)
      .then { log.add("none is left") }.tap(8, at: at(80, 10))
    stage.play(script)
    #expect(
      stage.log.take() == [
        "G.tCancelled{5}", "V.cancelled{5}", "G.reset", "six are down", "one is left",
        "none is left", "G.tBegan{1}", "V.began{1}", "G.tEnded{1}", "V.ended{1}",
      ])
    #expect(recognizer.state == .possible)
    #expect(stage.application.diagnostics.unlawfulContacts == 0)
  }

  @Test func `NC-2: a finger that lands as another lifts is not one too many`() {
    stage.application.configuration.contactLimit = .phone
    let log = stage.log
    stage.play(
      fingers(5).then { _ = log.take() }.together { $0.up(1).down(6, at: at(60, 10)) })
    #expect(stage.log.take() == ["V.began{1}", "V.ended{1}"])
  }

  @Test(arguments: profiles)
  func `NC-4: what is beyond the limit is in no event, whenever it lands`(
    _ profile: (limit: ContactLimit, most: Int)
  ) {
    let spy = Spy()
    spy.view("V", CGRect(x: 0, y: 0, width: 400, height: 400)).isMultipleTouchEnabled = true
    spy.application.configuration.contactLimit = profile.limit
    var seen: Set<UInt64> = []
    spy.application.onSend = { event in
      seen.formUnion((event.allTouches ?? []).map(\.contactID))
    }
    let allowed = (1...UInt64(profile.most)).map { contact($0, .down, Double($0)) }
    let beyond = contact(99, .down, 300)
    spy.application.enqueue(TouchFrame(timeNanoseconds: 1, contacts: allowed))
    spy.application.enqueue(TouchFrame(timeNanoseconds: 2, contacts: [beyond]))
    spy.frame(3, contact(99, .motion, 310), contact(1, .motion, 50))
    spy.frame(4, contact(100, .down, 200))
    spy.application.handleEventQueue()
    #expect(seen == Set(allowed.map(\.id)))
    #expect(
      spy.log.take() == [
        "send " + allowed.map { _ in "began" }.joined(separator: ","),
        "V.began{\(profile.most)}",
        "send " + allowed.map { _ in "cancelled" }.joined(separator: ","),
        "V.cancelled{\(profile.most)}",
      ])
    // All at once: not one of them is a touch.
    let other = Spy()
    other.application.configuration.contactLimit = profile.limit
    other.application.enqueue(TouchFrame(timeNanoseconds: 1, contacts: allowed + [beyond]))
    other.application.handleEventQueue()
    #expect(other.log.take() == [])
  }

  @Test func `NC-4: six that land at once never become touches`() {
    stage.application.configuration.contactLimit = .phone
    let script = touch.together { script in
      (1...6).reduce(script) { $0.down($1, at: at(Double($1) * 10, 10)) }
    }
    stage.play(script.up(1, 2, 3, 4, 5, 6).tap(at: at(5, 5)))
    #expect(stage.log.take() == ["V.began{1}", "V.ended{1}"])
    #expect(stage.application.diagnostics.unlawfulContacts == 0)
  }

  @Test func `WN-17: while events are ignored touches are cancelled and new ones dropped`() {
    let application = stage.application
    let log = stage.log
    let script = touch.down(1, at: at(10, 10)).then {
      application.beginIgnoringInteractionEvents()
      application.beginIgnoringInteractionEvents()
      log.add("ignoring \(application.isIgnoringInteractionEvents)")
    }.move(1, to: at(20, 10)).down(2, at: at(30, 10)).then {
      application.endIgnoringInteractionEvents()
    }.down(3, at: at(40, 10)).then {
      application.endIgnoringInteractionEvents()
      application.endIgnoringInteractionEvents()
      log.add("ignoring \(application.isIgnoringInteractionEvents)")
    }.move(2, to: at(35, 10)).up(1, 2, 3).tap(4, at: at(50, 10))
    stage.play(script)
    #expect(
      stage.log.take() == [
        "V.began{1}", "V.cancelled{1}", "ignoring true", "ignoring false", "V.began{1}",
        "V.ended{1}",
      ])
    #expect(application.diagnostics.unlawfulContacts == 0)
  }
}

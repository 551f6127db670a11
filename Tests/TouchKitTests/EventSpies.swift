import Testing
import TouchKit
import TouchModel
import TouchTestSupport

/// An application that logs each event, and may keep it to itself.
final class SpyApplication: UIApplication {
  var log: Log?
  var passes = true
  var onSend: (UIEvent) -> Void = { _ in }

  override func sendEvent(_ event: UIEvent) {
    let phases = (event.allTouches ?? []).map { "\($0.phase)" }.sorted()
    log?.add("send " + phases.joined(separator: ","))
    onSend(event)
    if passes { super.sendEvent(event) }
  }
}

final class SpyWindow: UIWindow {
  var log: Log?
  var name = ""
  var onSend: () -> Void = {}

  override func sendEvent(_ event: UIEvent) {
    log?.add("\(name).sendEvent")
    onSend()
    super.sendEvent(event)
  }
}

@MainActor
final class Spy {
  let log = Log()
  let application = SpyApplication()
  let window: SpyWindow

  init() {
    application.log = log
    window = SpyWindow(
      frame: CGRect(x: 0, y: 0, width: 400, height: 800), application: application)
    window.makeKeyAndVisible()
  }

  func view(_ name: String, _ frame: CGRect) -> LogView {
    let view = LogView(name, log, frame)
    window.addSubview(view)
    return view
  }

  func frame(_ milliseconds: UInt64, _ contacts: Contact...) {
    application.enqueue(
      TouchFrame(timeNanoseconds: milliseconds * 1_000_000, contacts: contacts))
  }
}

func contact(
  _ id: UInt64, _ phase: ContactPhase, _ x: Double, _ y: Double = 10, slot: Int32? = nil
) -> Contact {
  Contact(id: id, slot: slot ?? Int32(id), phase: phase, position: Point(x: x, y: y))
}

import CAllocationCount
import TouchKit
import TouchModel

// Counts what 100 hit tests and 100 moves of a drag allocate, and what a probe writes of them: before
// there is one, with one, and after it, a line each. Nothing is written without an allocation.

/// Keeps the event, so that a hit test can be asked for with it, as for a finger that lands.
final class KeepingApplication: UIApplication {
  var event: UIEvent?

  override func sendEvent(_ event: UIEvent) {
    self.event = event
    super.sendEvent(event)
  }
}

@MainActor
final class ProbeCost {
  private let application = KeepingApplication()
  private let window: UIWindow
  private var lines = 0
  private var time: UInt64 = 1_000_000_000

  init() {
    let frame = CGRect(x: 0, y: 0, width: 1000, height: 1000)
    window = UIWindow(frame: frame, application: application)
    var parent: UIView = window
    for _ in 0..<4 {
      let view = UIView(frame: frame)
      parent.addSubview(view)
      parent.addSubview(UIView(frame: CGRect(x: 900, y: 900, width: 10, height: 10)))
      parent = view
    }
    window.makeKeyAndVisible()
  }

  private func frames(_ phase: ContactPhase, _ count: Int) -> [TouchFrame] {
    (0..<count).map { index in
      time += 8_000_000
      let position = Point(x: 10 + Double(index), y: 10)
      return TouchFrame(
        timeNanoseconds: time,
        contacts: [Contact(id: 1, slot: 0, phase: phase, position: position)])
    }
  }

  private func send(_ frames: [TouchFrame]) {
    for frame in frames {
      application.enqueue(frame)
      application.handleEventQueue()
      application.settle()
    }
  }

  /// How many allocations something makes.
  private func allocations(_ body: () -> Void) -> UInt {
    let before = allocation_count()
    body()
    return allocation_count() - before
  }

  private func measure(_ name: String) {
    lines = 0
    let event = application.event
    let point = CGPoint(x: 5, y: 5)
    let tested = allocations {
      for _ in 0..<100 where window.hitTest(point, with: event) == nil { print("no view") }
    }
    let tests = lines
    let moves = frames(.motion, 100)
    lines = 0
    let moved = allocations { send(moves) }
    print("\(name): hit tests \(tested) and \(tests) lines, moves \(moved) and \(lines) lines")
  }

  func run() {
    send(frames(.down, 1))
    // The first moves make what a drag uses again and again.
    send(frames(.motion, 50))
    measure("before")
    application.probe = EventProbe { [unowned self] _ in lines += 1 }
    measure("probed")
    application.probe = nil
    measure("after")
  }
}

@main
@MainActor
struct Main {
  static func main() { ProbeCost().run() }
}

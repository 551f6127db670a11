// From frames to gestures without a daemon: recording -> frames -> *one view with recognisers* -> lines.
import TouchKit
public import TouchModel

/// What the built-in recognisers make of a recording, as JSON lines.
///
/// One view of the panel's size has, in this order: doubleTap, tap (which requires doubleTap to
/// fail), longPress, swipeLeft, swipeRight, swipeUp, swipeDown, edgePan (all edges), pan, pinch,
/// rotation. A line an action; its time is that of the frame, or the due time of what waited:
///
///     {"time_us":N,"gesture":"pan","state":"began","x":1.0,"y":2.0,"touches":1,"tx":...}
@MainActor
public final class GestureTranscript {
  private let application = UIApplication()
  private let window: UIWindow
  private let view: UIView
  private let together: LettingAllTogether?
  private let width: Double
  private let height: Double
  private let scale: Double
  private let emit: (String) -> Void

  /// Creates a transcript of a recording that has not begun.
  ///
  /// - Parameters:
  ///   - width: of the view, in points.
  ///   - height: of the view, in points.
  ///   - scale: pixels per point: the end of an axis lies one pixel before the edge.
  ///   - isExclusive: whether gestures exclude each other as UIKit's do without a delegate;
  ///     else all may go on together.
  ///   - emit: gets each line, without its end.
  public init(
    width: Double, height: Double, scale: Double = 1, isExclusive: Bool = false,
    emit: @escaping (String) -> Void
  ) {
    self.width = width
    self.height = height
    self.scale = scale
    self.emit = emit
    let frame = CGRect(x: 0, y: 0, width: width, height: height)
    window = UIWindow(frame: frame, application: application)
    view = UIView(frame: frame)
    together = isExclusive ? nil : LettingAllTogether()
    view.isMultipleTouchEnabled = true
    window.addSubview(view)
    window.makeKeyAndVisible()
    addRecognizers()
  }

  /// The lines of a whole recording.
  public static func lines(
    of frames: [TouchFrame], width: Double, height: Double, isExclusive: Bool = false
  ) -> [String] {
    var lines: [String] = []
    let transcript = GestureTranscript(width: width, height: height, isExclusive: isExclusive) {
      lines.append($0)
    }
    for frame in frames { transcript.take(frame) }
    transcript.finish()
    return lines
  }

  /// Takes the next frame, as the frame assembler gives it.
  ///
  /// - Units: positions 0...1 of the panel's axes.
  public func take(_ frame: TouchFrame) {
    var frame = frame
    for index in frame.contacts.indices {
      let place = frame.contacts[index].position
      frame.contacts[index].position = Point(
        x: place.x * (width - 1 / scale), y: place.y * (height - 1 / scale))
    }
    application.enqueue(frame)
    application.handleEventQueue()
    application.settle()
  }

  /// Lets time pass after the last frame until no gesture waits for it.
  public func finish() {
    while let due = application.nextDeadlineNanoseconds {
      application.fireTimers(upTo: due)
      application.settle()
    }
  }

  // MARK: Recognisers

  private func addRecognizers() {
    let doubleTap = UITapGestureRecognizer()
    doubleTap.numberOfTapsRequired = 2
    add(doubleTap, "doubleTap")
    let tap = UITapGestureRecognizer()
    tap.require(toFail: doubleTap)
    add(tap, "tap")
    add(UILongPressGestureRecognizer(), "longPress")
    let directions: [(String, UISwipeGestureRecognizer.Direction)] = [
      ("swipeLeft", .left), ("swipeRight", .right), ("swipeUp", .up), ("swipeDown", .down),
    ]
    for (name, direction) in directions {
      let swipe = UISwipeGestureRecognizer()
      swipe.direction = direction
      add(swipe, name)
    }
    let edgePan = UIScreenEdgePanGestureRecognizer()
    edgePan.edges = .all
    add(edgePan, "edgePan")
    add(UIPanGestureRecognizer(), "pan")
    add(UIPinchGestureRecognizer(), "pinch")
    add(UIRotationGestureRecognizer(), "rotation")
  }

  private func add(_ recognizer: UIGestureRecognizer, _ name: String) {
    recognizer.name = name
    recognizer.delegate = together
    recognizer.addTarget(self, action: GestureTranscript.acted)
    view.addGestureRecognizer(recognizer)
  }

  private func acted(_ recognizer: UIGestureRecognizer) {
    emit(GestureLine(recognizer, in: view, at: application.eventTimeNanoseconds).description)
  }
}

private final class LettingAllTogether: UIGestureRecognizerDelegate {
  func gestureRecognizer(
    _ gestureRecognizer: UIGestureRecognizer,
    shouldRecognizeSimultaneouslyWith otherGestureRecognizer: UIGestureRecognizer
  ) -> Bool { true }
}

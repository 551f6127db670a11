import TouchModel

/// One contact, from the moment it lands until it is lifted or taken away.
///
/// The same object is handed to every call and changes in place.
@MainActor
public final class UITouch {
  /// What happened to the contact in the present event.
  public enum Phase: Int, Sendable {
    /// It landed.
    case began = 0
    /// It moved.
    case moved = 1
    /// It stayed where it was.
    case stationary = 2
    /// It was lifted.
    case ended = 3
    /// It was taken away: it must have no effect.
    case cancelled = 4
  }

  /// What touches.
  public enum TouchType: Int, Sendable, CaseIterable {
    /// A finger on the panel.
    case direct = 0
    /// A finger that is not on the screen itself.
    case indirect = 1
    /// A pen.
    case pencil = 2
    /// A pointer.
    case indirectPointer = 3

    /// The older name of `pencil`.
    public static var stylus: TouchType { .pencil }
  }

  /// The contact's number on the wire, which no other contact ever has.
  public let contactID: UInt64
  /// Whether the contact comes from a recording or an injector instead of a panel.
  public let isInjected: Bool
  /// What touches.
  public let type: TouchType

  /// What happened in the present event.
  public internal(set) var phase: Phase
  /// How many quick taps in one place this contact continues, itself included; 0 after a drag.
  public internal(set) var tapCount = 1
  /// Half the longer diameter of the contact.
  ///
  /// - Units: points; 5 where the panel does not measure it.
  public internal(set) var majorRadius: CGFloat
  /// How far off `majorRadius` may be.
  ///
  /// - Units: points; 0 where the panel measures the radius, else all of it, since it is a guess.
  public internal(set) var majorRadiusTolerance: CGFloat
  /// The window it landed in; nil only after that window is gone, which the touch does not keep.
  public internal(set) weak var window: UIWindow?
  /// The view it landed on; nil only after that view has left its window.
  public internal(set) var view: UIView? {
    get { subview ?? emptyWindow }
    set {
      emptyWindow = newValue?.asWindow
      subview = emptyWindow == nil ? newValue : nil
    }
  }

  private var subview: UIView?
  // A window that was touched itself.
  private weak var emptyWindow: UIWindow?

  /// How hard the contact presses; 1 stands for an average touch.
  ///
  /// - Range: 0 to `maximumPossibleForce`; 0 where the panel does not measure it.
  /// - Source: the panel's pressure, in proportion to its range.
  public var force: CGFloat { CGFloat(pressure) * fullForce }
  /// The largest force that can come; 0 until the panel has reported a pressure.
  public var maximumPossibleForce: CGFloat { pressure > 0 || isPressed ? fullForce : 0 }
  /// The angle between pen and panel: upright, since no tilt is measured.
  ///
  /// - Units: radians.
  public var altitudeAngle: CGFloat { .pi / 2 }
  /// The direction that a pen leans to, seen in a view: along its x axis, since no tilt is measured.
  ///
  /// - Units: radians.
  public func azimuthAngle(in view: UIView?) -> CGFloat { 0 }
  /// The same direction as a vector of length 1.
  public func azimuthUnitVector(in view: UIView?) -> CGVector { CGVector(dx: 1, dy: 0) }
  /// Names a value that will be corrected later: nil, for all that is delivered is final.
  public var estimationUpdateIndex: Int? { nil }

  /// The recognisers that get the contact, in order of delivery; nil after it has ended.
  public var gestureRecognizers: [UIGestureRecognizer]? { isGone ? nil : receivers }

  /// When the panel measured what the present event tells.
  ///
  /// - Units: seconds of `CLOCK_MONOTONIC`.
  public var timestamp: Double { Double(time) / 1e9 }

  /// The same time, exact.
  ///
  /// - Units: nanoseconds of `CLOCK_MONOTONIC`.
  public var timestampNanoseconds: UInt64 { time }

  // MARK: What the runtime keeps

  var time: UInt64
  /// Where it is now, in screen coordinates.
  var place: CGPoint
  /// Where it was in the delivery before.
  var previousPlace: CGPoint
  let beganTime: UInt64
  let beganPlace: CGPoint

  let device: UInt32
  let slot: Int32

  /// The pressure, 0...1 of the panel's range.
  var pressure: Float
  /// Whether any measurement had a pressure.
  var isPressed: Bool
  /// The last two measurements: where the contact really was, whatever was delivered.
  var measured: (last: Measurement, before: Measurement?)

  /// Whether `place` lies past the last measurement.
  var isAhead = false

  /// Where a contact was measured, and when.
  struct Measurement: Equatable {
    var time: UInt64
    var place: CGPoint
  }

  // What devices of Apple's report as the most of a finger and of a pen.
  private var fullForce: CGFloat { type == .pencil ? 25.0 / 6 : 20.0 / 3 }

  /// The recognisers that get it, inner ones first.
  var receivers: [UIGestureRecognizer] = []
  /// How far its view has been told about it.
  var viewProgress = ViewProgress.unasked
  /// Whether the view was told of the start only, and late: the way since then is still to be told.
  var owesMove = false
  /// Whether a recogniser has taken it from its view.
  var isClaimed = false
  /// Whether the view never gets it because of other contacts that were first.
  var isRefused = false
  /// Whether it has left the event.
  var isGone = false
  /// How far from its start any sample was, on the window.
  var farthest: CGFloat = 0
  /// The frame that spoke of it last.
  var frame: UInt64 = 0
  /// The pass over the views that has dealt with it.
  var viewPass: UInt64 = 0

  /// How far the view of a touch has been told about it.
  enum ViewProgress {
    /// The touch is new: whether the view gets it is open.
    case unasked
    /// The view is to get it but a recogniser holds it back.
    case withheld
    /// The view has got `touchesBegan`, and still lacks an end.
    case begun
    /// The view gets nothing more.
    case over
  }

  init(_ contact: Contact, device: UInt32, time: UInt64, defaultRadius: CGFloat) {
    contactID = contact.id
    isInjected = contact.isInjected
    type = contact.tool == .pen ? .pencil : .direct
    phase = .began
    self.device = device
    slot = contact.slot
    self.time = time
    beganTime = time
    place = CGPoint(contact.position)
    previousPlace = place
    beganPlace = place
    majorRadius = contact.major > 0 ? CGFloat(contact.major) / 2 : defaultRadius
    majorRadiusTolerance = contact.major > 0 ? 0 : defaultRadius
    pressure = contact.pressure
    isPressed = contact.pressure > 0
    measured = (Measurement(time: time, place: place), nil)
  }

  /// Copies the touch as it was at one of the samples of the present event.
  init(_ touch: UITouch, at sample: UIEvent.Sample) {
    contactID = touch.contactID
    isInjected = touch.isInjected
    type = touch.type
    phase = touch.phase
    tapCount = touch.tapCount
    majorRadius = touch.majorRadius
    majorRadiusTolerance = touch.majorRadiusTolerance
    pressure = sample.pressure
    isPressed = touch.isPressed
    measured = touch.measured
    window = touch.window
    device = touch.device
    slot = touch.slot
    time = sample.time
    beganTime = touch.beganTime
    place = sample.place
    previousPlace = sample.previousPlace
    beganPlace = touch.beganPlace
    receivers = touch.receivers
    view = touch.view
  }

  /// Whether the contact is lifted or taken away.
  var isOver: Bool { phase == .ended || phase == .cancelled }

  /// Whether the contact goes on: it is neither over nor in a window that is leaving with it.
  var isLive: Bool { !isOver && !isGone }

  // MARK: Places

  /// Where the contact is in a view's coordinates; nil is the window.
  ///
  /// Computed when asked: if the view has moved since, the answer has changed.
  public func location(in view: UIView?) -> CGPoint { convert(place, to: view) }

  /// Where the contact was in the delivery before, in a view's coordinates; nil is the window.
  public func previousLocation(in view: UIView?) -> CGPoint { convert(previousPlace, to: view) }

  /// The same as `location(in:)`: places are never rounded.
  public func preciseLocation(in view: UIView?) -> CGPoint { location(in: view) }

  /// The same as `previousLocation(in:)`: places are never rounded.
  public func precisePreviousLocation(in view: UIView?) -> CGPoint { previousLocation(in: view) }

  func convert(_ place: CGPoint, to view: UIView?) -> CGPoint {
    guard let window else { return place }
    let point = window.fromScreen(place)
    guard let view, view !== window else { return point }
    return view.convert(point, from: window)
  }
}

extension UITouch: Hashable {
  /// Tells whether both are the same object.
  public nonisolated static func == (left: UITouch, right: UITouch) -> Bool { left === right }

  /// Feeds the object's identity.
  public nonisolated func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

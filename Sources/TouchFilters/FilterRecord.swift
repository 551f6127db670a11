import TouchModel

/// What the chain knows of the contact in one slot.
///
///     empty --down--> refused ----end----> empty
///                     held ------let go--> delivered --end--> empty
///                      '--drop-> refused      '--palm--> refused
struct FilterRecord {
  enum Stage {
    case empty
    /// Nobody sees it any more, or ever did; it is forgotten once it has ended.
    case refused
    case held
    /// Held until this moment: its down is about to be handed on.
    case leaving
    case delivered
  }

  var id: UInt64 = 0
  var stage = Stage.empty
  /// Whether a move was held back with the down, so that the next frame has to make up for it.
  var isBehind = false
  /// The filters that hold it, a bit each.
  var holders: UInt16 = 0
  /// When it went down, in nanoseconds.
  var bornAt: UInt64 = 0
  /// Where it went down, in device units.
  var birth = SIMD2<Double>(0, 0)
  /// The contact as it was last handed on; the down while it is held.
  var last = Contact(id: 0, slot: 0, phase: .up, position: Point(x: 0, y: 0))
  /// The device units that `last.position` stands for.
  var place = SIMD2<Double>(0, 0)

  // Palm: the size so far, and for how many frames it did not grow.
  var largest: Float = 0
  var settledFrames = 0

  // The filters of positions.
  /// The last position with full pressure.
  var pressed = SIMD2<Double>(0, 0)
  var pressures = SIMD4<Float>(0, 0, 0, 0)
  var nextPressure = 0
  var nextSample = 0
  /// What the low-pass was given last and gave last, and when.
  var input = SIMD2<Double>(0, 0)
  var output = SIMD2<Double>(0, 0)
  var changedAt: UInt64 = 0
  /// Where the hysteresis takes it to rest.
  var center = SIMD2<Double>(0, 0)

  init() {}

  init(_ contact: Contact, at time: UInt64) {
    id = contact.id
    bornAt = time
    changedAt = time
    birth = Self.raw(contact)
    last = contact
    place = birth
    largest = contact.major
    pressed = birth
    pressures = SIMD4(repeating: contact.pressure)
    input = birth
    output = birth
    center = birth
  }

  static func raw(_ contact: Contact) -> SIMD2<Double> {
    SIMD2(Double(contact.rawX), Double(contact.rawY))
  }
}

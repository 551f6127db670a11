import TouchModel

/// The filters of one panel, between its frames and the router.
///
/// Feed it each frame of the panel, also those that cancel all. It changes the frame in place:
/// contacts that are held or dropped are taken out, positions are smoothed. When it returns true,
/// `released` is to be handed on first: it holds the downs of contacts that were held until now. A
/// held contact has no event to wake anybody, so `nextDeadline` says when to call
/// `deadlineReached`.
///
/// - The first filter of `FilterKind.allCases` that wants to drop a new contact drops it. Those that
///   hold do so side by side; it goes on once all have let it go, and is dropped whole by the first
///   that does not.
/// - A down that was held keeps its position, and its time as far as that neither goes back behind a
///   frame handed on before nor is older than `FilterPlan.oldestDown`.
/// - A contact whose down was handed on gets its up or cancel in the frame in which it happened, at
///   the position handed on last.
/// - A contact whose movement is smoothed away is `still`; one that catches up is `motion`.
/// - `rawX` and `rawY` stay the device's own.
///
/// It does not trap on any frame and allocates nothing after its creation.
///
/// - Ownership: owns its storage, which goes with it; not copyable for that reason.
public struct FilterChain: ~Copyable {
  /// The slots that are tracked; contacts in others pass as they are.
  public static var slotLimit: Int { 1024 }
  /// How many contacts `dropped` has room for: as many as a report to tools.
  public static var droppedLimit: Int { 128 }
  // Fingers and noise that lift within the longest time that a bounce takes.
  private static var liftsKept: Int { 16 }
  // All that may begin within one second in four areas.
  private static var birthsKept: Int { 4 * FilterPlan.maximumRate }
  // Fingers of three hands, within the time in which somebody tries again.
  private static var refusalsKept: Int { 16 }

  /// What is filtered.
  public let plan: FilterPlan
  /// The downs to be handed on before the frame; empty unless the last call returned true.
  public var released: FrameBuffer
  /// When `deadlineReached` is to be called, in nanoseconds; nil for not before the next frame.
  public internal(set) var nextDeadline: UInt64?

  let records: UnsafeMutablePointer<FilterRecord>
  // How many records are initialised: one more than the highest slot seen.
  var recordCount = 0
  let counters: UnsafeMutablePointer<FilterCounters>
  let droppedContacts: UnsafeMutablePointer<DroppedContact>
  var droppedCount = 0
  // The last positions of each slot, for the median.
  let samples: UnsafeMutablePointer<SIMD2<Double>>
  let window: Int
  let smooths: Bool
  var lifts: RecentPlaces
  var births: RecentPlaces
  var refusals: RecentPlaces
  /// How many contacts began within 2 s and 7 mm of one that a filter dropped or cancelled.
  ///
  /// Somebody who is not understood tries again: a filter whose drops are often followed by one is
  /// too strict. Noise that is dropped again and again counts as well; 0 for a panel without a size.
  public internal(set) var retouches: UInt64 = 0
  /// Contacts that are held or delivered.
  var liveCount = 0
  var heldCount = 0
  /// The time of the last frame that was handed on.
  var lastTime: UInt64 = 0

  /// Prepares for the frames of one panel.
  ///
  /// - Parameter frameCapacity: how many contacts `released` has room for.
  public init(_ plan: FilterPlan, frameCapacity: Int = 2 * FilterChain.slotLimit) {
    self.plan = plan
    released = FrameBuffer(capacity: plan.holds && !plan.settings.isDryRun ? frameCapacity : 1)
    records = .allocate(capacity: Self.slotLimit)
    counters = .allocate(capacity: FilterKind.allCases.count)
    counters.initialize(repeating: FilterCounters(), count: FilterKind.allCases.count)
    droppedContacts = .allocate(capacity: Self.droppedLimit)
    window = plan.has(.median) ? plan.settings.medianWindow ?? 0 : 0
    samples = .allocate(capacity: max(1, window * Self.slotLimit))
    smooths = plan.smooths
    lifts = RecentPlaces(capacity: Self.liftsKept)
    births = RecentPlaces(capacity: Self.birthsKept)
    refusals = RecentPlaces(capacity: Self.refusalsKept)
  }

  deinit {
    records.deallocate()
    counters.deallocate()
    droppedContacts.deallocate()
    samples.deallocate()
  }

  /// Filters the next frame of the panel.
  ///
  /// - Returns: true if `released` is to be handed on before the frame. A frame that is left
  ///   without contacts is not to be handed on at all.
  public mutating func apply(_ frame: inout FrameBuffer) -> Bool {
    droppedCount = 0
    released.removeAll()
    guard !plan.isEmpty else { return false }
    let time = frame.timeNanoseconds
    released.device = frame.device
    released.display = frame.display
    let hadHeld = heldCount > 0
    if hadHeld { settle(frame, at: time) }
    if plan.settings.isDryRun {
      for index in 0..<frame.count {
        var contact = frame.room[index]
        _ = filter(&contact, at: time)
      }
    } else {
      filter(&frame, at: time)
    }
    if frame.count > 0 { lastTime = max(lastTime, time) }
    if hadHeld || heldCount > 0 { findDeadline() }
    return released.count > 0
  }

  private mutating func filter(_ frame: inout FrameBuffer, at time: UInt64) {
    let room = frame.room
    var kept = 0
    for index in 0..<frame.count where filter(&room[index], at: time) {
      if kept != index { room[kept] = room[index] }
      kept += 1
    }
    frame.setCount(kept)
  }

  /// Lets go of held contacts whose time has come without a frame.
  ///
  /// - Returns: true if `released` is to be handed on.
  public mutating func deadlineReached(_ now: UInt64) -> Bool {
    droppedCount = 0
    released.removeAll()
    var oldest: UInt64?
    for slot in 0..<recordCount where records[slot].stage == .held {
      dropDueHolders(records + slot, at: now)
      leaveIfFree(records + slot, &oldest)
    }
    if let oldest { release(bornAt: oldest, now) }
    findDeadline()
    return released.count > 0
  }

  // MARK: For tools

  /// What the last call took away or decided to keep from everybody, but for dry runs.
  ///
  /// Each contact stands in it once in its life; more than `droppedLimit` at once are not listed.
  public var dropped: UnsafeBufferPointer<DroppedContact> {
    UnsafeBufferPointer(start: droppedContacts, count: droppedCount)
  }

  /// What a filter did.
  public func counters(of kind: FilterKind) -> FilterCounters { counters[Self.place(kind)] }

  /// The filters in their order, with settings and counters; allocates.
  public var status: [FilterStatus] {
    plan.filters.map {
      FilterStatus(filter: $0, settings: plan.named($0), counters: counters[Self.place($0)])
    }
  }

  /// How many contacts are held at present.
  public var heldContacts: Int { heldCount }

  @inline(__always)
  static func place(_ kind: FilterKind) -> Int { Int(kind.rawValue) - 1 }

  func count(_ kind: FilterKind) -> UnsafeMutablePointer<FilterCounters> {
    counters + Self.place(kind)
  }

  /// Notes a contact that nobody sees any more.
  mutating func note(_ contact: Contact, droppedBy kind: FilterKind, at time: UInt64) {
    count(kind).pointee.dropped &+= 1
    refusals.append(plan.place(FilterRecord.raw(contact)), at: time)
    guard !plan.settings.isDryRun, droppedCount < Self.droppedLimit else { return }
    (droppedContacts + droppedCount).initialize(to: DroppedContact(contact: contact, filter: kind))
    droppedCount += 1
  }
}

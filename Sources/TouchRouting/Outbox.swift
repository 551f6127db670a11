import TouchModel

/// What waits for one client, and what it was already sent.
///
/// At most `maximumUnacknowledged` frames are on their way: what is in the socket's buffer can no
/// longer be merged. The rest waits here, in storage allocated once. Motions of the same contacts
/// merge into the newest frame that waits and leave their positions as history; down, up and
/// cancel are never merged or lost. When the storage is full the backlog becomes one cancel for
/// each contact that the client was sent, and the client counts as unresponsive.
///
///     offer --sendNow--> caller sends --> noteSent
///       | waits              ^
///       v                    | front, then noteFrontSent
///     queue ----------- canSend (after an acknowledgement)
///
/// - Ownership: owns its storage, which goes with it.
public struct Outbox: ~Copyable {
  /// Enough to cover a wake-up of the client; few, since these can no longer be merged.
  @inlinable public static var maximumUnacknowledged: Int { 8 }
  /// Frames that wait. Motions merge, so these are some thirty taps that nobody looked at.
  public static let maximumFrames = 64
  /// Contacts over all frames that wait: a panel of ten fingers in nearly all of them.
  public static let maximumContacts = 512
  /// Contacts that one client has at once, with those whose end waits.
  public static let maximumLive = 256
  /// Contacts of one frame: what the wire carries.
  public static let maximumFrameContacts = 128
  /// Merged positions over all frames that wait.
  public static let maximumSamples = 1024

  /// What is to happen to a frame.
  public enum Offer: Equatable, Sendable {
    /// Nothing waits and the client keeps up: send it, then call `noteSent`.
    case sendNow
    /// It waits, on its own or merged.
    case waits
    /// It did not fit: the backlog is gone, and cancels wait in its stead.
    case overflowed
  }

  /// A frame that waits.
  public struct Waiting: Sendable {
    /// When it passed the stages so far.
    public var times: StageTimes
    /// The panel.
    public var device: UInt32
    /// The display.
    public var display: UInt32
    /// How many contacts it has.
    public var contactCount: Int
    /// How many merged positions each of them has.
    public var historyCount: Int
    var isMotion: Bool
    var downs: Int
    var firstContact: Int
    var firstSample: Int
  }

  private struct Sent {
    var contact: Contact
    var device: UInt32
    var display: UInt32
  }

  private let keepsHistory: Bool
  private let maximumHistory: Int

  private let frames: UnsafeMutablePointer<Waiting>
  private let contacts: UnsafeMutablePointer<Contact>
  private let samples: UnsafeMutablePointer<HistorySample>
  @usableFromInline var frameCount = 0
  private var storedContacts = 0
  private var sampleCount = 0
  private var waitingDowns = 0

  private let live: UnsafeMutablePointer<Sent>
  private var liveCount = 0

  @usableFromInline let flights: UnsafeMutablePointer<Flight>
  @usableFromInline var flightCount = 0

  @usableFromInline
  struct Flight {
    @usableFromInline var serial: UInt32
    @usableFromInline var time: UInt64
  }

  /// Allocates the storage; its pages are used only once something waits.
  ///
  /// - Parameter history: how many merged positions a frame may carry; 0 for a client that does
  ///   not want them.
  public init(history: Int) {
    keepsHistory = history > 0
    maximumHistory = max(0, history)
    frames = .allocate(capacity: Self.maximumFrames)
    contacts = .allocate(capacity: Self.maximumContacts)
    samples = .allocate(capacity: Self.maximumSamples)
    live = .allocate(capacity: Self.maximumLive)
    flights = .allocate(capacity: Self.maximumUnacknowledged)
  }

  deinit {
    frames.deallocate()
    contacts.deallocate()
    samples.deallocate()
    live.deallocate()
    flights.deallocate()
  }

  /// How many frames wait.
  @inlinable public var waitingFrames: Int { frameCount }
  /// How many frames are on their way.
  @inlinable public var unacknowledged: Int { flightCount }
  /// Whether the first frame that waits may be sent.
  @inlinable public var canSend: Bool { frameCount > 0 && flightCount < Self.maximumUnacknowledged }
  /// When the oldest frame that is on its way was sent; nil if none is.
  @inlinable public var oldestFlight: UInt64? { flightCount > 0 ? flights[0].time : nil }

  // MARK: New frames

  /// Takes the part of a frame's decisions that is for one client and one panel.
  public mutating func offer(
    _ deliveries: borrowing DeliveryBuffer, part: DeliveryPart, times: StageTimes
  ) -> Offer {
    guard part.count <= Self.maximumFrameContacts,
      liveCount &+ waitingDowns &+ part.downs <= Self.maximumLive
    else { return overflow(times) }
    if frameCount == 0 && flightCount < Self.maximumUnacknowledged { return .sendNow }
    return queue(deliveries, part, times)
  }

  /// Makes a frame wait that was to be sent at once but found no room in the socket.
  public mutating func postpone(
    _ deliveries: borrowing DeliveryBuffer, part: DeliveryPart, times: StageTimes
  ) -> Offer {
    queue(deliveries, part, times)
  }

  private mutating func queue(
    _ deliveries: borrowing DeliveryBuffer, _ part: DeliveryPart, _ times: StageTimes
  ) -> Offer {
    if merge(deliveries, part, times) { return .waits }
    if storedContacts + part.count > Self.maximumContacts { compact() }
    guard frameCount < Self.maximumFrames,
      storedContacts + part.count <= Self.maximumContacts
    else { return overflow(times) }
    (frames + frameCount).initialize(
      to: Waiting(
        times: times, device: part.device, display: part.display, contactCount: part.count,
        historyCount: 0, isMotion: part.isMotion, downs: part.downs,
        firstContact: storedContacts, firstSample: sampleCount))
    deliveries.visit(part) { contact in
      (contacts + storedContacts).initialize(to: contact.pointee)
      storedContacts += 1
    }
    frameCount += 1
    waitingDowns += part.downs
    return .waits
  }

  // MARK: Merging

  private mutating func merge(
    _ deliveries: borrowing DeliveryBuffer, _ part: DeliveryPart, _ times: StageTimes
  ) -> Bool {
    guard frameCount > 0, part.isMotion else { return false }
    let newest = frames + (frameCount - 1)
    guard newest.pointee.isMotion, newest.pointee.device == part.device,
      newest.pointee.contactCount == part.count
    else { return false }
    var index = newest.pointee.firstContact
    var isSame = true
    deliveries.visit(part) { contact in
      isSame =
        isSame && contacts[index].id == contact.pointee.id
        && contacts[index].scene == contact.pointee.scene
      index += 1
    }
    guard isSame else { return false }
    if keepsHistory { remember(newest) }
    // Making room for history may have moved what waits.
    index = newest.pointee.firstContact
    deliveries.visit(part) { contact in
      let moved = contacts[index].phase == .motion || contact.pointee.phase == .motion
      contacts[index] = contact.pointee
      contacts[index].phase = moved ? .motion : .still
      index += 1
    }
    newest.pointee.times = times
    return true
  }

  /// Adds the present positions of the newest frame to its history, at the end of the samples.
  private mutating func remember(_ newest: UnsafeMutablePointer<Waiting>) {
    let count = newest.pointee.contactCount
    if sampleCount + count > Self.maximumSamples { compact() }
    let isFull = sampleCount + count > Self.maximumSamples
    if isFull || newest.pointee.historyCount == maximumHistory {
      guard newest.pointee.historyCount > 0 else { return }
      // The oldest step makes room: what is closest to the present matters most.
      let start = samples + newest.pointee.firstSample
      let rest = (newest.pointee.historyCount - 1) * count
      start.update(from: start + count, count: rest)
      sampleCount -= count
      newest.pointee.historyCount -= 1
    }
    for index in 0..<count {
      let contact = contacts[newest.pointee.firstContact + index]
      (samples + sampleCount).initialize(
        to: HistorySample(
          timeNanoseconds: newest.pointee.times.kernel, position: contact.position,
          pressure: contact.pressure, major: contact.major))
      sampleCount += 1
    }
    newest.pointee.historyCount += 1
  }

  /// Moves what waits to the start of its storage.
  private mutating func compact() {
    guard frameCount > 0 else { return }
    let contact = frames[0].firstContact
    let sample = frames[0].firstSample
    guard contact > 0 || sample > 0 else { return }
    contacts.update(from: contacts + contact, count: storedContacts - contact)
    samples.update(from: samples + sample, count: sampleCount - sample)
    storedContacts -= contact
    sampleCount -= sample
    for index in 0..<frameCount {
      // Through pointee: the compiler's thread sanitizer fails on a subscript here (Swift 6.3.1).
      let frame = frames + index
      frame.pointee.firstContact -= contact
      frame.pointee.firstSample -= sample
    }
  }

  // MARK: Sending

  /// The first frame that waits; only when `waitingFrames` is above 0.
  public var front: Waiting {
    precondition(frameCount > 0, "nothing waits")
    return frames[0]
  }

  /// A contact of the first frame that waits.
  public func frontContact(_ index: Int) -> Contact {
    precondition(frameCount > 0 && index < frames[0].contactCount, "no such contact waits")
    return contacts[frames[0].firstContact + index]
  }

  /// A merged position of the first frame: oldest step first, within a step in contact order.
  public func frontSample(_ index: Int) -> HistorySample {
    precondition(
      frameCount > 0 && index < frames[0].contactCount * frames[0].historyCount,
      "no such sample waits")
    return samples[frames[0].firstSample + index]
  }

  /// Takes note that the first frame that waits has gone out.
  public mutating func noteFrontSent(serial: UInt32, time: UInt64) {
    precondition(frameCount > 0, "nothing waits")
    let sent = frames[0]
    for index in 0..<sent.contactCount {
      noteSent(contacts[sent.firstContact + index], sent.device, sent.display)
    }
    noteFlight(serial, time)
    waitingDowns -= sent.downs
    frameCount -= 1
    frames.update(from: frames + 1, count: frameCount)
    if frameCount == 0 {
      storedContacts = 0
      sampleCount = 0
    }
  }

  /// Takes note that a frame which was to be sent at once has gone out.
  public mutating func noteSent(
    _ deliveries: borrowing DeliveryBuffer, part: DeliveryPart, serial: UInt32, time: UInt64
  ) {
    if part.isMotion {
      noteMoved(deliveries, part)
    } else {
      deliveries.visit(part) { noteSent($0.pointee, part.device, part.display) }
    }
    noteFlight(serial, time)
  }

  /// Keeps where contacts are, for the cancels of an overflow.
  @inline(__always)
  private func noteMoved(_ deliveries: borrowing DeliveryBuffer, _ part: DeliveryPart) {
    let first = live
    let end = live + liveCount
    // They come in the order in which they went down, as a rule.
    var place = first
    deliveries.visit(part) { contact in
      if place == end || place.pointee.contact.id != contact.pointee.id {
        place = first
        while place != end, place.pointee.contact.id != contact.pointee.id { place += 1 }
        if place == end { return }
      }
      place.pointee.contact.position = contact.pointee.position
      place += 1
    }
  }

  private mutating func noteSent(_ contact: Contact, _ device: UInt32, _ display: UInt32) {
    if contact.phase == .down {
      precondition(liveCount < Self.maximumLive, "more live contacts than offers let in")
      (live + liveCount).initialize(to: Sent(contact: contact, device: device, display: display))
      liveCount += 1
      return
    }
    for index in 0..<liveCount where live[index].contact.id == contact.id {
      if contact.phase.isEnd {
        liveCount -= 1
        live[index] = live[liveCount]
      } else {
        live[index].contact.position = contact.position
      }
      return
    }
  }

  private mutating func noteFlight(_ serial: UInt32, _ time: UInt64) {
    precondition(flightCount < Self.maximumUnacknowledged, "too many frames on their way")
    (flights + flightCount).initialize(to: Flight(serial: serial, time: time))
    flightCount &+= 1
  }

  /// Takes note that the client has handled all frames up to one.
  ///
  /// - Returns: false if no frame with this serial is on its way: the client is lying.
  public mutating func acknowledge(upTo serial: UInt32) -> Bool {
    var index = 0
    while index < flightCount, flights[index].serial != serial { index += 1 }
    guard index < flightCount else { return false }
    let rest = flightCount - index - 1
    for place in 0..<rest { flights[place] = flights[place + index + 1] }
    flightCount = rest
    return true
  }

  // MARK: Giving up

  /// Throws the backlog away and makes one cancel wait for each contact the client was sent.
  ///
  /// - Returns: `overflowed`, for the offer that led to it.
  @discardableResult
  public mutating func overflow(_ times: StageTimes) -> Offer {
    frameCount = 0
    storedContacts = 0
    sampleCount = 0
    waitingDowns = 0
    // A panel's cancels go together: at its first contact take all others of that panel too.
    for first in 0..<liveCount {
      let device = live[first].device
      if (0..<first).contains(where: { live[$0].device == device }) { continue }
      beginCancelFrame(live[first], times)
      for index in first..<liveCount where live[index].device == device {
        if frames[frameCount - 1].contactCount == Self.maximumFrameContacts {
          beginCancelFrame(live[index], times)
        }
        var contact = live[index].contact
        contact.phase = .cancel
        (contacts + storedContacts).initialize(to: contact)
        storedContacts += 1
        (frames + (frameCount - 1)).pointee.contactCount += 1
      }
    }
    return .overflowed
  }

  private mutating func beginCancelFrame(_ sent: Sent, _ times: StageTimes) {
    // Live contacts are of a few panels and at most 256, so the frames always fit.
    precondition(frameCount < Self.maximumFrames, "more panels than frames that may wait")
    (frames + frameCount).initialize(
      to: Waiting(
        times: times, device: sent.device, display: sent.display, contactCount: 0,
        historyCount: 0, isMotion: false, downs: 0, firstContact: storedContacts, firstSample: 0))
    frameCount += 1
  }
}

public import TouchModel

extension UIApplication {
  // MARK: Source1

  /// Takes a frame in; nothing is delivered yet.
  ///
  /// - Units: positions in points of the screen that the windows lie on.
  public final func enqueue(_ frame: TouchFrame) {
    #if DEBUG
      check(frame)
    #endif
    queue.append(frame)
  }

  /// Takes a frame in without a copy of its own; nothing is delivered yet.
  public final func enqueue(_ frame: borrowing FrameBuffer) {
    #if DEBUG
      check(frame.frame())
    #endif
    queue.append(frame)
  }

  #if DEBUG
    // Another program's data never traps: the first breach is kept, the contact is ignored later.
    private func check(_ frame: TouchFrame) {
      do throws(TouchStreamFault) {
        try checker.accept(frame)
      } catch {
        if diagnostics.firstFault == nil { diagnostics.firstFault = error.description }
      }
    }
  #endif

  /// Ends the stream of frames: what comes next is another daemon's, which counts contacts anew.
  func streamEnded() {
    #if DEBUG
      checker = TouchStreamChecker()
    #endif
  }

  // MARK: Source0

  /// Delivers all that has been queued, in order.
  ///
  /// Gesture time is event time: what is due at or before a frame's time happens before the frame,
  /// however late the frame is handled. Frames that only move contacts are delivered as one.
  ///
  /// With a `frameInterval` in the configuration moves wait for the end of theirs, which is what
  /// `nextDeadlineNanoseconds` and `fireTimers(upTo:)` then include.
  ///
  /// A handler may call it, as a nested run of the loop does: the event that the handler is part of
  /// is first brought to its end, for all other views and recognisers. While it is being found out
  /// who gets a touch (`hitTest`, `point(inside:)`, `shouldReceive`) nothing is delivered; what has
  /// been queued is delivered after that.
  public final func handleEventQueue() { enter { runQueue() } }

  func runQueue(isFlushing: Bool = false) {
    queue.beginUse()
    while let entry = queue.first, isFlushing || !mustWait(entry) {
      let head = queue.head
      gestures.fire(before: entry.time)
      // A handler may have run the queue itself.
      if queue.head == head { deliverNext() }
    }
    queue.endUse()
  }

  /// When `fireTimers(upTo:)` has something to do next; nil if nothing waits for time to pass.
  public final var nextDeadlineNanoseconds: UInt64? {
    if isRouting { return nil }
    guard let frameDue else { return gestures.nextDeadline }
    return min(frameDue, gestures.nextDeadline ?? .max)
  }

  /// Lets time pass: gestures that wait for it go on, in order of their due times.
  ///
  /// What has arrived must have been handled before, since it is older than now.
  public final func fireTimers(upTo nowNanoseconds: UInt64) {
    enter {
      releaseFrames(upTo: nowNanoseconds)
      gestures.fire(upTo: nowNanoseconds)
    }
  }

  /// Finishes what was begun outside of an event: actions, cancelled touches, resets.
  ///
  /// To be called before the run loop sleeps.
  public final func settle() { enter { gestures.finish(in: nil) } }

  /// Cancels all touches, as when the connection is lost: recognisers first, then views, once.
  ///
  /// Frames queued before are delivered first; later frames of these contacts are ignored. Called
  /// from a handler, it takes place when the present event is done, which a nested run of the loop
  /// brings about.
  public final func cancelAllTouches() {
    isCancelRequested = true
    if depth == 0 { enter {} }
  }

  func enter(_ body: () -> Void) {
    if isRouting { return }
    completeDelivery()
    doPostponed()
    depth += 1
    body()
    depth -= 1
    if depth == 0 { doPostponed() }
  }

  /// Does what handlers have asked for, now that no event is under way.
  private func doPostponed() {
    while true {
      if isCancelRequested {
        isCancelRequested = false
        depth += 1
        runQueue(isFlushing: true)
        cancelLiveTouches()
        depth -= 1
      } else if !postponed.isEmpty {
        postponed.removeFirst()()
      } else {
        return
      }
    }
  }

  // MARK: One delivery

  /// Delivers the next frame, with the moves behind it up to a time.
  func deliverNext(upTo limit: UInt64 = .max) {
    guard let entry = queue.first else { return }
    let head = queue.head
    cancelIfTooMany(in: entry)
    for index in entry.contacts where queue.head == head {
      cancelIfOusted(by: queue[contact: index], of: entry)
    }
    // A handler may have run the queue itself.
    guard queue.head == head else { return }
    prepare()
    isRouting = true
    take(entry)
    isRouting = false
    if isMoveOnly(entry) {
      while let more = queue.first, more.time <= limit, isMoveOnly(more),
        !gestures.isDue(before: more.time)
      {
        take(more)
      }
    }
    if limit != .max { resample(at: limit) }
    deliver(at: event.time)
  }

  /// Begins a delivery: all touches rest until a frame says otherwise.
  func prepare() {
    retireTouches()
    event.serial += 1
    event.samples.removeAll(keepingCapacity: true)
    for touch in event.touches {
      touch.phase = .stationary
      touch.previousPlace = touch.place
    }
  }

  func deliver(at time: UInt64) {
    var isChanged = false
    for touch in event.touches where touch.phase != .stationary { isChanged = true }
    guard isChanged else { return }
    gestures.now = time
    if let probe { probe.sending(event, from: self) }
    isEventOpen = true
    sendEvent(event)
    isEventOpen = false
    retireTouches()
  }

  /// Brings the event that a handler is part of to its end, before anything later happens.
  ///
  /// Each step keeps its own progress. The handlers that are still under way find all done when they
  /// return, and these calls may be nested as well.
  private func completeDelivery() {
    gestures.revealAll()
    guard isEventOpen else { return }
    gestures.completeDelivery()
    // An override of its sendEvent has not come to the recognisers and views yet.
    if let window = sendingWindow, window.deliveredEvent != event.serial {
      gestures.deliver(event, in: window)
    }
    sendToWindows()
    isEventOpen = false
    retireTouches()
  }

  /// Hands the event to the windows that it has not been handed to, the front-most first.
  func sendToWindows() {
    let serial = event.serial
    forEachWindow { window in
      // A handler that ran the queue has left a later event, which has been sent as well.
      guard event.serial == serial, isEventOpen else { return }
      guard event.hasTouch(in: window), window.sentEvent != serial else { return }
      window.sentEvent = event.serial
      sendingWindow = window
      window.sendEvent(event)
      sendingWindow = nil
    }
  }

  /// Lets finished touches leave the event.
  func retireTouches() {
    var isChanged = false
    for touch in event.touches where touch.isOver {
      taps.add(touch)
      gestures.retire(touch)
      isChanged = true
    }
    guard isChanged else { return }
    event.touches.removeAll { $0.isOver }
    event.forgetSets()
    gestures.dropIdle()
  }

  func isMoveOnly(_ entry: EventQueue.Entry) -> Bool {
    for index in entry.contacts {
      let contact = queue[contact: index]
      if contact.phase == .down || contact.phase.isEnd { return false }
      if contact.tool != .palm, restingContacts.contains(contact.id) { return false }
    }
    return true
  }
}

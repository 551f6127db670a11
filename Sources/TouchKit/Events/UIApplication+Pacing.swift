import TouchModel

// Delivery at the pace of frames, off by default. Moves wait for the end of the interval that they
// were measured in; anything else is delivered at once and takes them along.
extension UIApplication {
  private var interval: UInt64? {
    let interval = gestures.configuration.frameInterval?.wholeNanoseconds ?? 0
    return interval > 0 ? interval : nil
  }

  /// Whether moves wait that have arrived.
  var holdsMoves: Bool { frameDue != nil && queue.first != nil }

  /// Whether a frame waits for the end of its interval, and all behind it.
  func mustWait(_ entry: EventQueue.Entry) -> Bool {
    guard let interval else { return false }
    if queue.contains(where: { !isMoveOnly($0) }) { return false }
    if frameDue == nil { frameDue = end(of: entry.time, interval) }
    return true
  }

  private func end(of time: UInt64, _ interval: UInt64) -> UInt64 {
    let (end, isOver) = (time / interval + 1).multipliedReportingOverflow(by: interval)
    return isOver ? .max : end
  }

  /// Delivers the moves whose interval is over.
  ///
  /// A gesture that is due does not overtake a move that was measured before.
  func releaseFrames(upTo now: UInt64) {
    guard let due = frameDue else { return }
    guard due <= now else {
      if let other = gestures.nextDeadline, other <= now, queue.first != nil {
        frameDue = nil
        runQueue(isFlushing: true)
      }
      return
    }
    frameDue = nil
    releasedFrames &+= 1
    guard let interval, gestures.configuration.resamplesMoves else {
      return runQueue(isFlushing: true)
    }
    let last = max(due, now / interval * interval)
    releaseResampled(at: last > Self.resamplingDelay ? last - Self.resamplingDelay : 0)
    if queue.first != nil || event.touches.contains(where: \.isAhead) {
      frameDue = end(of: last, interval)
    }
  }

  // MARK: Resampling

  // Android's numbers: with a delay of one sample most places lie between two measurements.
  private static var resamplingDelay: UInt64 { 5_000_000 }
  private static var longestReach: UInt64 { 8_000_000 }
  private static var sampleDistances: ClosedRange<UInt64> { 2_000_000...20_000_000 }

  private func releaseResampled(at time: UInt64) {
    var isDone = false
    queue.beginUse()
    while let entry = queue.first, entry.time <= time {
      let head = queue.head
      gestures.fire(before: entry.time)
      if queue.head == head { deliverNext(upTo: time) }
      isDone = true
    }
    queue.endUse()
    if isDone { return }
    prepare()
    resample(at: time)
    deliver(at: event.time)
  }

  /// Moves touches that go on to where they were, or will have been, at a time.
  ///
  /// Only the last delivery of an interval does so: there is nothing more to come before its end.
  func resample(at time: UInt64) {
    if let next = queue.first, next.time <= time { return }
    for touch in event.touches where touch.isLive {
      let (place, moment) = target(of: touch, at: time)
      guard place != touch.place else { continue }
      shift(touch, to: place, at: moment)
      touch.phase = .moved
      event.time = max(event.time, moment)
    }
  }

  private func target(of touch: UITouch, at time: UInt64) -> (CGPoint, UInt64) {
    let last = touch.measured.last
    let wasAhead = touch.isAhead
    touch.isAhead = false
    if let next = queue.next(of: touch.contactID), next.time > time, time > last.time {
      let share = Double(time - last.time) / Double(next.time - last.time)
      return (last.place.moved(by: share, towards: CGPoint(next.contact.position)), time)
    }
    // Nothing new since it was moved ahead: the finger rests, and the place is the one measured.
    if wasAhead || time <= last.time { return (last.place, max(last.time, touch.time)) }
    guard let before = touch.measured.before, last.time > before.time,
      Self.sampleDistances.contains(last.time - before.time)
    else { return (last.place, last.time) }
    let distance = last.time - before.time
    let reach = min(time - last.time, distance / 2, Self.longestReach)
    touch.isAhead = true
    let share = 1 + Double(reach) / Double(distance)
    return (before.place.moved(by: share, towards: last.place), last.time + reach)
  }
}

extension CGPoint {
  /// The point on the line to another one: 0 is this one, 1 the other.
  fileprivate func moved(by share: Double, towards other: CGPoint) -> CGPoint {
    CGPoint(x: x + (other.x - x) * share, y: y + (other.y - y) * share)
  }
}

import TouchModel

// Where contacts are.
extension FilterChain {
  /// Takes a contact's position through the filters of positions.
  ///
  /// - Returns: where it is to be, in device units.
  mutating func smooth(
    _ contact: Contact, _ record: UnsafeMutablePointer<FilterRecord>, _ slot: Int,
    at time: UInt64
  ) -> SIMD2<Double> {
    var place = FilterRecord.raw(contact)
    if plan.has(.pressureDrop) {
      take(&place, for: .pressureDrop, withPressure(contact.pressure, place, record))
    }
    if plan.has(.median) { take(&place, for: .median, median(place, record, slot)) }
    if plan.has(.lowPass) { take(&place, for: .lowPass, lowPass(place, record, at: time)) }
    if plan.has(.hysteresis) {
      record.pointee.center = plan.margin.follow(place, from: record.pointee.center)
      take(&place, for: .hysteresis, record.pointee.center)
    }
    return place
  }

  @inline(__always)
  private func take(_ place: inout SIMD2<Double>, for kind: FilterKind, _ new: SIMD2<Double>) {
    if new != place { count(kind).pointee.changed &+= 1 }
    place = new
  }

  /// A finger that rolls off a resistive panel drags its position along while the pressure falls.
  private func withPressure(
    _ pressure: Float, _ place: SIMD2<Double>, _ record: UnsafeMutablePointer<FilterRecord>
  ) -> SIMD2<Double> {
    let recent = record.pointee.pressures.sum() / 4
    // The low sample counts among the recent: who goes on with less pressure is heard again soon.
    record.pointee.pressures[record.pointee.nextPressure] = pressure
    record.pointee.nextPressure = (record.pointee.nextPressure + 1) & 3
    if pressure >= Float(plan.settings.pressureDrop ?? 0) * recent {
      record.pointee.pressed = place
    }
    return record.pointee.pressed
  }

  private func median(
    _ place: SIMD2<Double>, _ record: UnsafeMutablePointer<FilterRecord>, _ slot: Int
  ) -> SIMD2<Double> {
    let row = samples + slot * window
    row[record.pointee.nextSample] = place
    record.pointee.nextSample = (record.pointee.nextSample + 1) % window
    return SIMD2(Self.median(row, window, axis: 0), Self.median(row, window, axis: 1))
  }

  /// The value that as many others lie below as above; the window is small and odd.
  private static func median(
    _ row: UnsafePointer<SIMD2<Double>>, _ count: Int, axis: Int
  ) -> Double {
    for candidate in 0..<count {
      let value = row[candidate][axis]
      var below = 0
      var same = 0
      for other in 0..<count {
        if row[other][axis] < value { below += 1 }
        if row[other][axis] == value { same += 1 }
      }
      if below <= count / 2, below + same > count / 2 { return value }
    }
    return row[0][axis]
  }

  /// An exponential average over true times. A value that repeats is no new sample: a panel that
  /// reports more often than it measures would else be smoothed less at each step.
  private func lowPass(
    _ place: SIMD2<Double>, _ record: UnsafeMutablePointer<FilterRecord>, at time: UInt64
  ) -> SIMD2<Double> {
    guard place != record.pointee.input else { return record.pointee.output }
    let before = record.pointee.changedAt
    let elapsed = Double(time > before ? time - before : 0)
    let weight = elapsed / (elapsed + Double(plan.settings.lowPass ?? 1))
    record.pointee.input = place
    record.pointee.changedAt = max(before, time)
    record.pointee.output += (place - record.pointee.output) * weight
    return record.pointee.output
  }
}

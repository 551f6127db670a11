import TouchModel

/// What is known of `BTN_TOUCH`.
struct TouchKey {
  var isDown = false
  // Whether the report that is being read says so.
  var isNew = false
}

// BTN_TOUCH of a device with slots. It says nothing that the slots do not say as well, but for
// drivers that never send the -1 and lift by this key alone.
extension FrameAssembler {
  mutating func takeKey(_ event: EvdevEvent) {
    guard event.type == EvdevCode.key, event.code == EvdevCode.btnTouch else { return }
    touchKey.isDown = event.value != 0
    touchKey.isNew = true
    isPlain = false
  }

  /// Ends a report that may mean more than its slots say.
  mutating func finishReport(at timeNanoseconds: UInt64) -> Bool {
    if let reports {
      takeContacts(of: reports)
    } else if let single {
      settle(single)
    } else {
      obeyTouchKey()
    }
    quiet.heard(at: timeNanoseconds)
    return buildFrame(at: timeNanoseconds)
  }

  private mutating func obeyTouchKey() {
    if touchKey.isNew, !touchKey.isDown, isHeldUnchanged { liftByKey() }
    let areLeft = restartLifted()
    touchKey.isNew = false
    isPlain = !areLeft
  }

  /// Whether something is down and no slot says anything new of its id or its position.
  private var isHeldUnchanged: Bool {
    guard !hasNewID else { return false }
    var isHeld = false
    for index in 0..<slotCount {
      switch slots[index].stage {
      case .live:
        let values = valuesOf(index)
        guard !hasMoved(slots + index, values), values.isTouch else { return false }
        isHeld = true
      case .silent: isHeld = true
      // What hovers does not touch, so the key has nothing to say of it.
      case .waiting, .empty, .lifted: break
      }
    }
    return isHeld
  }

  private func hasMoved(_ slot: UnsafeMutablePointer<Slot>, _ values: SlotValues) -> Bool {
    values[EvdevCode.absMTPositionX] != slot.pointee.contact.rawX
      || values[EvdevCode.absMTPositionY] != slot.pointee.contact.rawY
  }

  private mutating func liftByKey() {
    counters.liftsByKey &+= 1
    for index in 0..<slotCount {
      switch slots[index].stage {
      case .live: slots[index].ending = .up
      case .silent: break
      case .waiting, .empty, .lifted: continue
      }
      markLifted(index)
    }
  }

  /// Makes a slot one that begins again with the key; where it is now is where it rests.
  mutating func markLifted(_ index: Int) {
    slots[index].stage = .lifted
    slots[index].contact.rawX = valuesOf(index)[EvdevCode.absMTPositionX]
    slots[index].contact.rawY = valuesOf(index)[EvdevCode.absMTPositionY]
    isPlain = false
  }

  /// Lets contacts that were lifted by the key begin again, once it is pressed: those that have
  /// moved, or, if that tells none, the one that the events are about.
  ///
  /// - Returns: whether there are any left.
  private mutating func restartLifted() -> Bool {
    var areLeft = false
    var hasRestarted = false
    for index in 0..<slotCount where slots[index].stage == .lifted {
      if touchKey.isDown, hasMoved(slots + index, valuesOf(index)) {
        restart(index)
        hasRestarted = true
      } else {
        areLeft = true
      }
    }
    let index = currentIndex
    if touchKey.isDown, touchKey.isNew, !hasRestarted, index < slotCount,
      slots[index].stage == .lifted
    {
      restart(index)
    }
    return areLeft
  }

  private mutating func restart(_ index: Int) {
    slots[index].stage = .waiting
    activate(index)
  }
}

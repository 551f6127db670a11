import TouchModel

/// Since when a device is quiet.
struct QuietWatch {
  private(set) var since: UInt64 = 0
  // Whether the silence was noticed and nothing can be done about it.
  var isGivenUp = false

  mutating func heard(at timeNanoseconds: UInt64) {
    since = timeNanoseconds
    isGivenUp = false
  }
}

/// What an assembler would have its caller ask of a device: at opening, after a gap, and when the
/// device has been quiet for too long.
public enum HeldState: Sendable, Equatable {
  /// All slots, so many of them, and `BTN_TOUCH`.
  case slots(Int)
  /// Two position axes and what says that the panel is touched.
  case contact(PositionAxes, TouchSign)
  /// `BTN_TOUCH` alone, for the kernel keeps nothing else (protocol A).
  case touchKey
}

/// What says that a panel of a single contact is touched.
public enum TouchSign: Sendable, Equatable {
  /// A key that is pressed.
  case key(UInt16)
  /// `ABS_PRESSURE` above 0.
  case pressure
  /// Nothing: it never is.
  case nothing
}

// A device that falls silent with a contact down: the release may have been lost.
extension FrameAssembler {
  /// What to ask the device for.
  public var heldState: HeldState {
    if reports != nil { return .touchKey }
    guard let single else { return .slots(declaredSlots) }
    return .contact(single.position, single.sign)
  }

  /// When the device will have been quiet for too long; nil if nothing is down, or if no limit was
  /// asked for.
  ///
  /// - Units: nanoseconds, in the clock of the frames.
  public var nextDeadline: UInt64? {
    guard options.quietLimitNanoseconds > 0, !hasSlots, !quiet.isGivenUp, !needsStateCheck,
      reading == .frames, isTouched
    else { return nil }
    let (time, isTooLate) = quiet.since.addingReportingOverflow(options.quietLimitNanoseconds)
    return isTooLate ? nil : time
  }

  /// Looks whether the device has been quiet for too long; then `needsStateCheck` may be true.
  ///
  /// Where nobody can tell the state, the contacts are lifted if the options say so.
  /// - Returns: true if the frame has contacts; see `frame`.
  public mutating func deadlineReached(_ now: UInt64) -> Bool {
    guard let deadline = nextDeadline, deadline <= now else { return false }
    guard let reports, !reports.hasTouchKey else {
      needsStateCheck = true
      return false
    }
    return liftIfAsked(reports, at: now)
  }

  private mutating func liftIfAsked(
    _ reports: ReportCollector, at timeNanoseconds: UInt64
  ) -> Bool {
    guard options.liftsWhenQuiet else {
      quiet.isGivenUp = true
      return false
    }
    liftAll(reports)
    return buildFrame(at: timeNanoseconds)
  }

  /// Takes what a quiet device says of its state; see `needsStateCheck`.
  ///
  /// A contact that is no longer there was lifted; one that is there may have moved.
  ///
  /// - Parameters: as for `adoptInitialState`; no slots if the device cannot say.
  /// - Returns: true if the frame has contacts; see `frame`.
  public mutating func takeState(
    timeNanoseconds: UInt64, slots states: UnsafeBufferPointer<SlotState>, touchKey: Bool?
  ) -> Bool {
    guard needsStateCheck else { return false }
    needsStateCheck = false
    quiet.heard(at: timeNanoseconds)
    if let reports {
      switch touchKey {
      case true: return false
      case nil: return liftIfAsked(reports, at: timeNanoseconds)
      default:
        liftAll(reports)
        return buildFrame(at: timeNanoseconds)
      }
    }
    guard let single, let state = states.first else {
      quiet.isGivenUp = true
      return false
    }
    return take(state, single, at: timeNanoseconds)
  }

  private mutating func take(
    _ state: SlotState, _ single: SingleTouch, at timeNanoseconds: UInt64
  ) -> Bool {
    guard state.trackingID >= 0 else {
      single.isTouching = false
      takeTrackingID(-1)
      return buildFrame(at: timeNanoseconds)
    }
    let isSame =
      current[EvdevCode.absMTPositionX] == state.x && current[EvdevCode.absMTPositionY] == state.y
    current[EvdevCode.absMTPositionX] = state.x
    current[EvdevCode.absMTPositionY] = state.y
    return !isSame && buildFrame(at: timeNanoseconds)
  }
}

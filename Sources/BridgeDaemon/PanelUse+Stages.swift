import TouchFilters
import TouchFrames
import TouchSettings

// What is configured for a panel, in the words of the stages behind its frames.
extension PanelUse {
  /// Changes what is filtered by what the configuration says of it; the rest stays.
  func apply(to filters: inout FilterSettings) {
    if let dryRun = settings.filtersDryRun { filters.isDryRun = dryRun.value }
    if !settings.deadZones.isEmpty { filters.deadRectangles = settings.deadZones.map(\.value) }
    if let bounce = settings.debounce?.value {
      filters.liftDebounce = LiftDebounce(
        duration: bounce.time.wholeNanoseconds, distance: bounce.distance)
    }
    if let rate = settings.contactRate?.value {
      filters.contactRate = ContactRate(perSecond: rate.perSecond, distance: rate.distance)
    }
    if let limit = settings.maximumContacts { filters.maximumContacts = limit.value }
    if let size = settings.palmSize?.value {
      filters.palmSize = size > 0 ? PalmSize(diameter: size) : nil
    }
    if let frames = settings.palmSettle?.value {
      filters.palmSize?.settledFrames = frames
    }
    if let corner = settings.ghostCorner { filters.ghostCorner = corner.value }
    if let edge = settings.edgeHold?.value {
      filters.edgeHold =
        edge.distance > 0
        ? EdgeHold(
          distance: edge.distance, travel: edge.travel ?? edge.distance,
          limit: edge.limit?.wholeNanoseconds) : nil
    }
    if let delivers = settings.edgeHoldDelivers?.value {
      filters.edgeHold?.deliversEnded = delivers
    }
    if let time = settings.minimumDuration?.value {
      filters.minimumDuration = time > .zero ? time.wholeNanoseconds : nil
    }
    if let part = settings.pressureDrop { filters.pressureDrop = part.value }
    if let window = settings.median?.value { filters.medianWindow = window > 1 ? window : nil }
    if let time = settings.lowPass?.value {
      filters.lowPass = time > .zero ? time.wholeNanoseconds : nil
    }
    if let margin = settings.hysteresis?.value {
      filters.hysteresis = margin > 0 ? .millimetres(margin) : .off
    }
  }

  /// How frames are made of what the panel sends.
  func frameOptions(for source: FrameAssembler.Source) -> FrameOptions {
    var options = FrameOptions()
    options.timesNeverStepBack = true
    options.refusesFaultyDevices = source == .device
    options.reportsHover = true
    if let axes = settings.positionAxes?.value {
      options.positionAxes = PositionAxes(x: axes.x, y: axes.y)
    }
    options.outOfRange =
      switch settings.outOfRange?.value {
      case .drop: .drop
      case .count: .count
      case .clamp, nil: .clamp
      }
    // A release that a driver forgot would hold a contact for ever. To ask the kernel costs nothing;
    // a contact that it cannot be asked after is taken for lifted only where somebody says so.
    options.quietLimitNanoseconds = source == .device ? 1_000_000_000 : 0
    if let limit = settings.quietTimeout?.value {
      options.quietLimitNanoseconds = limit.wholeNanoseconds
      options.liftsWhenQuiet = true
    }
    return options
  }

  /// When a contact counts as stuck; a limit of the command line comes first.
  func stuck(_ options: StuckSettings) -> StuckSettings {
    guard options.limit == 0, let limit = settings.stuckContactLimit?.value else { return options }
    return StuckSettings(
      limit: limit.wholeNanoseconds, releases: settings.releasesStuckContacts?.value ?? false)
  }
}

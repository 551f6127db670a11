import TouchModel

/// How the events of a device are to be read: what it says of itself, with the options put in.
struct DevicePlan {
  let touchProtocol: TouchProtocol
  /// The slots to be prepared for.
  let slots: Int
  /// The axes that carry the position.
  let position: PositionAxes
  /// The ranges by their code in a slot, whatever the device calls the axes.
  let slotAxes: [UInt16: AxisRange]
  private let description: DeviceDescription

  init(_ description: DeviceDescription, options: FrameOptions) throws(FrameError) {
    self.description = description
    var axes = description.axes
    for (code, override) in options.axes { axes[code] = override.applied(to: axes[code]) }
    let name = description.name
    touchProtocol = try Self.touchProtocol(axes, name, options.positionAxes)
    if case .singleTouch = touchProtocol {
      position = options.positionAxes ?? .singleTouch
    } else {
      position = options.positionAxes ?? .multiTouch
    }
    switch touchProtocol {
    case .slots(let count): slots = count
    case .reports: slots = ReportCollector.limit
    case .singleTouch: slots = 1
    }
    var slotAxes: [UInt16: AxisRange] = [:]
    if case .singleTouch = touchProtocol {
      slotAxes[EvdevCode.absMTPressure] = axes[EvdevCode.absPressure]
    } else {
      slotAxes = axes
    }
    slotAxes[EvdevCode.absMTPositionX] = axes[position.x]
    slotAxes[EvdevCode.absMTPositionY] = axes[position.y]
    if let pressures = options.pressureRange {
      slotAxes[EvdevCode.absMTPressure] = AxisRange(
        minimum: pressures.lowerBound, maximum: pressures.upperBound)
    }
    self.slotAxes = slotAxes
    if options.refusesFaultyDevices { try refuseFaults() }
  }

  private static func touchProtocol(
    _ axes: [UInt16: AxisRange], _ name: String, _ chosen: PositionAxes?
  ) throws(FrameError) -> TouchProtocol {
    let own = DeviceDescription(name: name, axes: axes).touchProtocol
    guard let chosen else {
      guard let own else { throw .noTouchPosition(device: name) }
      return own
    }
    for axis in [chosen.x, chosen.y] where axes[axis] == nil {
      throw .noSuchAxis(device: name, axis: axis)
    }
    guard chosen.isMultiTouch else { return .singleTouch }
    guard axes[EvdevCode.absMTSlot] != nil else { return .reports }
    guard let own, chosen == .multiTouch else { throw .otherAxesInSlots(device: name) }
    return own
  }

  /// Throws what is wrong with a device that would give no useful frames.
  private func refuseFaults() throws(FrameError) {
    let ranges = [("x", EvdevCode.absMTPositionX), ("y", EvdevCode.absMTPositionY)]
    for (axis, code) in ranges {
      guard let range = slotAxes[code], range.maximum > range.minimum else {
        throw .noExtent(device: description.name, axis: axis)
      }
    }
    if case .slots = touchProtocol, slotAxes[EvdevCode.absMTTrackingID] == nil,
      !description.sends(EvdevCode.abs, EvdevCode.absMTTrackingID)
    {
      throw .noTrackingID(device: description.name)
    }
  }

  /// The front end for protocol A; nil for other devices.
  func makeCollector(options: FrameOptions) -> ReportCollector? {
    guard case .reports = touchProtocol else { return nil }
    return ReportCollector(
      position: position,
      hasTouchKey: description.sends(EvdevCode.key, EvdevCode.btnTouch),
      matcher: ContactMatcher(
        x: slotAxes[EvdevCode.absMTPositionX], y: slotAxes[EvdevCode.absMTPositionY],
        limit: options.matchDistance, capacity: ReportCollector.limit))
  }

  /// The front end for a single contact; nil for other devices.
  func makeSingleTouch() -> SingleTouch? {
    guard case .singleTouch = touchProtocol else { return nil }
    return SingleTouch(description, position: position)
  }
}

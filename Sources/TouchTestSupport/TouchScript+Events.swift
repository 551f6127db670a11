public import TouchModel

extension TouchScript {
  /// The script as events of a panel, as its evdev node would give them.
  ///
  /// Points are those of the display that the panel lies on; they become the panel's own units and
  /// are rounded to them. Like the kernel, it leaves out a value that has not changed, unless the
  /// panel's habits are worse. `drop` puts a `SYN_DROPPED` in the place of a frame, and `unplug`
  /// ends the events.
  ///
  /// - Parameters:
  ///   - panel: says how fingers become events.
  ///   - display: where the panel lies; the last unit of an axis is its last pixel.
  public func events(on panel: PanelModel, display: Display = .fallback) -> [EvdevEvent] {
    var writer: any EventWriter
    switch panel.description.touchProtocol {
    case .reports: writer = ReportWriter(panel, display: display)
    case .singleTouch: writer = SingleTouchWriter(panel, display: display)
    case .slots, nil: writer = SlotWriter(panel, display: display)
    }
    for entry in steps {
      let time = 1_000_000_000 + entry.at.nanoseconds
      switch entry.step {
      case .frame(let changes): writer.write(changes, at: time)
      case .drop: writer.drop(at: time)
      case .unplug:
        writer.unplug(at: time)
        return writer.events
      case .call: break
      }
    }
    return writer.events
  }
}

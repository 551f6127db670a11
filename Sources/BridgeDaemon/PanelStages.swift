import TouchFilters
import TouchFrames
import TouchModel

/// What one panel is to have beyond its frames.
struct PanelSetup {
  /// What is filtered.
  var filters = FilterSettings()
  /// When a contact counts as stuck.
  var stuck = StuckSettings()
  /// The size of the panel in millimetres, where its own resolution is missing or wrong.
  var size: SIMD2<Double>?
  /// udev's properties of the panel.
  var properties: [String: String] = [:]
  /// How old a down that was held may be when it is handed on, in nanoseconds.
  var oldestDown = FilterPlan.oldestDown
}

/// What stands between a panel's frames and the router; a panel without any has none of this.
final class PanelStages {
  let filters: Cell<FilterChain>
  let watch: Cell<StuckContactWatch>
  /// Who gets the frames instead of all that; nil if nobody does.
  let capture: PanelCapture?

  /// - Returns: nil if there is nothing to do.
  init?(_ plan: FilterPlan, _ stuck: StuckSettings, _ capture: PanelCapture?) {
    guard !plan.isEmpty || stuck.limit > 0 || capture != nil else { return nil }
    self.capture = capture
    // The router exchanges storage with the frames that it is given, so all are of one size.
    let capacity = FrameAssembler.frameCapacity
    filters = Cell(FilterChain(plan, frameCapacity: capacity))
    watch = Cell(StuckContactWatch(stuck, frameCapacity: capacity))
  }

  /// When a stage wants to be called; `max` for not before the next frame.
  var nextDeadline: UInt64 {
    min(filters.value.nextDeadline ?? .max, watch.value.nextDeadline ?? .max)
  }
}

/// A frame that no report of the device made.
enum ExtraFrame {
  /// Downs that filters had held.
  case released
  /// Cancels of contacts that are stuck.
  case stuck
}

// Frames go through the stages.
extension Panel {
  /// Takes the frame that was just completed through the stages and hands on what is left.
  func handOver(through stages: PanelStages, readAt time: UInt64) {
    if let capture = stages.capture { return capture.take(self) }
    let deadline = stages.nextDeadline
    let hasReleased = stages.filters.value.apply(&assembler.value.frame)
    if !stages.filters.value.dropped.isEmpty { owner.panelHasDropped(self, readAt: time) }
    if hasReleased { handOverReleased(stages, readAt: time) }
    if assembler.value.frame.count > 0 { stages.watch.value.apply(&assembler.value.frame) }
    if assembler.value.frame.count > 0 { owner.panelHasFrame(self, readAt: time) }
    if stages.nextDeadline != deadline { owner.panelDeadlineChanged() }
  }

  private func handOverReleased(_ stages: PanelStages, readAt time: UInt64) {
    stages.watch.value.apply(&stages.filters.value.released)
    guard stages.filters.value.released.count > 0 else { return }
    owner.panelHasExtraFrame(self, .released, readAt: time)
  }

  /// When the panel wants to be called; `max` for not before the next frame.
  var nextDeadline: UInt64 { min(stages?.nextDeadline ?? .max, quietDeadline ?? .max) }

  /// Lets the panel and its stages do what is due without a frame.
  func deadlineReached(_ now: UInt64) {
    silenceReached(now)
    guard let stages, stages.nextDeadline <= now else { return }
    if stages.filters.value.nextDeadline ?? .max <= now,
      stages.filters.value.deadlineReached(now)
    {
      handOverReleased(stages, readAt: now)
    }
    guard stages.watch.value.nextDeadline ?? .max <= now else { return }
    let hasCancels = stages.watch.value.deadlineReached(now)
    if hasCancels { owner.panelHasExtraFrame(self, .stuck, readAt: now) }
    owner.panelHasStuckContacts(self)
  }
}

public import TouchModel

/// A place on a panel in the device's own units.
public struct RawPoint: Sendable, Equatable, Hashable {
  /// `ABS_MT_POSITION_X`.
  public var x: Int32
  /// `ABS_MT_POSITION_Y`.
  public var y: Int32

  /// Creates a raw point.
  public init(x: Int32, y: Int32) {
    self.x = x
    self.y = y
  }
}

/// The fingers on a panel of protocol B, as its driver remembers them from frame to frame.
public struct PanelState {
  private var trackingIDs: [Int32: Int32] = [:]
  private var nextTrackingID: Int32 = 1

  /// Creates the state of an untouched panel.
  public init() {}

  /// Returns the events a driver sends when these fingers, by slot, are on the panel now.
  ///
  /// A slot that is not named is lifted. The kernel drops what did not change, as it does for any
  /// driver. The single-touch axes follow the oldest finger, as `input_mt_report_pointer_emulation`
  /// has it.
  public mutating func frame(_ fingers: [Int32: RawPoint]) -> [EvdevEvent] {
    var events: [EvdevEvent] = []
    func add(_ type: UInt16, _ code: UInt16, _ value: Int32) {
      events.append(
        EvdevEvent(seconds: 0, microseconds: 0, type: type, code: code, value: value))
    }
    for slot in Set(trackingIDs.keys).union(fingers.keys).sorted() {
      add(EvdevCode.abs, EvdevCode.absMTSlot, slot)
      guard let place = fingers[slot] else {
        trackingIDs[slot] = nil
        add(EvdevCode.abs, EvdevCode.absMTTrackingID, -1)
        continue
      }
      if trackingIDs[slot] == nil {
        trackingIDs[slot] = nextTrackingID
        nextTrackingID = (nextTrackingID + 1) & 0xffff
      }
      add(EvdevCode.abs, EvdevCode.absMTTrackingID, trackingIDs[slot, default: 0])
      add(EvdevCode.abs, EvdevCode.absMTPositionX, place.x)
      add(EvdevCode.abs, EvdevCode.absMTPositionY, place.y)
    }
    add(EvdevCode.key, EvdevCode.btnTouch, fingers.isEmpty ? 0 : 1)
    let oldest = trackingIDs.min { $0.value < $1.value }
    if let oldest, let place = fingers[oldest.key] {
      add(EvdevCode.abs, EvdevCode.absX, place.x)
      add(EvdevCode.abs, EvdevCode.absY, place.y)
    }
    add(EvdevCode.syn, EvdevCode.synReport, 0)
    return events
  }
}

import Testing
import TouchModel
import UInputPanel

extension SystemTests {
  @Suite struct `A panel made through uinput` {
    @Test func `udev takes it for a touch screen, and it goes when it is unplugged`() throws {
      let watch = try UdevWatch()
      let panel = try UInputPanel(.tenFingerPanel())
      let added = try watch.event("add", of: panel.systemName)
      #expect(added.properties["ID_INPUT_TOUCHSCREEN"] == "1")
      #expect(added.properties["ID_INPUT"] == "1")
      #expect(added.node?.hasPrefix("/dev/input/event") == true)
      panel.unplug()
      let removed = try watch.event("remove", of: panel.systemName)
      #expect(removed.node == added.node)
    }

    @Test func `the kernel hands on what the fingers do, and only what has changed`() throws {
      let (panel, node) = try pluggedIn()
      defer { panel.unplug() }
      try panel.touch([0: RawPoint(x: 640, y: 480)])
      let down = try node.frame()
      #expect(
        down.map(Short.init) == [
          Short(EvdevCode.abs, EvdevCode.absMTTrackingID, 1),
          Short(EvdevCode.abs, EvdevCode.absMTPositionX, 640),
          Short(EvdevCode.abs, EvdevCode.absMTPositionY, 480),
          Short(EvdevCode.key, EvdevCode.btnTouch, 1),
          Short(EvdevCode.abs, EvdevCode.absX, 640), Short(EvdevCode.abs, EvdevCode.absY, 480),
          Short(EvdevCode.syn, EvdevCode.synReport, 0),
        ])
      try panel.touch([0: RawPoint(x: 644, y: 480)])
      #expect(
        try node.frame().map(Short.init) == [
          Short(EvdevCode.abs, EvdevCode.absMTPositionX, 644),
          Short(EvdevCode.abs, EvdevCode.absX, 644), Short(EvdevCode.syn, EvdevCode.synReport, 0),
        ])
      try panel.lift()
      #expect(
        try node.frame().map(Short.init) == [
          Short(EvdevCode.abs, EvdevCode.absMTTrackingID, -1),
          Short(EvdevCode.key, EvdevCode.btnTouch, 0), Short(EvdevCode.syn, EvdevCode.synReport, 0),
        ])
    }
  }
}

/// An event without its time.
private struct Short: Equatable {
  var type: UInt16
  var code: UInt16
  var value: Int32

  init(_ type: UInt16, _ code: UInt16, _ value: Int32) {
    (self.type, self.code, self.value) = (type, code, value)
  }

  init(_ event: EvdevEvent) { self.init(event.type, event.code, event.value) }
}

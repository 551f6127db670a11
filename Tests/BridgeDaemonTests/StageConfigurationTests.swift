import TestSupport
import Testing
import TouchFilters
import TouchFrames
import TouchModel
import TouchSettings

@testable import BridgeDaemon

@Suite struct `Filters of a configuration` {
  private func use(_ keys: String) throws -> PanelUse? {
    let folder = try TemporaryFolder()
    try folder.write("[Panel p]\n\(keys)", to: "touch.conf")
    let configuration = Configuration(
      .path("\(folder.path)/touch.conf"), sysfs: "\(folder.path)/drm")
    #expect(configuration.faults == [])
    let panel = PanelIdentity(description: DeviceDescription(name: "p"))
    guard case .used(let use) = configuration.plan(for: panel) else { return nil }
    return use
  }

  private func filters(
    _ keys: String, over base: FilterSettings = FilterSettings()
  ) throws -> FilterSettings {
    var filters = base
    try #require(try use(keys)).apply(to: &filters)
    return filters
  }

  @Test func `are as without one where it says nothing`() throws {
    #expect(try filters("Rotate=90") == FilterSettings())
  }

  @Test func `are what it says`() throws {
    let filters = try filters(
      """
      FilterDryRun=yes
      DeadZone=0 0 10 86 mm
      DeadZone=144 0 10 86 mm
      Debounce=30ms 5mm
      ContactRate=5 10mm
      MaximumContacts=2
      PalmSize=25mm
      GhostCorner=0mm
      EdgeHold=1mm 3mm 500ms
      MinimumDuration=20ms
      PressureDrop=65%
      Median=3
      LowPass=8ms
      Hysteresis=0.5mm
      """)
    var expected = FilterSettings()
    expected.isDryRun = true
    expected.deadRectangles = [
      Rect(x: 0, y: 0, width: 10, height: 86), Rect(x: 144, y: 0, width: 10, height: 86),
    ]
    expected.liftDebounce = LiftDebounce(duration: 30_000_000, distance: 5)
    expected.contactRate = ContactRate(perSecond: 5, distance: 10)
    expected.maximumContacts = 2
    expected.palmSize = PalmSize(diameter: 25)
    expected.ghostCorner = 0
    expected.edgeHold = EdgeHold(distance: 1, travel: 3, limit: 500_000_000)
    expected.minimumDuration = 20_000_000
    expected.pressureDrop = 0.65
    expected.medianWindow = 3
    expected.lowPass = 8_000_000
    expected.hysteresis = .millimetres(0.5)
    #expect(filters == expected)
  }

  @Test func `are off where it says 0, whatever the options say`() throws {
    var base = FilterSettings()
    base.palmSize = PalmSize(diameter: 25)
    base.edgeHold = EdgeHold(distance: 1, travel: 3, limit: nil)
    base.minimumDuration = 1
    base.medianWindow = 3
    base.lowPass = 1
    let off = "PalmSize=0\nEdgeHold=0\nMinimumDuration=0\nMedian=1\nLowPass=0\nHysteresis=0"
    #expect(try filters(off, over: base) == .off)
  }

  @Test func `wait for a palm to settle, and deliver late from an edge, where they say so`() throws
  {
    let filters = try filters("PalmSize=25mm\nPalmSettle=3\nEdgeHold=2mm\nEdgeHoldDelivers=yes")
    #expect(filters.palmSize == PalmSize(diameter: 25, settledFrames: 3))
    #expect(
      filters.edgeHold == EdgeHold(distance: 2, travel: 2, limit: nil, deliversEnded: true))
    #expect(try self.filters("PalmSettle=3\nEdgeHoldDelivers=yes").palmSize == nil)
  }

  @Test func `hold an edge for as far as it is wide unless they say more`() throws {
    #expect(
      try filters("EdgeHold=2mm").edgeHold == EdgeHold(distance: 2, travel: 2, limit: nil))
  }

  @Test func `leave what the command line says of stuck contacts`() throws {
    let use = try #require(try use("StuckContactLimit=5min\nStuckContactRelease=yes"))
    #expect(
      use.stuck(StuckSettings()) == StuckSettings(limit: 300_000_000_000, releases: true))
    #expect(use.stuck(StuckSettings(limit: 7)) == StuckSettings(limit: 7))
  }

  @Test func `say how frames are made`() throws {
    let use = try #require(
      try use("OutOfRange=count\nQuietTimeout=1s\nPositionAxes=ABS_Z ABS_RX\nHysteresis=1mm"))
    var options = FrameOptions()
    options.timesNeverStepBack = true
    options.refusesFaultyDevices = true
    options.reportsHover = true
    options.quietLimitNanoseconds = 1_000_000_000
    #expect(try #require(try self.use("")).frameOptions(for: .device) == options)
    options.outOfRange = .count
    options.quietLimitNanoseconds = 1_000_000_000
    options.liftsWhenQuiet = true
    options.positionAxes = PositionAxes(x: 2, y: 3)
    #expect(use.frameOptions(for: .device) == options)
    options.refusesFaultyDevices = false
    #expect(try #require(try self.use("")).frameOptions(for: .recording).quietLimitNanoseconds == 0)
    #expect(use.frameOptions(for: .recording) == options)
  }
}

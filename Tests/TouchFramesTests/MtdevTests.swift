import Glibc
import TestSupport
import Testing
import TouchFrames
import TouchModel

/// libmtdev, which turns protocol A into slots as the X server has it, loaded where it is installed.
private final class Mtdev {
  typealias Device = OpaquePointer
  private let library: UnsafeMutableRawPointer
  private let device: Device

  init?() {
    guard let library = dlopen("libmtdev.so.1", RTLD_NOW) else { return nil }
    self.library = library
    typealias Make = @convention(c) () -> Device?
    typealias Prepare = @convention(c) (Device) -> Int32
    guard let make = Self.symbol("mtdev_new", Make.self, library),
      let prepare = Self.symbol("mtdev_init", Prepare.self, library),
      let device = make(), prepare(device) == 0
    else { return nil }
    self.device = device
    typealias Declare = @convention(c) (Device, Int32, Int32) -> Void
    let declare = Self.symbol("mtdev_set_mt_event", Declare.self, library)
    declare?(device, Int32(EvdevCode.absMTPositionX), 1)
    declare?(device, Int32(EvdevCode.absMTPositionY), 1)
  }

  deinit {
    typealias Delete = @convention(c) (Device) -> Void
    Self.symbol("mtdev_delete", Delete.self, library)?(device)
  }

  private static func symbol<T>(_ name: String, _: T.Type, _ library: UnsafeMutableRawPointer) -> T?
  {
    dlsym(library, name).map { unsafeBitCast($0, to: T.self) }
  }

  /// What it makes of events.
  func convert(_ events: [EvdevEvent]) -> [EvdevEvent] {
    typealias Put = @convention(c) (Device, UnsafeRawPointer) -> Void
    typealias Get = @convention(c) (Device, UnsafeMutableRawPointer) -> Void
    typealias IsEmpty = @convention(c) (Device) -> Int32
    guard let put = Self.symbol("mtdev_put_event", Put.self, library),
      let get = Self.symbol("mtdev_get_event", Get.self, library),
      let isEmpty = Self.symbol("mtdev_empty", IsEmpty.self, library)
    else { return [] }
    var converted: [EvdevEvent] = []
    for event in events {
      withUnsafePointer(to: event) { put(device, $0) }
      while isEmpty(device) == 0 {
        var event = EvdevEvent(seconds: 0, microseconds: 0, type: 0, code: 0, value: 0)
        withUnsafeMutablePointer(to: &event) { get(device, $0) }
        converted.append(event)
      }
    }
    return converted
  }

  static let isAvailable = Mtdev() != nil
}

@Suite(.enabled(if: Mtdev.isAvailable, "SKIPPED: libmtdev1 is not installed"))
struct `Protocol A against libmtdev` {
  /// Fingers that wander, of which one lands or lifts at a time.
  private func events(_ dice: inout SplitMix) -> [EvdevEvent] {
    var fingers: [SIMD2<Int32>] = []
    var events: [EvdevEvent] = []
    for time in 1...60 {
      func put(_ type: UInt16, _ code: UInt16, _ value: Int32) {
        events.append(
          EvdevEvent(seconds: 0, microseconds: time, type: type, code: code, value: value))
      }
      for index in fingers.indices {
        let step = SIMD2(
          Int32.random(in: -150...150, using: &dice), Int32.random(in: -150...150, using: &dice))
        fingers[index] &+= step
        fingers[index].clamp(lowerBound: SIMD2(0, 0), upperBound: SIMD2(9999, 9999))
      }
      switch Int.random(in: 0..<8, using: &dice) {
      case 0 where fingers.count < 8:
        fingers.append(
          SIMD2(.random(in: 0...9999, using: &dice), .random(in: 0...9999, using: &dice)))
      case 1 where !fingers.isEmpty: fingers.remove(at: .random(in: fingers.indices, using: &dice))
      default: break
      }
      for finger in fingers.shuffled(using: &dice) {
        put(EvdevCode.abs, EvdevCode.absMTPositionX, finger.x)
        put(EvdevCode.abs, EvdevCode.absMTPositionY, finger.y)
        put(EvdevCode.syn, EvdevCode.synMTReport, 0)
      }
      if fingers.isEmpty { put(EvdevCode.syn, EvdevCode.synMTReport, 0) }
      put(EvdevCode.syn, EvdevCode.synReport, 0)
    }
    return events
  }

  @Test func `both see the same contacts in the same places`() throws {
    let seed = environmentSeed("MtdevTests")
    print("protocol A against libmtdev: TOUCHBRIDGE_SEED=\(seed)")
    var dice = SplitMix(seed: seed)
    let ranges = [
      EvdevCode.absMTPositionX: AxisRange(minimum: 0, maximum: 9999),
      EvdevCode.absMTPositionY: AxisRange(minimum: 0, maximum: 9999),
    ]
    var contacts = 0
    for round in 0..<max(1, randomRounds / 10) {
      let events = events(&dice)
      let ours = try PanelRig(.reports(axes: ranges))
      ours.feed(events)
      let theirs = try PanelRig(.panel(axes: ranges))
      theirs.feed(try #require(Mtdev()).convert(events))
      // Of a report in which nothing has changed libmtdev says nothing.
      let lines = zip(ours.look(), ours.frames).filter { _, frame in
        frame.contacts.contains { $0.phase != .still }
      }
      try #require(lines.map(\.0) == theirs.look(), "round \(round) of seed \(seed)")
      contacts += ours.frames.flatMap(\.contacts).count
    }
    #expect(contacts > 0)
  }
}

import TouchModel

/// What became of a set of scenes.
public struct ScenesApplied: Equatable, Sendable {
  /// Whether the set is in force.
  public enum Result: UInt32, Sendable, CaseIterable {
    /// It replaced the client's former scenes.
    case applied = 0
    /// A scene names a display that does not exist; the former scenes stay.
    case unknownDisplay = 1
    /// Two scenes have the same number; the former scenes stay.
    case duplicateScene = 2
  }

  /// The serial of the message that set them.
  public var scenesSerial: UInt32
  /// Whether they are in force.
  public var result: Result

  static let size = 24

  /// Creates an answer.
  public init(scenesSerial: UInt32, result: Result) {
    self.scenesSerial = scenesSerial
    self.result = result
  }

  init(_ packet: UnsafeRawBufferPointer) throws(WireError) {
    try require(packet, Self.size)
    let fields = Fields(packet)
    scenesSerial = fields.u32(16)
    guard let result = Result(rawValue: fields.u32(20)) else {
      throw .badValue(.scenesApplied, field: "the result")
    }
    self.result = result
  }
}

enum SceneLayout {
  static let size = 32
  static let sceneSize = 56
  static let rectSize = 32

  static func decode(_ packet: UnsafeRawBufferPointer) throws(WireError) -> [Scene] {
    try require(packet, size)
    let fields = Fields(packet)
    let scenes = try WireList(
      .setScenes, offset: fields.u32(20), count: fields.u16(16), stride: fields.u16(18),
      fixed: size, element: sceneSize, limit: WireFormat.maximumScenes, length: packet.count)
    let rects = try WireList(
      .setScenes, offset: fields.u32(28), count: fields.u16(24), stride: fields.u16(26),
      fixed: size, element: rectSize, limit: WireFormat.maximumRects, length: packet.count)
    var result: [Scene] = []
    for index in 0..<scenes.count {
      let at = scenes.element(index)
      var scene = Scene(
        id: fields.u32(at), display: fields.u32(at + 4), frame: fields.rect(at + 16),
        level: fields.i32(at + 8), flags: SceneFlags(rawValue: fields.u32(at + 12)))
      guard isLawful(scene.frame) else { throw .badValue(.setScenes, field: "a scene's frame") }
      let first = Int(fields.u16(at + 48))
      let count = Int(fields.u16(at + 50))
      guard first + count <= rects.count else { throw .badList(.setScenes) }
      for rect in first..<first + count {
        let rect = fields.rect(rects.element(rect))
        guard isLawful(rect) else { throw .badValue(.setScenes, field: "a rectangle") }
        scene.region.append(rect)
      }
      result.append(scene)
    }
    return result
  }

  static func isLawful(_ rect: Rect) -> Bool {
    rect.x.isFinite && rect.y.isFinite && rect.width.isFinite && rect.height.isFinite
      && rect.width >= 0 && rect.height >= 0
  }
}

extension PacketWriter {
  /// Writes a client's whole set of scenes.
  ///
  /// - Returns: nil if there are more scenes or rectangles than the wire carries, or one that is
  ///   not finite or of negative size.
  public func setScenes(_ scenes: [Scene], serial: UInt32) -> UnsafeRawBufferPointer? {
    let rectCount = scenes.reduce(0) { $0 + $1.region.count }
    guard scenes.count <= WireFormat.maximumScenes, rectCount <= WireFormat.maximumRects,
      scenes.allSatisfy({ SceneLayout.isLawful($0.frame) }),
      scenes.allSatisfy({ $0.region.allSatisfy(SceneLayout.isLawful) })
    else { return nil }
    let rects = SceneLayout.size + scenes.count * SceneLayout.sceneSize
    begin(.setScenes, length: rects + rectCount * SceneLayout.rectSize)
    put(UInt16(scenes.count), 16)
    put(UInt16(SceneLayout.sceneSize), 18)
    put(UInt32(SceneLayout.size), 20)
    put(UInt16(rectCount), 24)
    put(UInt16(SceneLayout.rectSize), 26)
    put(UInt32(rects), 28)
    var rect = 0
    for (index, scene) in scenes.enumerated() {
      let at = SceneLayout.size + index * SceneLayout.sceneSize
      put(scene.id, at)
      put(scene.display, at + 4)
      put(scene.level, at + 8)
      put(scene.flags.rawValue, at + 12)
      put(scene.frame, at + 16)
      put(UInt16(rect), at + 48)
      put(UInt16(scene.region.count), at + 50)
      for part in scene.region {
        put(part, rects + rect * SceneLayout.rectSize)
        rect += 1
      }
    }
    return finish(serial: serial)
  }

  /// Writes what became of a set of scenes.
  public func scenesApplied(_ applied: ScenesApplied, serial: UInt32) -> UnsafeRawBufferPointer {
    begin(.scenesApplied, length: ScenesApplied.size)
    put(applied.scenesSerial, 16)
    put(applied.result.rawValue, 20)
    return finish(serial: serial)
  }
}

import TouchModel

// Who is in front. A contact can reach a client unless others' scenes lie over all of its own.
extension Router {
  /// The most rectangles that are looked at to find out who is covered.
  ///
  /// Apps fill a display or share it in a few parts. With a limit the work grows no faster than the
  /// number of scenes, whatever clients set.
  public static let maximumCovers = 64

  /// The clients whose scenes on a display all lie wholly below a rectangle of another client's.
  ///
  /// Only the topmost 64 rectangles that do not lie within each other are looked at.
  public func coveredClients(of display: UInt32) -> Set<UInt32> {
    var covers: [(client: UInt32, rect: Rect)] = []
    var covered: Set<UInt32> = []
    var reachable: Set<UInt32> = []
    for placed in scenes where placed.scene.display == display {
      let scene = placed.scene
      let parts = scene.region.isEmpty ? [scene.frame] : scene.region
      let isCovered = parts.allSatisfy { part in
        covers.contains { $0.client != placed.client && $0.rect.contains(part) }
      }
      if isCovered { covered.insert(placed.client) } else { reachable.insert(placed.client) }
      guard !scene.flags.contains(.notTouchable) else { continue }
      for part in parts where covers.count < Self.maximumCovers {
        if !covers.contains(where: { $0.rect.contains(part) }) {
          covers.append((placed.client, part))
        }
      }
    }
    return covered.subtracting(reachable)
  }
}

extension Rect {
  /// Tells whether all of another rectangle lies in this one.
  fileprivate func contains(_ other: Rect) -> Bool {
    x <= other.x && y <= other.y && other.x + other.width <= x + width
      && other.y + other.height <= y + height
  }
}

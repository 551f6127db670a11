import Testing
import TouchModel
import TouchRouting

@Suite struct `Clients that are covered` {
  private static let all = Rect(x: 0, y: 0, width: 1280, height: 800)
  private static let left = Rect(x: 0, y: 0, width: 640, height: 800)
  private static let right = Rect(x: 640, y: 0, width: 640, height: 800)

  private func scene(
    _ frame: Rect, _ id: UInt32 = 1, level: Int32 = 0, region: [Rect] = [],
    flags: SceneFlags = []
  ) -> Scene {
    Scene(id: id, frame: frame, region: region, level: level, flags: flags)
  }

  /// Who is covered after clients 1, 2 and so on have set their scenes, one after the other.
  private func covered(_ sets: [Scene]...) -> Set<UInt32> {
    let bench = RouterBench()
    for (index, scenes) in sets.enumerated() { _ = bench.set(scenes, of: UInt32(index + 1)) }
    return bench.router.coveredClients(of: 0)
  }

  @Test func `the newest one on all of the display covers the others`() {
    #expect(covered([scene(Self.all)], [scene(Self.left)], [scene(Self.all)]) == [1, 2])
  }

  @Test func `a higher one covers newer ones`() {
    #expect(covered([scene(Self.all, level: 1)], [scene(Self.all)]) == [2])
  }

  @Test func `those that share the display are all in front`() {
    #expect(covered([scene(Self.left)], [scene(Self.right)]) == [])
    #expect(covered([scene(Self.all)], [scene(Self.right)]) == [])
  }

  @Test func `one scene in sight is enough`() {
    #expect(covered([scene(Self.left), scene(Self.right, 2)], [scene(Self.left)]) == [])
    #expect(covered([scene(Self.left), scene(Self.right, 2)], [scene(Self.all)]) == [1])
  }

  @Test func `no client covers itself, and no client's scene that takes no contacts covers`() {
    #expect(covered([scene(Self.left), scene(Self.all, 2)]) == [])
    #expect(covered([scene(Self.all)], [scene(Self.all, flags: .notTouchable)]) == [])
  }

  @Test func `of a scene with parts only these count, above and below`() {
    #expect(covered([scene(Self.all)], [scene(Self.all, region: [Self.left])]) == [])
    #expect(covered([scene(Self.all, region: [Self.left])], [scene(Self.left)]) == [1])
  }

  @Test func `only the topmost 64 rectangles count`() {
    // Each reaches further to the right than those before, and none covers another.
    let strips = (0..<32).map { index in
      scene(Rect(x: 0, y: Double(index), width: Double(100 + index), height: 1), UInt32(index))
    }
    let others = (0..<32).map { index in
      scene(Rect(x: 0, y: Double(100 + index), width: 10, height: 1), UInt32(index))
    }
    #expect(covered([scene(Rect(x: 0, y: 0, width: 1, height: 1))], strips, others) == [1])
    let more = [scene(Rect(x: 500, y: 500, width: 1, height: 1))]
    #expect(
      covered([scene(Rect(x: 0, y: 0, width: 1, height: 1))], strips, others, more) == [])
  }

  @Test func `other displays are left out, and who has gone`() {
    let bench = RouterBench()
    _ = bench.set([scene(Self.all)], of: 1)
    _ = bench.set([scene(Self.all)], of: 2)
    #expect(bench.router.coveredClients(of: 0) == [1])
    #expect(bench.router.coveredClients(of: 1) == [])
    bench.router.remove(client: 2)
    #expect(bench.router.coveredClients(of: 0) == [])
  }
}

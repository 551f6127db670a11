import Testing
import TouchKit

@Suite struct `Geometry` {
  @Test func `a rectangle holds its left and top edge but not the others`() {
    let rect = CGRect(x: 10, y: 20, width: 30, height: 40)
    #expect(rect.contains(CGPoint(x: 10, y: 20)))
    #expect(rect.contains(CGPoint(x: 39.999, y: 59.999)))
    #expect(!rect.contains(CGPoint(x: 40, y: 30)))
    #expect(!rect.contains(CGPoint(x: 20, y: 60)))
    #expect(!rect.contains(CGPoint(x: Double.nan, y: 30)))
  }

  @Test func `a rectangle of negative size reads as its standard form`() {
    let rect = CGRect(x: 40, y: 60, width: -30, height: -40)
    #expect(rect.standardized == CGRect(x: 10, y: 20, width: 30, height: 40))
    #expect([rect.minX, rect.midX, rect.maxX] == [10, 25, 40])
    #expect([rect.minY, rect.midY, rect.maxY] == [20, 40, 60])
    #expect(rect.width == 30 && rect.height == 40)
    #expect(rect.contains(CGPoint(x: 10, y: 20)) && !rect.contains(CGPoint(x: 40, y: 60)))
  }

  @Test func `null, zero and infinite are what they say`() {
    #expect(CGRect.null.isNull && CGRect.null.isEmpty)
    #expect(CGRect.zero.isEmpty && !CGRect.zero.isNull)
    #expect(CGRect.infinite.isInfinite && !CGRect.infinite.isEmpty)
    #expect(CGRect.infinite.contains(CGPoint(x: 1e12, y: -1e12)))
    let rect = CGRect(x: 1, y: 2, width: 3, height: 4)
    #expect(CGRect.null.union(rect) == rect && rect.union(.null) == rect)
    #expect(rect.intersection(.null).isNull && rect.offsetBy(dx: 1, dy: 2).minX == 2)
    #expect(CGRect.null.offsetBy(dx: 1, dy: 1).isNull)
    #expect(CGRect.null.applying(CGAffineTransform(scaleX: 2, y: 2)).isNull)
  }

  @Test func `union and intersection`() {
    let a = CGRect(x: 0, y: 0, width: 10, height: 10)
    let b = CGRect(x: 5, y: 6, width: 10, height: 10)
    #expect(a.union(b) == CGRect(x: 0, y: 0, width: 15, height: 16))
    #expect(a.intersection(b) == CGRect(x: 5, y: 6, width: 5, height: 4))
    #expect(a.intersects(b))
    let beside = CGRect(x: 10, y: 0, width: 5, height: 10)
    #expect(!a.intersects(beside) && !a.intersection(beside).isNull)
    #expect(a.intersection(CGRect(x: 20, y: 20, width: 1, height: 1)).isNull)
    #expect(a.contains(CGRect(x: 5, y: 5, width: 5, height: 5)) && !a.contains(b))
  }

  @Test func `insets move sides, and more than there is leaves null`() {
    let rect = CGRect(x: 0, y: 0, width: 20, height: 10)
    #expect(rect.insetBy(dx: 2, dy: 3) == CGRect(x: 2, y: 3, width: 16, height: 4))
    #expect(rect.insetBy(dx: -10, dy: -10) == CGRect(x: -10, y: -10, width: 40, height: 30))
    #expect(rect.insetBy(dx: 11, dy: 0).isNull)
    let insets = UIEdgeInsets(top: 1, left: 2, bottom: 3, right: 4)
    #expect(rect.inset(by: insets) == CGRect(x: 2, y: 1, width: 14, height: 6))
    let half = CGRect(x: 0.4, y: 0.6, width: 1, height: 1)
    #expect(half.integral == CGRect(x: 0, y: 0, width: 2, height: 2))
  }

  @Test func `transforms chain in the order of UIKit`() {
    let point = CGPoint(x: 1, y: 2)
    let scaleThenMove = CGAffineTransform(translationX: 10, y: 0).scaledBy(x: 2, y: 2)
    #expect(point.applying(scaleThenMove) == CGPoint(x: 12, y: 4))
    let moveThenScale = CGAffineTransform(scaleX: 2, y: 2).translatedBy(x: 10, y: 0)
    #expect(point.applying(moveThenScale) == CGPoint(x: 22, y: 4))
    let joined = CGAffineTransform(translationX: 10, y: 0).concatenating(
      CGAffineTransform(scaleX: 2, y: 2))
    #expect(point.applying(joined) == CGPoint(x: 22, y: 4))
    #expect(CGSize(width: 1, height: 2).applying(joined) == CGSize(width: 2, height: 4))
    #expect(CGAffineTransform.identity.isIdentity && !joined.isIdentity)
  }

  @Test func `a rotation turns clockwise on screen, and its inverse turns back`() {
    let turn = CGAffineTransform(rotationAngle: .pi / 2)
    let turned = CGPoint(x: 1, y: 0).applying(turn)
    #expect(abs(turned.x) < 1e-12 && abs(turned.y - 1) < 1e-12)
    let odd = CGAffineTransform(a: 2, b: 1, c: -1, d: 3, tx: 5, ty: 7).rotated(by: 0.3)
    let back = CGPoint(x: 4, y: 9).applying(odd).applying(odd.inverted())
    #expect(abs(back.x - 4) < 1e-9 && abs(back.y - 9) < 1e-9)
    let flat = CGAffineTransform(scaleX: 0, y: 1)
    #expect(flat.inverted() == flat)
  }

  @Test func `a transformed rectangle is the box around its corners`() {
    let rect = CGRect(x: 0, y: 0, width: 10, height: 20)
    #expect(
      rect.applying(CGAffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 0, ty: 0))
        == CGRect(x: -20, y: 0, width: 20, height: 10))
  }
}

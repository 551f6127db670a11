import Foundation
import Testing
import TouchKit
import TouchKitFoundation

import struct TouchKit.CGAffineTransform
import struct TouchKit.CGPoint
import struct TouchKit.CGRect
import struct TouchKit.CGSize
import struct TouchKit.CGVector

@Suite struct `Geometry of TouchKit and Foundation` {
  @Test func `a scoped import decides which of the two a name means`() {
    #expect(CGPoint(x: 1, y: 2).applying(.identity) == CGPoint(x: 1, y: 2))
  }

  @Test func `points, sizes, vectors and rectangles keep their numbers, there and back`() {
    let point = CGPoint(x: 1.5, y: -2.25)
    #expect(Foundation.CGPoint(point) == Foundation.CGPoint(x: 1.5, y: -2.25))
    #expect(CGPoint(Foundation.CGPoint(point)) == point)
    let size = CGSize(width: 3.5, height: 0.1)
    #expect(Foundation.CGSize(size) == Foundation.CGSize(width: 3.5, height: 0.1))
    #expect(CGSize(Foundation.CGSize(size)) == size)
    let vector = CGVector(dx: -7, dy: 0.3)
    #expect(Foundation.CGSize(vector) == Foundation.CGSize(width: -7, height: 0.3))
    #expect(CGVector(Foundation.CGSize(vector)) == vector)
    let rect = CGRect(x: 1, y: 2, width: 3, height: 4)
    #expect(Foundation.CGRect(rect) == Foundation.CGRect(x: 1, y: 2, width: 3, height: 4))
    #expect(CGRect(Foundation.CGRect(rect)) == rect)
    #expect(Foundation.CGFloat(2.5 as TouchKit.CGFloat) == 2.5)
  }

  @Test func `a transform moves points to the same places in both`() {
    let transform = CGAffineTransform(a: 2, b: 0.5, c: -0.25, d: 3, tx: 10, ty: -20)
    let other = AffineTransform(transform)
    let place = other.transform(Foundation.CGPoint(x: 8, y: 4))
    #expect(CGPoint(place) == CGPoint(x: 8, y: 4).applying(transform))
    #expect(CGAffineTransform(other) == transform)
  }
}

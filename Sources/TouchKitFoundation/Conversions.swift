public import Foundation
public import TouchKit

// TouchKit's geometry is its own, for Foundation's costs an app 57 MB. In a file that imports both,
// a name such as CGPoint means neither; `import struct TouchKit.CGPoint` decides it. TouchKit's
// CGFloat is Double, from and to which Foundation's converts itself.

extension TouchKit.CGPoint {
  /// The same point.
  public init(_ point: Foundation.CGPoint) {
    self.init(x: Swift.Double(point.x), y: Swift.Double(point.y))
  }
}

extension Foundation.CGPoint {
  /// The same point.
  public init(_ point: TouchKit.CGPoint) { self.init(x: point.x, y: point.y) }
}

extension TouchKit.CGSize {
  /// The same size.
  public init(_ size: Foundation.CGSize) {
    self.init(width: Swift.Double(size.width), height: Swift.Double(size.height))
  }
}

extension Foundation.CGSize {
  /// The same size.
  public init(_ size: TouchKit.CGSize) { self.init(width: size.width, height: size.height) }
}

extension TouchKit.CGVector {
  /// The same distances; Foundation has no vector on Linux and takes sizes for it.
  public init(_ size: Foundation.CGSize) {
    self.init(dx: Swift.Double(size.width), dy: Swift.Double(size.height))
  }
}

extension Foundation.CGSize {
  /// The same distances; Foundation has no vector on Linux.
  public init(_ vector: TouchKit.CGVector) { self.init(width: vector.dx, height: vector.dy) }
}

extension TouchKit.CGRect {
  /// The same rectangle.
  public init(_ rect: Foundation.CGRect) {
    self.init(origin: TouchKit.CGPoint(rect.origin), size: TouchKit.CGSize(rect.size))
  }
}

extension Foundation.CGRect {
  /// The same rectangle.
  public init(_ rect: TouchKit.CGRect) {
    self.init(origin: Foundation.CGPoint(rect.origin), size: Foundation.CGSize(rect.size))
  }
}

extension TouchKit.CGAffineTransform {
  /// The same transform.
  public init(_ transform: Foundation.AffineTransform) {
    self.init(
      a: Swift.Double(transform.m11), b: Swift.Double(transform.m12),
      c: Swift.Double(transform.m21), d: Swift.Double(transform.m22),
      tx: Swift.Double(transform.tX), ty: Swift.Double(transform.tY))
  }
}

extension Foundation.AffineTransform {
  /// The same transform.
  public init(_ transform: TouchKit.CGAffineTransform) {
    self.init(
      m11: Foundation.CGFloat(transform.a), m12: Foundation.CGFloat(transform.b),
      m21: Foundation.CGFloat(transform.c), m22: Foundation.CGFloat(transform.d),
      tX: Foundation.CGFloat(transform.tx), tY: Foundation.CGFloat(transform.ty))
  }
}

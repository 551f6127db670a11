import TouchModel

// For the stages behind the frames, which change positions and have to say where these then lie.
extension DisplayMapping {
  /// The way of raw values through this mapping, for positions between two units as well.
  public func placement(x: AxisRange, y: AxisRange) -> RawPlacement {
    let corner = { (normalised: SIMD2<Double>) -> Point in
      let point = self.point(normalised)
      return Point(x: point.x, y: point.y)
    }
    return RawPlacement(
      x: x, y: y, origin: corner(SIMD2(0, 0)), xEnd: corner(SIMD2(1, 0)),
      yEnd: corner(SIMD2(0, 1)), area: (corner(SIMD2(0, 0)), corner(SIMD2(1, 1))))
  }

  /// What a diameter as large as the x axis is long has in a frame.
  public var areaScale: Double { Double(detailScale[0]) }
}

import TouchModel

// For the stages behind the frames, which change positions and have to say where these then lie.
extension DisplayMapping {
  /// The way of raw values through this mapping, for positions between two units as well.
  public func placement(x: AxisRange, y: AxisRange) -> RawPlacement {
    let place = { (point: SIMD2<Double>) in Point(x: point.x, y: point.y) }
    // A calibration may put corners outside; what lies there is kept within the display.
    return RawPlacement(
      x: x, y: y, origin: place(unclampedPoint(SIMD2(0, 0))),
      xEnd: place(unclampedPoint(SIMD2(1, 0))), yEnd: place(unclampedPoint(SIMD2(0, 1))),
      area: (place(point(SIMD2(0, 0))), place(point(SIMD2(1, 1)))))
  }

  /// What a diameter as large as the x axis is long has in a frame.
  public var areaScale: Double { Double(detailScale[0]) }
}

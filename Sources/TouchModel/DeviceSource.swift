/// What came of reading from a device.
public enum DeviceRead: Equatable, Sendable {
  /// So many events were read; more than none.
  case events(Int)
  /// There is nothing to read at this moment.
  case nothing
  /// The device has been unplugged or its access revoked.
  case gone
  /// Reading failed with this `errno`.
  case failed(Int32)
}

/// What came of asking for a device for oneself alone.
public enum DeviceGrab: Equatable, Sendable {
  /// It is grabbed, or free again, as was asked.
  case done
  /// Another program has grabbed it; nothing can be read from it until that one lets go.
  case heldByOther
  /// The device cannot be grabbed, with this `errno`.
  case failed(Int32)
}

/// A device that is read: a kernel node, or what a test puts in its place.
public protocol DeviceSource: AnyObject {
  /// What the device says of itself.
  var description: DeviceDescription { get }
  /// What to wait for; readable when there are events.
  var descriptor: Int32 { get }
  /// Reads as many events as are there and fit, without waiting and without allocating.
  func read(into events: UnsafeMutableBufferPointer<EvdevEvent>) -> DeviceRead
  /// Fills in the present value of an axis in each slot; what the device does not know stays.
  ///
  /// - Returns: false if the device cannot say.
  func slotValues(_ axis: UInt16, into values: UnsafeMutableBufferPointer<Int32>) -> Bool
  /// The present value of an axis itself, `ABS_MT_SLOT` for one; nil if the device cannot say.
  func axisValue(_ axis: UInt16) -> Int32?
  /// Takes the device away from all other readers, or gives it back.
  func setGrabbed(_ isGrabbed: Bool) -> DeviceGrab
  /// Whether a key is pressed at present, `BTN_TOUCH` for one; nil if the device cannot say.
  func keyIsDown(_ key: UInt16) -> Bool?
}

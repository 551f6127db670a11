import CUHID
import Glibc

/// A failure to make or use a device through `/dev/uhid`.
public struct UHIDError: Error, Equatable, CustomStringConvertible {
  /// What was tried.
  public var step: String
  /// The system's error number.
  public var number: Int32

  /// The step and the system's own words.
  public var description: String {
    "\(step) failed: \(String(cString: strerror(number))). It needs root and the module uhid."
  }
}

/// A HID device made by the kernel on our behalf: its own drivers read the report descriptor and
/// turn the reports into input events, as they do for a panel on USB or I2C.
///
/// Drivers ask questions and wait for the answers; a thread of the device's own tells them "no such
/// report", which they take from panels that lack one.
public final class UHIDDevice {
  /// What the kernel is told of the device.
  public let recording: HIDRecording
  private var file: Int32
  private var answering = pthread_t()
  // Closing the near end tells the thread to stop.
  private var stop: (near: Int32, far: Int32) = (-1, -1)

  /// Makes the device; its nodes come once a driver has taken it.
  ///
  /// - Parameter place: what the kernel gives as the place where it is plugged in.
  public init(_ recording: HIDRecording, place: String = "uhid") throws(UHIDError) {
    self.recording = recording
    file = th_open()
    guard file >= 0 else { throw UHIDError(step: "opening /dev/uhid", number: errno) }
    let made = recording.descriptor.withUnsafeBufferPointer {
      th_create(
        file, recording.name, place, recording.bus, recording.vendor, recording.product,
        $0.baseAddress, $0.count)
    }
    guard made == 0 else {
      let error = UHIDError(step: "UHID_CREATE2", number: errno)
      close(file)
      file = -1
      throw error
    }
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw UHIDError(step: "making a pipe", number: errno) }
    stop = (near: ends[1], far: ends[0])
    let work = Unmanaged.passRetained(Answers(device: file, stop: stop.far))
    let failure = pthread_create(&answering, nil, answer, work.toOpaque())
    guard failure == 0 else {
      work.release()
      throw UHIDError(step: "pthread_create", number: failure)
    }
  }

  deinit { unplug() }

  /// The part of the device's folder's name under `/sys/bus/hid/devices` before the last dot.
  ///
  /// The kernel puts a number of its own behind it.
  public var systemName: String {
    [
      recording.bus, UInt16(truncatingIfNeeded: recording.vendor),
      UInt16(truncatingIfNeeded: recording.product),
    ].map { number in
      let digits = String(number, radix: 16, uppercase: true)
      return String(repeating: "0", count: 4 - digits.count) + digits
    }.joined(separator: ":")
  }

  /// Sends a report as the panel would; the events are in the nodes when this returns.
  public func send(_ report: [UInt8]) throws(UHIDError) {
    let sent = report.withUnsafeBufferPointer { th_input(file, $0.baseAddress, $0.count) }
    guard sent == 0 else {
      throw UHIDError(step: "sending a report of \(report.count) bytes", number: errno)
    }
  }

  /// Takes the device away; does nothing the second time.
  public func unplug() {
    guard file >= 0 else { return }
    _ = th_destroy(file)
    if stop.near >= 0 {
      close(stop.near)
      pthread_join(answering, nil)
      close(stop.far)
    }
    close(file)
    file = -1
  }
}

private final class Answers: Sendable {
  let device: Int32
  let stop: Int32

  init(device: Int32, stop: Int32) {
    self.device = device
    self.stop = stop
  }
}

/// The thread's work: answers what drivers ask, until it is told to stop.
private func answer(_ start: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let start else { return nil }
  let work = Unmanaged<Answers>.fromOpaque(start).takeRetainedValue()
  var entries = [work.device, work.stop].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
  while entries[1].revents == 0 {
    guard poll(&entries, 2, -1) >= 0 || errno == EINTR else { break }
    var id: UInt32 = 0
    var message = th_next(work.device, &id)
    while message != TH_NOTHING {
      if message != TH_OTHER { _ = th_refuse(work.device, message, id) }
      message = th_next(work.device, &id)
    }
  }
  return nil
}

import GestureTranscript
import Testing
import TouchKit
import TouchModel
import TouchTestSupport

@MainActor @Suite struct `Gesture transcript` {
  /// A script on a view of 401 x 801 points, as the normalised frames of a panel.
  func lines(_ script: TouchScript, isExclusive: Bool = false) -> [String] {
    let frames = script.frames.map { frame in
      var frame = frame
      for index in frame.contacts.indices {
        frame.contacts[index].position.x /= 400
        frame.contacts[index].position.y /= 800
      }
      return frame
    }
    return GestureTranscript.lines(of: frames, width: 401, height: 801, isExclusive: isExclusive)
  }

  @Test func `a tap is told when the double tap has failed, at its due time`() {
    #expect(
      lines(touch.tap(at: at(100, 200))) == [
        #"{"time_us":1400000,"gesture":"tap","state":"ended","x":100.0,"y":200.0,"touches":1}"#
      ])
  }

  @Test func `a double tap is told alone`() {
    #expect(
      lines(touch.tap(at: at(100, 200)).wait(.milliseconds(100)).tap(at: at(104, 200))) == [
        #"{"time_us":1200000,"gesture":"doubleTap","state":"ended","x":104.0,"y":200.0,"touches":1}"#
      ])
  }

  @Test func `a long press is told at its due time, with the pan that goes along`() {
    let script = touch.down(at: at(100, 200)).wait(.milliseconds(600))
      .move(to: at(100, 220), over: .milliseconds(10), samples: 1).up()
    #expect(
      lines(script) == [
        #"{"time_us":1500000,"gesture":"longPress","state":"began","x":100.0,"y":200.0,"touches":1}"#,
        #"{"time_us":1610000,"gesture":"longPress","state":"changed","x":100.0,"y":220.0,"touches":1}"#,
        #"{"time_us":1610000,"gesture":"pan","state":"began","x":100.0,"y":220.0,"touches":1,"tx":0.0,"ty":10.0,"vx":0.0,"vy":32.787}"#,
        #"{"time_us":1610000,"gesture":"longPress","state":"ended","x":100.0,"y":220.0,"touches":1}"#,
        #"{"time_us":1610000,"gesture":"pan","state":"ended","x":100.0,"y":220.0,"touches":1,"tx":0.0,"ty":10.0,"vx":0.0,"vy":32.787}"#,
        // Less than 0.75 s and 45 pt: where all may go together it is a tap as well.
        #"{"time_us":1960000,"gesture":"tap","state":"ended","x":100.0,"y":200.0,"touches":1}"#,
      ])
    #expect(
      lines(script, isExclusive: true).map { $0.contains("longPress") } == [true, true, true])
  }

  @Test func `a swipe, the edge pan and the pan of one flick`() {
    let flick = touch.down(at: at(0, 200)).move(
      to: at(80, 200), over: .milliseconds(20), samples: 2
    )
    .up()
    #expect(
      lines(flick) == [
        #"{"time_us":1010000,"gesture":"edgePan","state":"began","x":40.0,"y":200.0,"touches":1,"tx":30.0,"ty":0.0,"vx":4000.0,"vy":0.0}"#,
        #"{"time_us":1010000,"gesture":"pan","state":"began","x":40.0,"y":200.0,"touches":1,"tx":30.0,"ty":0.0,"vx":4000.0,"vy":0.0}"#,
        #"{"time_us":1020000,"gesture":"swipeRight","state":"ended","x":0.0,"y":200.0,"touches":1}"#,
        #"{"time_us":1020000,"gesture":"edgePan","state":"changed","x":80.0,"y":200.0,"touches":1,"tx":70.0,"ty":0.0,"vx":4000.0,"vy":0.0}"#,
        #"{"time_us":1020000,"gesture":"pan","state":"changed","x":80.0,"y":200.0,"touches":1,"tx":70.0,"ty":0.0,"vx":4000.0,"vy":0.0}"#,
        #"{"time_us":1020000,"gesture":"edgePan","state":"ended","x":80.0,"y":200.0,"touches":1,"tx":70.0,"ty":0.0,"vx":4000.0,"vy":0.0}"#,
        #"{"time_us":1020000,"gesture":"pan","state":"ended","x":80.0,"y":200.0,"touches":1,"tx":70.0,"ty":0.0,"vx":4000.0,"vy":0.0}"#,
      ])
    #expect(
      lines(flick, isExclusive: true).allSatisfy { $0.contains("edgePan") })
  }

  @Test func `pinch and rotation tell their values`() {
    let script = touch.down((1, at: at(100, 200)), (2, at: at(200, 200)))
      .move(2, to: at(200, 300), over: .milliseconds(100), samples: 1)
      .move(2, to: at(300, 400), over: .milliseconds(100), samples: 1)
    let told = lines(script).filter { $0.contains("pinch") || $0.contains("rotation") }
    #expect(
      told == [
        #"{"time_us":1100000,"gesture":"pinch","state":"began","x":150.0,"y":250.0,"touches":2,"scale":1.0,"velocity":2.929}"#,
        #"{"time_us":1100000,"gesture":"rotation","state":"began","x":150.0,"y":250.0,"touches":2,"rotation":0.0,"velocity":7.854}"#,
        #"{"time_us":1200000,"gesture":"pinch","state":"changed","x":200.0,"y":300.0,"touches":2,"scale":2.0,"velocity":10.0}"#,
        #"{"time_us":1200000,"gesture":"rotation","state":"changed","x":200.0,"y":300.0,"touches":2,"rotation":0.0,"velocity":0.0}"#,
      ])
  }
}

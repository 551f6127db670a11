import TestSupport
import Testing
import TouchModel

@testable import BridgeDaemon

@Suite struct `The display of a machine without configuration` {
  private func display(_ files: [String: String]) throws -> Display {
    let folder = try TemporaryFolder()
    for (name, text) in files { try folder.write(text, to: name) }
    let displays = Configuration(.none, sysfs: folder.path).displays
    try #require(displays.count == 1)
    return displays[0].display
  }

  @Test func `is the first connected output's preferred mode`() throws {
    let display = try display([
      "version": "drm 1.1.0\n",
      "card0/status": "connected\n", "card0/modes": "1x1\n",
      "card0-DSI-1/status": "disconnected\n", "card0-DSI-1/modes": "640x480\n",
      "card0-HDMI-A-1/status": "connected\n", "card0-HDMI-A-1/modes": "1920x1080i\n800x600\n",
      "card0-HDMI-A-2/status": "connected\n", "card0-HDMI-A-2/modes": "1024x600\n",
    ])
    #expect(display == Display(id: 0, name: "default", width: 1920, height: 1080))
  }

  @Test func `is another one's where the first says nothing of use`() throws {
    let display = try display([
      "card0-A-1/status": "connected\n", "card0-A-1/modes": "",
      "card0-B-1/status": "connected\n",
      "card0-C-1/modes": "10x10\n",
      "card0-D-1/status": "connected\n", "card0-D-1/modes": "wide x high\n",
      "card0-E-1/status": "connected\n", "card0-E-1/modes": "1024x600\n",
    ])
    #expect(display == Display(id: 0, name: "default", width: 1024, height: 600))
  }

  @Test func `is 1280 by 800 points where there is none`() throws {
    #expect(try display([:]) == .fallback)
    #expect(DisplayProbe.connected(sysfs: "/nowhere/at/all") == [])
  }

  static let sizes: [(String, Display?)] = [
    ("1280x800", .fallback),
    ("65536x1", Display(id: 0, name: "default", width: 65_536, height: 1)),
    ("65537x1", nil), ("0x600", nil), ("800x0", nil), ("-1x5", nil), ("800x-600", nil),
    ("800", nil), ("x", nil), ("", nil), ("800x", nil), ("99999999999999999999x1", nil),
  ]

  @Test(arguments: sizes)
  func `a size is two numbers with an x between`(_ text: String, _ display: Display?) {
    #expect(Display(size: text) == display)
  }
}

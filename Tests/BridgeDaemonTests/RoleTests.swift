import Testing
import TouchWire

@testable import BridgeDaemon

@Suite struct `Roles` {
  static let grants: [(user: UInt32, isAdmin: Bool, roles: WireRoles)] = [
    (0, true, [.app, .observer, .admin]), (990, true, [.app, .observer, .admin]),
    (1000, true, []),
    (0, false, .app), (990, false, .app), (1000, false, .app),
  ]

  @Test(arguments: grants)
  func `follow from the user and from the socket, for a daemon of user 990`(
    _ user: UInt32, _ isAdmin: Bool, _ roles: WireRoles
  ) {
    #expect(Daemon.grantable(to: user, isAdmin: isAdmin, ownUser: 990) == roles)
  }
}

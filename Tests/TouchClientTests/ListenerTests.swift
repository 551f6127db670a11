import Glibc
import LinuxIO
import TestSupport
import Testing

@Suite struct `A socket at a path` {
  @Test(arguments: [UInt32(0o600), 0o640, 0o666, 0o777])
  func `may be used by those whom its mode names, whatever the umask`(_ mode: UInt32) throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/socket"
    let listener = try PacketListener(path: path, mode: mode)
    var status = stat()
    #expect(lstat(path, &status) == 0)
    #expect(status.st_mode == S_IFSOCK | mode)
    withExtendedLifetime(listener) {}
  }
}

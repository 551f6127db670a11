import Glibc

/// libumockdev, found when the program runs: what is missing is then a sentence and no build error.
///
/// - Source: umockdev.h. Objects are GObject pointers, which this short-lived program never frees.
struct UMockdev: Sendable {
  typealias Object = UnsafeMutableRawPointer
  typealias Text = UnsafePointer<CChar>
  typealias Failure = UnsafeMutablePointer<UnsafeMutableRawPointer?>
  typealias Handler =
    @convention(c) (
      _ handler: Object?, _ client: Object?, _ context: UnsafeMutableRawPointer?
    ) -> Int32

  let newTestbed: @convention(c) () -> Object?
  let rootFolder: @convention(c) (Object) -> Text?
  let addFromString: @convention(c) (Object, Text, Failure) -> Int32
  let removeDevice: @convention(c) (Object, Text) -> Void
  let setProperty: @convention(c) (Object, Text, Text, Text) -> Void
  let setAttribute: @convention(c) (Object, Text, Text, Text) -> Void
  let sendEvent: @convention(c) (Object, Text, Text) -> Void
  let deviceDescriptor: @convention(c) (Object, Text) -> Int32
  let newHandler: @convention(c) () -> Object?
  let attach: @convention(c) (Object, Text, Object, Failure) -> Int32
  let connectSignal:
    @convention(c) (
      Object, Text, Handler, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UInt32
    ) -> UInt
  let request: @convention(c) (Object) -> UInt
  let devicePath: @convention(c) (Object) -> Text?
  let argument: @convention(c) (Object) -> Object?
  let resolve: @convention(c) (Object, Int, Int, Failure) -> Object?
  let retrieve:
    @convention(c) (
      Object, UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, UnsafeMutablePointer<Int32>
    ) -> Void
  let update: @convention(c) (Object, Int, UnsafePointer<UInt8>, Int32) -> Void
  let complete: @convention(c) (Object, Int, Int32) -> Void

  /// Loads the library.
  init() throws(LoadError) {
    guard let library = dlopen("libumockdev.so.0", RTLD_NOW | RTLD_GLOBAL) else {
      throw LoadError()
    }
    func find<Function>(_ name: String) throws(LoadError) -> Function {
      guard let symbol = dlsym(library, name) else { throw LoadError() }
      return unsafeBitCast(symbol, to: Function.self)
    }
    newTestbed = try find("umockdev_testbed_new")
    rootFolder = try find("umockdev_testbed_get_root_dir")
    addFromString = try find("umockdev_testbed_add_from_string")
    removeDevice = try find("umockdev_testbed_remove_device")
    setProperty = try find("umockdev_testbed_set_property")
    setAttribute = try find("umockdev_testbed_set_attribute")
    sendEvent = try find("umockdev_testbed_uevent")
    deviceDescriptor = try find("umockdev_testbed_get_dev_fd")
    newHandler = try find("umockdev_ioctl_base_new")
    attach = try find("umockdev_testbed_attach_ioctl")
    connectSignal = try find("g_signal_connect_data")
    request = try find("umockdev_ioctl_client_get_request")
    devicePath = try find("umockdev_ioctl_client_get_devnode")
    argument = try find("umockdev_ioctl_client_get_arg")
    resolve = try find("umockdev_ioctl_data_resolve")
    retrieve = try find("umockdev_ioctl_data_retrieve")
    update = try find("umockdev_ioctl_data_update")
    complete = try find("umockdev_ioctl_client_complete")
  }

  /// The library, or a part of it, is not there.
  struct LoadError: Error, CustomStringConvertible {
    let description = dlerror().map { String(cString: $0) } ?? "libumockdev does not load"
  }
}

// For tools: how things stand.
extension FrameAssembler {
  /// How many contacts are down and handed out at present.
  public var liveContacts: Int {
    var count = 0
    for index in 0..<slotCount where slots[index].stage == .live { count += 1 }
    return count
  }
}

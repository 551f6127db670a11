import EvdevSource

/// What the daemon makes of the input nodes that may become panels.
///
/// A node stands here while it is used, or while it is waited for; what is left alone for good does
/// not, and is looked at again when udev speaks of it.
struct NodeTable {
  /// One node.
  struct Entry: Equatable {
    /// The node as udev last knew it.
    var node: InputNode
    /// Whether it was named by path, so that it is waited for also while it is not there.
    var isExplicit: Bool
    /// Why it is not used; nil while it is.
    var problem: String?
    /// When it is tried again.
    var retry = RetrySchedule()
  }

  private(set) var entries: [Entry] = []

  /// The entry of a node's path.
  subscript(path: String) -> Entry? { entries.first { $0.node.node == path } }

  /// Those that are not used, with the reason, in the order in which they came.
  var waiting: [Entry] { entries.filter { $0.problem != nil } }

  /// When the first of them is to be tried again; nil for never.
  var nextDeadline: UInt64? { entries.lazy.compactMap(\.retry.due).min() }

  /// Those whose time has come.
  func due(by now: UInt64) -> [Entry] {
    entries.filter { $0.retry.due.map { $0 <= now } ?? false }
  }

  /// Notes that a node is used.
  mutating func setUsed(_ node: InputNode, isExplicit: Bool) {
    put(Entry(node: node, isExplicit: isExplicit))
  }

  /// Notes that a node cannot be used at present.
  ///
  /// - Returns: whether the reason is a new one, worth a word in the log.
  mutating func setWaiting(
    _ node: InputNode, isExplicit: Bool, because problem: String, at now: UInt64
  ) -> Bool {
    var entry = self[node.node] ?? Entry(node: node, isExplicit: isExplicit)
    let isNews = entry.problem != problem
    entry.node = node
    entry.problem = problem
    entry.retry.failed(at: now)
    put(entry)
    return isNews
  }

  /// Forgets a node.
  mutating func remove(_ path: String) { entries.removeAll { $0.node.node == path } }

  private mutating func put(_ entry: Entry) {
    if let index = entries.firstIndex(where: { $0.node.node == entry.node.node }) {
      entries[index] = entry
    } else {
      entries.append(entry)
    }
  }
}

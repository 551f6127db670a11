import TouchModel

/// One contact in one frame, as two readers of a node must agree on it.
struct SeenContact: Equatable {
  var slot: Int32
  var phase: ContactPhase
  var x: Int32
  var y: Int32
}

/// One frame with contacts.
struct SeenFrame: Equatable {
  /// The kernel's time of its `SYN_REPORT`, in nanoseconds.
  var time: UInt64
  /// By slot; where a slot is reused the ended contact comes first.
  var contacts: [SeenContact]
}

/// The frames of a panel in one number, which two readers can compare and a person can print.
func fingerprint(_ frames: [SeenFrame]) -> String {
  // FNV-1a over 64 bits: nobody attacks it here.
  var hash: UInt64 = 0xcbf2_9ce4_8422_2325
  func mix(_ value: UInt64) {
    for shift in stride(from: 0, to: 64, by: 8) {
      hash = (hash ^ (value >> UInt64(shift) & 0xff)) &* 0x100_0000_01b3
    }
  }
  for frame in frames {
    mix(frame.time)
    for contact in frame.contacts {
      mix(UInt64(UInt32(bitPattern: contact.slot)) << 8 | UInt64(contact.phase.rawValue))
      mix(UInt64(UInt32(bitPattern: contact.x)) << 32 | UInt64(UInt32(bitPattern: contact.y)))
    }
  }
  let digits = String(hash, radix: 16)
  return String(repeating: "0", count: 16 - digits.count) + digits
}

/// Reads a node of protocol B the plain way, as a check of the daemon's: it shares nothing with it.
///
/// It knows well-behaved devices only: whatever a slot holds between two reports is overwritten.
struct PlainReader {
  private struct Slot {
    var id: Int32 = -1
    var (x, y, tool, distance): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
    var isTouching: Bool { id >= 0 && tool != EvdevCode.toolPalm && distance <= 0 }
  }

  private let node: EventNode
  private var slots: [Int32: Slot] = [:]
  private var before: [Int32: Slot] = [:]
  private var current: Int32 = 0
  /// All frames with contacts up to now.
  private(set) var frames: [SeenFrame] = []
  /// Whether the kernel threw events away because nobody read them in time.
  private(set) var hasLostEvents = false

  init(_ node: EventNode) { self.node = node }

  /// Reads what is there.
  mutating func read() {
    for event in node.available() {
      switch (event.type, event.code) {
      case (EvdevCode.abs, EvdevCode.absMTSlot): current = event.value
      case (EvdevCode.abs, EvdevCode.absMTTrackingID):
        slots[current, default: Slot()].id = event.value
      case (EvdevCode.abs, EvdevCode.absMTPositionX):
        slots[current, default: Slot()].x = event.value
      case (EvdevCode.abs, EvdevCode.absMTPositionY):
        slots[current, default: Slot()].y = event.value
      case (EvdevCode.abs, EvdevCode.absMTToolType):
        slots[current, default: Slot()].tool = event.value
      case (EvdevCode.abs, EvdevCode.absMTDistance):
        slots[current, default: Slot()].distance = event.value
      case (EvdevCode.syn, EvdevCode.synDropped): hasLostEvents = true
      case (EvdevCode.syn, EvdevCode.synReport): endFrame(at: event.timeNanoseconds)
      default: break
      }
    }
  }

  private mutating func endFrame(at time: UInt64) {
    var contacts: [SeenContact] = []
    for index in Set(slots.keys).union(before.keys).sorted() {
      let (old, new) = (before[index] ?? Slot(), slots[index] ?? Slot())
      let goesOn = old.isTouching && new.isTouching && old.id == new.id
      if old.isTouching, !goesOn {
        let isLifted = new.id < 0 || new.tool != EvdevCode.toolPalm && new.distance > 0
        contacts.append(
          SeenContact(slot: index, phase: isLifted ? .up : .cancel, x: old.x, y: old.y))
      }
      if new.isTouching {
        let phase: ContactPhase =
          !goesOn ? .down : new.x != old.x || new.y != old.y ? .motion : .still
        contacts.append(SeenContact(slot: index, phase: phase, x: new.x, y: new.y))
      }
    }
    before = slots
    if !contacts.isEmpty { frames.append(SeenFrame(time: time, contacts: contacts)) }
  }
}

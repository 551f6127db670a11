// Inline C for what Swift does not import from Linux: no logic, only access.
// GNU-only calls live in the .c file: _GNU_SOURCE in a public header breaks Glibc's module.
#ifndef TOUCHBRIDGE_CLINUXSHIMS_H
#define TOUCHBRIDGE_CLINUXSHIMS_H

#include <getopt.h>
#include <linux/input.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/types.h>
#include <sys/un.h>

// The symbol of an errno value, such as "EACCES"; NULL for an unknown one.
const char *tb_errno_name(int error);
// open(2) with O_CLOEXEC; the descriptor, or -1 and errno.
int tb_open(const char *path, int flags, unsigned mode);

// Flags of tb_rename, as in linux/fs.h.
#define TB_RENAME_NOREPLACE 1
#define TB_RENAME_EXCHANGE 2
// renameat2(2) of two paths; 0, or -1 and errno (EINVAL or ENOSYS where a flag is not known).
int tb_rename(const char *from, const char *to, int flags);

// The peer of a Unix socket, as the kernel knows it.
typedef struct {
    int32_t pid;
    uint32_t uid;
    uint32_t gid;
} tb_peer;

// accept4(2) with SOCK_CLOEXEC and SOCK_NONBLOCK; -1 and errno on failure.
int tb_accept(int fd);
// SO_PEERCRED; 0, or -1 and errno.
int tb_peer_credentials(int fd, tb_peer *out);
// Binds a sockaddr_un to a path; 0, or -1 and errno (ENAMETOOLONG if the path is too long).
int tb_unix_bind(int fd, const char *path);
// Connects to a path; 0, or -1 and errno.
int tb_unix_connect(int fd, const char *path);
// Sends one datagram to a path, abstract if it starts with '@'; 0, or -1 and errno.
int tb_unix_send_to(int fd, const char *path, const void *bytes, size_t count);

// EVIOCSCLOCKID; 0, or -1 and errno.
int tb_set_event_clock(int fd, int clock);
// EVIOCGRAB: takes a device for this descriptor alone, or gives it back; 0, or -1 and errno.
int tb_grab(int fd, int isOn);
// EVIOCGMTSLOTS: fills values[0..<count] with the value of an axis in each slot.
// Returns 0, or -1 and errno.
int tb_slot_values(int fd, uint32_t code, int32_t *values, size_t count);

// EVIOCGABS: the present value of an axis; 0, or -1 and errno.
int tb_axis_value(int fd, uint16_t code, int32_t *value);

// A timer of CLOCK_REALTIME that never ends and becomes readable, with ECANCELED, when that clock is
// set or the machine wakes up from suspend (TFD_TIMER_CANCEL_ON_SET); -1 and errno on failure.
int tb_clock_change_timer(void);
// Sets such a timer again; 0, or -1 and errno.
int tb_clock_change_rearm(int fd);

// pidfd_open(2): readable once the process has ended; -1 and errno on failure.
int tb_pidfd_open(int pid);

// EVIOCGKEY: whether a key is pressed; 1 or 0, or -1 and errno.
int tb_key_state(int fd, uint16_t code);

// sched_setaffinity(2) of the calling thread to one CPU; 0, or -1 and errno.
int tb_pin(int cpu);

// getopt_long's globals, which Swift 6 does not let us touch.
const char *tb_optarg(void);
int tb_optind(void);
void tb_optind_reset(void);

// libdispatch's main queue, for a run loop of our own. Private symbols of libdispatch, but the ones
// that swift-corelibs-foundation's run loop stands on.
int _dispatch_get_main_queue_handle_4CF(void);
void _dispatch_main_queue_callback_4CF(void *unused);

#endif

#include "CLinuxShims.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int tb_rename(const char *from, const char *to, int flags) {
    return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, flags);
}

int tb_accept(int fd) { return accept4(fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK); }

int tb_peer_credentials(int fd, tb_peer *out) {
    struct ucred peer;
    socklen_t size = sizeof peer;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return -1;
    out->pid = peer.pid;
    out->uid = peer.uid;
    out->gid = peer.gid;
    return 0;
}

static int unix_address(const char *path, struct sockaddr_un *address, socklen_t *size) {
    size_t length = strlen(path);
    if (length == 0 || length >= sizeof address->sun_path) {
        errno = length == 0 ? EINVAL : ENAMETOOLONG;
        return -1;
    }
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    memcpy(address->sun_path, path, length);
    if (path[0] == '@') address->sun_path[0] = '\0';
    *size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length + (path[0] == '@' ? 0 : 1));
    return 0;
}

int tb_unix_bind(int fd, const char *path) {
    struct sockaddr_un address;
    socklen_t size;
    if (unix_address(path, &address, &size) != 0) return -1;
    return bind(fd, (const struct sockaddr *)&address, size);
}

int tb_unix_connect(int fd, const char *path) {
    struct sockaddr_un address;
    socklen_t size;
    if (unix_address(path, &address, &size) != 0) return -1;
    return connect(fd, (const struct sockaddr *)&address, size);
}

int tb_unix_send_to(int fd, const char *path, const void *bytes, size_t count) {
    struct sockaddr_un address;
    socklen_t size;
    if (unix_address(path, &address, &size) != 0) return -1;
    ssize_t sent = sendto(fd, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT, (const struct sockaddr *)&address, size);
    return sent == (ssize_t)count ? 0 : -1;
}

int tb_set_event_clock(int fd, int clock) { return ioctl(fd, EVIOCSCLOCKID, &clock); }

int tb_grab(int fd, int isOn) {
    // The kernel looks at nothing but whether this is zero.
    int value = 1;
    return ioctl(fd, EVIOCGRAB, isOn ? &value : NULL);
}

int tb_slot_values(int fd, uint32_t code, int32_t *values, size_t count) {
    size_t size = sizeof(uint32_t) + count * sizeof(int32_t);
    uint32_t *request = calloc(1, size);
    if (request == NULL) return -1;
    request[0] = code;
    int result = ioctl(fd, EVIOCGMTSLOTS(size), request);
    int error = errno;
    if (result >= 0) memcpy(values, request + 1, count * sizeof(int32_t));
    free(request);
    errno = error;
    return result >= 0 ? 0 : -1;
}

int tb_axis_value(int fd, uint16_t code, int32_t *value) {
    struct input_absinfo info;
    if (ioctl(fd, EVIOCGABS(code), &info) < 0) return -1;
    *value = info.value;
    return 0;
}

int tb_key_state(int fd, uint16_t code) {
    unsigned char keys[KEY_MAX / 8 + 1] = {0};
    if (code > KEY_MAX) {
        errno = EINVAL;
        return -1;
    }
    if (ioctl(fd, EVIOCGKEY(sizeof keys), keys) < 0) return -1;
    return keys[code / 8] >> (code % 8) & 1;
}

int tb_pin(int cpu) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    return sched_setaffinity(0, sizeof set, &set);
}

const char *tb_optarg(void) { return optarg; }
int tb_optind(void) { return optind; }
void tb_optind_reset(void) { optind = 0; }

const char *tb_errno_name(int error) { return strerrorname_np(error); }

int tb_open(const char *path, int flags, unsigned mode) {
    return open(path, flags | O_CLOEXEC, (mode_t)mode);
}

int tb_pidfd_open(int pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

int tb_clock_change_rearm(int fd) {
    struct itimerspec end = {.it_value = {.tv_sec = (time_t)1 << 40}};
    return timerfd_settime(fd, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &end, NULL);
}

int tb_clock_change_timer(void) {
    int fd = timerfd_create(CLOCK_REALTIME, TFD_NONBLOCK | TFD_CLOEXEC);
    if (fd >= 0 && tb_clock_change_rearm(fd) != 0) {
        close(fd);
        return -1;
    }
    return fd;
}

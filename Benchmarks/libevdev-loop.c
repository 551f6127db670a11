// The peer of decode_speedup: libevdev's own event loop over a file of evdev events.
//
//   libevdev-loop FILE     prints frames and nanoseconds
//
// libevdev asks a device what it is by ioctl. A file cannot answer, so the ioctl below, which the
// linker prefers to the C library's, answers for a panel of ten slots.

#include <errno.h>
#include <fcntl.h>
#include <libevdev/libevdev.h>
#include <linux/input.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void set(unsigned char *bits, size_t size, unsigned bit) {
    if (bit / 8 < size) bits[bit / 8] |= (unsigned char)(1 << bit % 8);
}

int ioctl(int descriptor, unsigned long request, ...) {
    (void)descriptor;
    va_list list;
    va_start(list, request);
    void *argument = va_arg(list, void *);
    va_end(list);
    size_t size = _IOC_SIZE(request);
    unsigned number = _IOC_NR(request);
    if (_IOC_TYPE(request) != 'E') {
        errno = ENOTTY;
        return -1;
    }
    if (_IOC_DIR(request) != _IOC_READ) return 0;
    if (argument != NULL) memset(argument, 0, size);
    if (number == _IOC_NR(EVIOCGVERSION)) *(int *)argument = 0x10001;
    if (number == _IOC_NR(EVIOCGNAME(0))) strcpy(argument, "peer");
    if (number == _IOC_NR(EVIOCGBIT(0, 0))) {
        set(argument, size, EV_SYN);
        set(argument, size, EV_ABS);
    }
    if (number == _IOC_NR(EVIOCGBIT(EV_ABS, 0))) {
        const unsigned axes[] = {ABS_MT_SLOT, ABS_MT_TRACKING_ID, ABS_MT_POSITION_X,
                                 ABS_MT_POSITION_Y, ABS_MT_PRESSURE};
        for (size_t index = 0; index < sizeof axes / sizeof axes[0]; index++)
            set(argument, size, axes[index]);
    }
    if (number >= _IOC_NR(EVIOCGABS(0)) && number <= _IOC_NR(EVIOCGABS(ABS_MAX))) {
        struct input_absinfo *info = argument;
        switch (number - _IOC_NR(EVIOCGABS(0))) {
        case ABS_MT_SLOT: info->maximum = 9; break;
        case ABS_MT_PRESSURE: info->maximum = 255; break;
        case ABS_MT_POSITION_X: info->maximum = 5116; break;
        case ABS_MT_POSITION_Y: info->maximum = 3196; break;
        default: info->maximum = 65535;
        }
    }
    if (number == _IOC_NR(EVIOCGMTSLOTS(0))) {
        errno = EINVAL;
        return -1;
    }
    return (int)size;
}

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

int main(int count, char **arguments) {
    int file = count == 2 ? open(arguments[1], O_RDONLY) : -1;
    struct libevdev *device = NULL;
    if (file < 0 || libevdev_new_from_fd(file, &device) != 0) {
        fprintf(stderr, "libevdev-loop: cannot open a file of events: %s\n", strerror(errno));
        return 1;
    }
    long frames = 0;
    double sum = 0;
    uint64_t start = now();
    struct input_event event;
    while (libevdev_next_event(device, LIBEVDEV_READ_FLAG_NORMAL, &event) >= 0) {
        if (event.type != EV_SYN || event.code != SYN_REPORT) continue;
        // What a reader does with a frame: each live slot's place, normalised.
        for (unsigned slot = 0; slot < 10; slot++) {
            if (libevdev_get_slot_value(device, slot, ABS_MT_TRACKING_ID) < 0) continue;
            sum += libevdev_get_slot_value(device, slot, ABS_MT_POSITION_X) / 5116.0;
            sum += libevdev_get_slot_value(device, slot, ABS_MT_POSITION_Y) / 3196.0;
        }
        frames++;
        // libevdev reads at the end of a file as at an empty queue; the last frame ends the run.
    }
    printf("%ld %llu %.3f\n", frames, (unsigned long long)(now() - start), sum);
    libevdev_free(device);
    return 0;
}

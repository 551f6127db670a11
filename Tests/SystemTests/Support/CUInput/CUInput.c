#include "CUInput.h"

#include <fcntl.h>
#include <linux/input.h>
#include <linux/uinput.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int tu_open(void) { return open("/dev/uinput", O_RDWR | O_CLOEXEC); }

int tu_allow_type(int fd, uint16_t type) { return ioctl(fd, UI_SET_EVBIT, type); }

int tu_allow_key(int fd, uint16_t code) { return ioctl(fd, UI_SET_KEYBIT, code); }

int tu_set_property(int fd, uint16_t property) { return ioctl(fd, UI_SET_PROPBIT, property); }

int tu_set_axis(int fd, uint16_t code, int32_t minimum, int32_t maximum, int32_t fuzz, int32_t flat,
                int32_t resolution) {
    struct uinput_abs_setup setup = {
        .code = code,
        .absinfo = {.minimum = minimum,
                    .maximum = maximum,
                    .fuzz = fuzz,
                    .flat = flat,
                    .resolution = resolution},
    };
    return ioctl(fd, UI_ABS_SETUP, &setup);
}

int tu_create(int fd, const char *name, uint16_t bus, uint16_t vendor, uint16_t product,
              uint16_t version) {
    struct uinput_setup setup = {
        .id = {.bustype = bus, .vendor = vendor, .product = product, .version = version}};
    snprintf(setup.name, sizeof setup.name, "%s", name);
    if (ioctl(fd, UI_DEV_SETUP, &setup) != 0) return -1;
    return ioctl(fd, UI_DEV_CREATE);
}

int tu_system_name(int fd, char *name, size_t size) {
    return ioctl(fd, UI_GET_SYSNAME(size), name) < 0 ? -1 : 0;
}

int tu_destroy(int fd) { return ioctl(fd, UI_DEV_DESTROY); }

int tu_grab(int fd, int isOn) { return ioctl(fd, EVIOCGRAB, isOn); }

int tu_revoke(int process, int descriptor) {
    int holder = (int)syscall(SYS_pidfd_open, process, 0);
    if (holder < 0) return -1;
    int copy = (int)syscall(SYS_pidfd_getfd, holder, descriptor, 0);
    close(holder);
    if (copy < 0) return -1;
    int result = ioctl(copy, EVIOCREVOKE, 0);
    close(copy);
    return result;
}

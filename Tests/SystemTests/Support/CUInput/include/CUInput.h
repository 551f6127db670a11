// Access to /dev/uinput for Swift: one call a step, no logic.
#ifndef TOUCHBRIDGE_CUINPUT_H
#define TOUCHBRIDGE_CUINPUT_H

#include <stddef.h>
#include <stdint.h>

// Opens /dev/uinput; -1 and errno on failure, like every call below.
int tu_open(void);
// UI_SET_EVBIT.
int tu_allow_type(int fd, uint16_t type);
// UI_SET_KEYBIT.
int tu_allow_key(int fd, uint16_t code);
// UI_SET_PROPBIT.
int tu_set_property(int fd, uint16_t property);
// UI_ABS_SETUP.
int tu_set_axis(int fd, uint16_t code, int32_t minimum, int32_t maximum, int32_t fuzz, int32_t flat,
                int32_t resolution);
// UI_DEV_SETUP and UI_DEV_CREATE.
int tu_create(int fd, const char *name, uint16_t bus, uint16_t vendor, uint16_t product,
              uint16_t version);
// UI_GET_SYSNAME: the device's name under /sys/devices/virtual/input.
int tu_system_name(int fd, char *name, size_t size);
// UI_DEV_DESTROY.
int tu_destroy(int fd);

// EVIOCGRAB on an open node.
int tu_grab(int fd, int isOn);
// EVIOCREVOKE on a descriptor of another process, by pidfd_getfd.
int tu_revoke(int process, int descriptor);

#endif

#include "CUHID.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/uhid.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int send_event(int fd, const struct uhid_event *event) {
    ssize_t written = write(fd, event, sizeof *event);
    return written < 0 ? -1 : 0;
}

int th_open(void) { return open("/dev/uhid", O_RDWR | O_NONBLOCK | O_CLOEXEC); }

int th_create(int fd, const char *name, const char *phys, uint16_t bus, uint32_t vendor,
              uint32_t product, const uint8_t *descriptor, size_t size) {
    struct uhid_event event = {.type = UHID_CREATE2};
    struct uhid_create2_req *create = &event.u.create2;
    if (size > sizeof create->rd_data) {
        errno = EMSGSIZE;
        return -1;
    }
    snprintf((char *)create->name, sizeof create->name, "%s", name);
    snprintf((char *)create->phys, sizeof create->phys, "%s", phys);
    create->bus = bus;
    create->vendor = vendor;
    create->product = product;
    create->rd_size = (uint16_t)size;
    memcpy(create->rd_data, descriptor, size);
    return send_event(fd, &event);
}

int th_input(int fd, const uint8_t *report, size_t size) {
    // Only as much as is needed: the kernel takes the rest for zero.
    struct {
        uint32_t type;
        struct uhid_input2_req input;
    } __attribute__((packed)) event;
    if (size > sizeof event.input.data) {
        errno = EMSGSIZE;
        return -1;
    }
    event.type = UHID_INPUT2;
    event.input.size = (uint16_t)size;
    memcpy(event.input.data, report, size);
    size_t length = offsetof(struct uhid_input2_req, data) + sizeof event.type + size;
    return write(fd, &event, length) < 0 ? -1 : 0;
}

enum th_message th_next(int fd, uint32_t *id) {
    struct uhid_event event;
    if (read(fd, &event, sizeof event) <= 0) return TH_NOTHING;
    switch (event.type) {
    case UHID_GET_REPORT:
        *id = event.u.get_report.id;
        return TH_GET_REPORT;
    case UHID_SET_REPORT:
        *id = event.u.set_report.id;
        return TH_SET_REPORT;
    default:
        return TH_OTHER;
    }
}

int th_refuse(int fd, enum th_message message, uint32_t id) {
    struct uhid_event event = {0};
    if (message == TH_GET_REPORT) {
        event.type = UHID_GET_REPORT_REPLY;
        event.u.get_report_reply.id = id;
        event.u.get_report_reply.err = EIO;
    } else {
        event.type = UHID_SET_REPORT_REPLY;
        event.u.set_report_reply.id = id;
        event.u.set_report_reply.err = EIO;
    }
    return send_event(fd, &event);
}

int th_destroy(int fd) {
    struct uhid_event event = {.type = UHID_DESTROY};
    return send_event(fd, &event);
}

// Access to /dev/uhid for Swift: one message a call, no logic.
#ifndef TOUCHBRIDGE_CUHID_H
#define TOUCHBRIDGE_CUHID_H

#include <stddef.h>
#include <stdint.h>

// What the kernel said, see th_next.
enum th_message {
    TH_NOTHING = 0,     // there is no message
    TH_GET_REPORT = 1,  // the driver asks for a report and waits for the answer
    TH_SET_REPORT = 2,  // the driver sends a report and waits for the answer
    TH_OTHER = 3,       // nothing that needs an answer
};

// The longest report descriptor and report that uhid takes, in bytes.
enum { TH_DESCRIPTOR_LIMIT = 4096, TH_REPORT_LIMIT = 4096 };

// Opens /dev/uhid without waiting; -1 and errno on failure, like every call below.
int th_open(void);
// UHID_CREATE2.
int th_create(int fd, const char *name, const char *phys, uint16_t bus, uint32_t vendor,
              uint32_t product, const uint8_t *descriptor, size_t size);
// UHID_INPUT2.
int th_input(int fd, const uint8_t *report, size_t size);
// Reads one message; puts the number of a request into id.
enum th_message th_next(int fd, uint32_t *id);
// Answers a request: there is no such report.
int th_refuse(int fd, enum th_message message, uint32_t id);
// UHID_DESTROY.
int th_destroy(int fd);

#endif

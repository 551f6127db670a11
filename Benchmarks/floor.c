// The floor: what the path costs when nothing but the path is there.
//
//   floor player FRAMES INTERVAL_US     evdev events of ten moving fingers to standard output
//   floor daemon SOCKET CPU             events from standard input, frames to the clients' sockets
//   floor client SOCKET FRAMES CPU X W  a scene from x to x + w; prints frames, p50 and p99 in ns
//
// Daemon and client speak wire version 1 (docs/wire.md) as far as the path needs it, so that either
// may be put together with the other half of the project. They trust what they are sent, keep no
// backlog, know neither SYN_DROPPED nor hotplug, and are single-threaded. docs/benchmarks.md goes
// through this file line by line and says why each part belongs to the floor.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/input.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { SLOTS = 10, CLIENTS = 64, BATCH = 512, PACKET = 65536 };
enum { X_MAX = 5116, Y_MAX = 3196, WIDTH = 1280, HEIGHT = 800 };
enum { DOWN = 0, MOTION = 1, STILL = 2, UP = 3 };

struct header {
    uint32_t magic;
    uint16_t type, flags;
    uint32_t length, serial;
};

struct contact {
    uint64_t id;
    uint32_t scene;
    int32_t slot;
    uint8_t phase, tool;
    uint16_t flags;
    uint32_t reserved;
    double x, y;
    float major, minor, pressure, orientation;
};

struct frame {
    struct header header;
    uint64_t kernel, read, routed, sent;
    uint32_t device, display;
    uint16_t contact_count, contact_size;
    uint32_t contacts_offset;
    uint16_t history_count, history_size;
    uint32_t history_offset;
    struct contact contacts[2 * SLOTS];
};

struct acknowledgement {
    struct header header;
    uint32_t frame_serial, stale;
    uint64_t read, done;
};

_Static_assert(sizeof(struct contact) == 56, "a contact of the wire");
_Static_assert(offsetof(struct frame, contacts) == 72, "a frame of the wire");
_Static_assert(sizeof(struct acknowledgement) == 40, "an acknowledgement of the wire");

static void die(const char *what) {
    fprintf(stderr, "floor: %s: %s\n", what, strerror(errno));
    exit(1);
}

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static struct header header(uint16_t type, size_t length, uint32_t serial) {
    return (struct header){0x31574254, type, 0, (uint32_t)length, serial};
}

static void pin(const char *cpu) {
    if (*cpu == '-') return;
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(atoi(cpu), &set);
    if (sched_setaffinity(0, sizeof set, &set) != 0) die("sched_setaffinity");
}

static struct sockaddr_un address(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        die(path);
    }
    strcpy(address.sun_path, path);
    return address;
}

// ---- player -----------------------------------------------------------------------------------

static int put(struct input_event *events, int count, uint16_t type, uint16_t code, int32_t value) {
    events[count] = (struct input_event){.type = type, .code = code, .value = value};
    return count + 1;
}

// Sleeps the first part of an interval and spins the last, so that pacing costs no precision.
static void wait_until(uint64_t time) {
    uint64_t at = now();
    if (time > at + 200000) {
        uint64_t rest = time - at - 150000;
        struct timespec pause = {(time_t)(rest / 1000000000u), (long)(rest % 1000000000u)};
        nanosleep(&pause, NULL);
    }
    while (now() < time) sched_yield();
}

static int player(long frames, long interval_us) {
    uint64_t next = now();
    for (long frame = 0; frame <= frames; frame++) {
        struct input_event events[SLOTS * 5 + 1];
        int count = 0;
        for (int slot = 0; slot < SLOTS; slot++) {
            count = put(events, count, EV_ABS, ABS_MT_SLOT, slot);
            if (frame == frames) {
                count = put(events, count, EV_ABS, ABS_MT_TRACKING_ID, -1);
                continue;
            }
            if (frame == 0) count = put(events, count, EV_ABS, ABS_MT_TRACKING_ID, slot + 1);
            int shift = (int)(frame % 400);
            count = put(events, count, EV_ABS, ABS_MT_POSITION_X, 400 * slot + shift);
            count = put(events, count, EV_ABS, ABS_MT_POSITION_Y, 300 * slot + shift);
            count = put(events, count, EV_ABS, ABS_MT_PRESSURE, 40 + shift % 20);
        }
        count = put(events, count, EV_SYN, SYN_REPORT, 0);
        next += (uint64_t)interval_us * 1000u;
        if (interval_us > 0) wait_until(next);
        uint64_t time = now();
        for (int index = 0; index < count; index++) {
            events[index].input_event_sec = (__kernel_ulong_t)(time / 1000000000u);
            events[index].input_event_usec = (__kernel_ulong_t)(time % 1000000000u / 1000u);
        }
        size_t size = (size_t)count * sizeof events[0];
        if (write(STDOUT_FILENO, events, size) != (ssize_t)size) die("write");
    }
    return 0;
}

// ---- daemon -----------------------------------------------------------------------------------

struct slot {
    int32_t id, x, y, pressure;
    int is_live, is_ending, is_moved, client;
    uint64_t contact;
};

struct client {
    int socket;
    uint32_t serial, scene;
    double x, y, width, height;
};

static struct slot slots[SLOTS];
static struct client clients[CLIENTS];
static int client_count, current_slot, poller;
static uint64_t next_contact = 1;
static struct frame out;

static int client_at(double x, double y) {
    for (int index = client_count - 1; index >= 0; index--) {
        const struct client *client = &clients[index];
        if (x >= client->x && y >= client->y && x < client->x + client->width &&
            y < client->y + client->height)
            return index;
    }
    return -1;
}

static void send_frame(int index, int count, uint64_t kernel, uint64_t read, uint64_t routed) {
    size_t length = offsetof(struct frame, contacts) + (size_t)count * sizeof(struct contact);
    out.header = header(67, length, ++clients[index].serial);
    out.kernel = kernel;
    out.read = read;
    out.routed = routed;
    out.contact_count = (uint16_t)count;
    out.contact_size = sizeof(struct contact);
    out.contacts_offset = offsetof(struct frame, contacts);
    out.history_size = 32;
    out.history_offset = (uint32_t)length;
    out.sent = now();
    struct iovec part = {&out, length};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (sendmsg(clients[index].socket, &message, MSG_DONTWAIT | MSG_NOSIGNAL) < 0) die("sendmsg");
}

static void report(const struct input_event *event, uint64_t read) {
    struct contact contacts[SLOTS];
    int targets[SLOTS], count = 0;
    for (int index = 0; index < SLOTS; index++) {
        struct slot *slot = &slots[index];
        if (slot->id < 0 && !slot->is_live) continue;
        double nx = (double)slot->x / X_MAX, ny = (double)slot->y / Y_MAX;
        nx = nx < 0 ? 0 : nx > 1 ? 1 : nx;
        ny = ny < 0 ? 0 : ny > 1 ? 1 : ny;
        struct contact *contact = &contacts[count];
        *contact = (struct contact){
            .slot = index, .x = nx * (WIDTH - 1), .y = ny * (HEIGHT - 1),
            .pressure = (float)slot->pressure / 255};
        if (!slot->is_live) {
            slot->is_live = 1;
            slot->contact = next_contact++;
            slot->client = client_at(contact->x, contact->y);
            contact->phase = DOWN;
        } else if (slot->id < 0) {
            slot->is_live = 0;
            contact->phase = UP;
        } else {
            contact->phase = slot->is_moved ? MOTION : STILL;
        }
        slot->is_moved = 0;
        contact->id = slot->contact;
        targets[count++] = slot->client;
    }
    uint64_t kernel = (uint64_t)event->input_event_sec * 1000000000u +
                      (uint64_t)event->input_event_usec * 1000u;
    uint64_t routed = now();
    for (int first = 0; first < count; first++) {
        int target = targets[first], taken = 0;
        if (target < 0) continue;
        for (int index = first; index < count; index++) {
            if (targets[index] != target) continue;
            struct contact *contact = &out.contacts[taken++];
            *contact = contacts[index];
            contact->scene = clients[target].scene;
            contact->x -= clients[target].x;
            contact->y -= clients[target].y;
            targets[index] = -1;
        }
        send_frame(target, taken, kernel, read, routed);
    }
}

static void consume(const struct input_event *event, uint64_t read) {
    struct slot *slot = &slots[current_slot];
    if (event->type == EV_ABS) {
        switch (event->code) {
        case ABS_MT_SLOT:
            if (event->value >= 0 && event->value < SLOTS) current_slot = event->value;
            break;
        case ABS_MT_TRACKING_ID: slot->id = event->value; break;
        case ABS_MT_POSITION_X: slot->is_moved |= slot->x != event->value; slot->x = event->value; break;
        case ABS_MT_POSITION_Y: slot->is_moved |= slot->y != event->value; slot->y = event->value; break;
        case ABS_MT_PRESSURE: slot->pressure = event->value; break;
        }
    } else if (event->type == EV_SYN && event->code == SYN_REPORT) {
        report(event, read);
    }
}

static void watch(int descriptor, uint64_t token) {
    struct epoll_event event = {.events = EPOLLIN, .data.u64 = token};
    if (epoll_ctl(poller, EPOLL_CTL_ADD, descriptor, &event) != 0) die("epoll_ctl");
}

static void welcome(struct client *client) {
    unsigned char bytes[120] = {0};
    struct header head = header(64, sizeof bytes, ++client->serial);
    memcpy(bytes, &head, sizeof head);
    bytes[16] = 1;                                           // version
    bytes[20] = 1;                                           // role: app
    memcpy(bytes + 32, &(uint32_t){1}, 4);                   // client
    memcpy(bytes + 36, &(uint32_t){8}, 4);                   // frames unacknowledged
    memcpy(bytes + 48, &(uint16_t){1}, 2);                   // one display
    memcpy(bytes + 50, &(uint16_t){64}, 2);
    memcpy(bytes + 52, &(uint32_t){56}, 4);
    memcpy(bytes + 64, &(double){WIDTH}, 8);
    memcpy(bytes + 72, &(double){HEIGHT}, 8);
    memcpy(bytes + 80, &(double){1}, 8);
    if (send(client->socket, bytes, sizeof bytes, 0) < 0) die("send");
}

static void take_message(struct client *client, const unsigned char *bytes) {
    struct header head;
    memcpy(&head, bytes, sizeof head);
    if (head.type == 1) {
        welcome(client);
    } else if (head.type == 2) {
        const unsigned char *scene = bytes + 32;
        memcpy(&client->scene, scene, 4);
        memcpy(&client->x, scene + 16, 8);
        memcpy(&client->y, scene + 24, 8);
        memcpy(&client->width, scene + 32, 8);
        memcpy(&client->height, scene + 40, 8);
        struct { struct header header; uint32_t serial, result; } applied = {
            header(66, 24, ++client->serial), head.serial, 0};
        if (send(client->socket, &applied, sizeof applied, 0) < 0) die("send");
    }
}

static int serve(const char *path) {
    static struct input_event events[BATCH];
    static unsigned char packet[PACKET];
    struct sockaddr_un place = address(path);
    int listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (listener < 0 || bind(listener, (struct sockaddr *)&place, sizeof place) != 0 ||
        listen(listener, CLIENTS) != 0)
        die(path);
    poller = epoll_create1(EPOLL_CLOEXEC);
    watch(STDIN_FILENO, 1000);
    watch(listener, 1001);
    for (int index = 0; index < SLOTS; index++) slots[index].id = -1;
    while (1) {
        struct epoll_event ready[16];
        int count = epoll_wait(poller, ready, 16, -1);
        for (int index = 0; index < count; index++) {
            uint64_t token = ready[index].data.u64;
            if (token == 1000) {
                ssize_t size = read(STDIN_FILENO, events, sizeof events);
                if (size <= 0) return 0;
                uint64_t time = now();
                for (size_t event = 0; event < (size_t)size / sizeof events[0]; event++)
                    consume(&events[event], time);
            } else if (token == 1001) {
                int socket = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
                if (socket < 0 || client_count == CLIENTS) continue;
                clients[client_count].socket = socket;
                watch(socket, (uint64_t)client_count++);
            } else if (recv(clients[token].socket, packet, sizeof packet, MSG_DONTWAIT) > 0) {
                take_message(&clients[token], packet);
            } else {
                epoll_ctl(poller, EPOLL_CTL_DEL, clients[token].socket, NULL);
            }
        }
    }
}

// ---- client -----------------------------------------------------------------------------------

static int compare(const void *left, const void *right) {
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

static void send_scene(int socket, double x, double width) {
    unsigned char bytes[88] = {0};
    struct header head = header(2, sizeof bytes, 2);
    memcpy(bytes, &head, sizeof head);
    memcpy(bytes + 16, &(uint16_t){1}, 2);
    memcpy(bytes + 18, &(uint16_t){56}, 2);
    memcpy(bytes + 20, &(uint32_t){32}, 4);
    memcpy(bytes + 26, &(uint16_t){32}, 2);
    memcpy(bytes + 28, &(uint32_t){88}, 4);
    memcpy(bytes + 32, &(uint32_t){1}, 4);
    memcpy(bytes + 48, &x, 8);
    memcpy(bytes + 64, &width, 8);
    memcpy(bytes + 72, &(double){HEIGHT}, 8);
    if (send(socket, bytes, sizeof bytes, 0) < 0) die("send");
}

static int run_client(const char *path, long frames, double x, double width) {
    static unsigned char packet[PACKET];
    struct sockaddr_un place = address(path);
    int socket_ = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    // The path is there a moment before anybody listens at it.
    int tries = 0;
    while (socket_ < 0 || connect(socket_, (struct sockaddr *)&place, sizeof place) != 0) {
        if (errno != ECONNREFUSED || ++tries == 1000) die(path);
        nanosleep(&(struct timespec){0, 10000000}, NULL);
    }
    unsigned char hello[104] = {0};
    struct header head = header(1, sizeof hello, 1);
    memcpy(hello, &head, sizeof head);
    hello[16] = hello[18] = hello[20] = 1;
    memcpy(hello + 40, "floor", 5);
    if (send(socket_, hello, sizeof hello, 0) < 0) die("send");
    send_scene(socket_, x, width);
    poller = epoll_create1(EPOLL_CLOEXEC);
    watch(socket_, 1);
    uint64_t *delays = calloc((size_t)frames, sizeof *delays);
    long got = 0;
    uint32_t serial = 2;
    while (got < frames) {
        struct epoll_event ready;
        if (epoll_wait(poller, &ready, 1, -1) < 1) continue;
        struct frame last = {0};
        ssize_t size;
        while ((size = recv(socket_, packet, sizeof packet, MSG_DONTWAIT)) > 0) {
            memcpy(&head, packet, sizeof head);
            if (head.type == 66) {
                puts("ready");
                fflush(stdout);
            }
            if (head.type != 67) continue;
            memcpy(&last, packet, offsetof(struct frame, contacts));
            uint64_t time = now();
            delays[got++] = time - last.kernel;
            if (got == frames) break;
        }
        if (last.header.length > 0) {
            uint64_t time = now();
            struct acknowledgement done = {
                header(3, sizeof done, ++serial), last.header.serial, 0, time, time};
            if (send(socket_, &done, sizeof done, MSG_DONTWAIT) < 0) break;
        }
        if (size == 0) break;
    }
    qsort(delays, (size_t)got, sizeof *delays, compare);
    uint64_t p50 = got ? delays[got / 2] : 0, p99 = got ? delays[got * 99 / 100] : 0;
    printf("%ld %llu %llu\n", got, (unsigned long long)p50, (unsigned long long)p99);
    free(delays);
    return 0;
}

int main(int count, char **arguments) {
    const char *part = count > 1 ? arguments[1] : "";
    if (strcmp(part, "player") == 0 && count == 4)
        return player(atol(arguments[2]), atol(arguments[3]));
    if (strcmp(part, "daemon") == 0 && count == 4) {
        pin(arguments[3]);
        return serve(arguments[2]);
    }
    if (strcmp(part, "client") == 0 && count == 7) {
        pin(arguments[4]);
        return run_client(arguments[2], atol(arguments[3]), atof(arguments[5]), atof(arguments[6]));
    }
    fprintf(stderr, "usage: floor player|daemon|client ...; see the file's first lines\n");
    return 2;
}

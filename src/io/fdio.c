/* SPDX-License-Identifier: Apache-2.0 */
/* fdio.c -- descriptors, the careful way. */
#include "io/fdio.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

/* Some systems refuse a single transfer of 2 GiB or more. */
static const size_t TRANSFER_MOST = (size_t) 1 << 30;
enum { CREATE_ATTEMPTS = 100 };

int
kn_fault_set(kn_fault *fault, int error, const char *place, const char *what)
{
    fault->error = error;
    fault->place = place;
    fault->what = what;
    return error;
}

kanon_status
kn_fault_report(const kn_fault *fault, kanon_ctx *ctx)
{
    if (fault->error == KN_FAULT_CHANGED)
        return kn_fail_at(
            ctx, KANON_E_IO, fault->place, 0,
            "the file changed while it was read; run the job again on a file that stays as it is");
    return kn_fail_errno(ctx, fault->place, fault->what, fault->error);
}

/* Whether a failed call should be made again; waits first where the descriptor was not ready. */
static bool
worth_retrying(int fd, short events, int error)
{
    struct pollfd wait = { fd, events, 0 };

    if (error == EINTR)
        return true;
    if (error != EAGAIN && error != EWOULDBLOCK)
        return false;
    return poll(&wait, 1, -1) >= 0 || errno == EINTR;
}

int
kn_fd_read(int fd, void *buffer, size_t capacity, size_t *got)
{
    size_t most = capacity < TRANSFER_MOST ? capacity : TRANSFER_MOST;

    assert(capacity > 0);
    for (;;) {
        ssize_t count = read(fd, buffer, most);

        if (count >= 0) {
            *got = (size_t) count;
            return 0;
        }
        if (!worth_retrying(fd, POLLIN, errno))
            return errno;
    }
}

int
kn_fd_read_at(int fd, uint64_t offset, void *buffer, size_t capacity, size_t *got)
{
    size_t most = capacity < TRANSFER_MOST ? capacity : TRANSFER_MOST;

    for (;;) {
        ssize_t count = pread(fd, buffer, most, (off_t) offset);

        if (count >= 0) {
            *got = (size_t) count;
            return 0;
        }
        if (!worth_retrying(fd, POLLIN, errno))
            return errno;
    }
}

int
kn_fd_write_all(int fd, const void *bytes, size_t count)
{
    const char *at = bytes;

    while (count) {
        ssize_t done = write(fd, at, count < TRANSFER_MOST ? count : TRANSFER_MOST);

        if (done == 0)
            return EIO; /* no progress and no error: trying again could go on for ever */
        if (done < 0) {
            if (!worth_retrying(fd, POLLOUT, errno))
                return errno;
            continue;
        }
        at += done;
        count -= (size_t) done;
    }
    return 0;
}

int
kn_fd_write_all_at(int fd, uint64_t offset, const void *bytes, size_t count)
{
    const char *at = bytes;

    while (count) {
        ssize_t done = pwrite(fd, at, count < TRANSFER_MOST ? count : TRANSFER_MOST,
                              (off_t) offset);

        if (done == 0)
            return EIO;
        if (done < 0) {
            if (!worth_retrying(fd, POLLOUT, errno))
                return errno;
            continue;
        }
        at += done;
        offset += (uint64_t) done;
        count -= (size_t) done;
    }
    return 0;
}

/* A library must not change how its process handles signals, so SIGPIPE is held back for this thread
 * alone, and one that our write caused is taken away before it is let through again. */
int
kn_fd_write_all_pipe(int fd, const void *bytes, size_t count)
{
    struct timespec now = { 0, 0 };
    sigset_t        ours, before, pending;
    bool            was_pending;
    int             error;

    sigemptyset(&ours);
    sigaddset(&ours, SIGPIPE);
    sigpending(&pending);
    was_pending = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &ours, &before);
    error = kn_fd_write_all(fd, bytes, count);
    if (error == EPIPE && !was_pending)
        while (sigtimedwait(&ours, NULL, &now) < 0 && errno == EINTR)
            continue;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

int
kn_fd_sync(int fd)
{
    while (fsync(fd) < 0) {
        if (errno == EINVAL || errno == EROFS)
            return 0; /* this file system has nothing to sync */
        if (errno != EINTR)
            return errno;
    }
    return 0;
}

static int
put_random_suffix(char *suffix)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz012345"; /* 32: no bias */
    unsigned char     bytes[KN_FD_SUFFIX_BYTES];
    int               error = kn_random_bytes(bytes, sizeof bytes);

    if (error)
        return error;
    for (size_t i = 0; i < sizeof bytes; i++)
        suffix[i] = letters[bytes[i] % 32];
    suffix[sizeof bytes] = 0;
    return 0;
}

int
kn_fd_create(int folder, char *name, size_t length, int *fd)
{
    for (int attempt = 0; attempt < CREATE_ATTEMPTS; attempt++) {
        int error = put_random_suffix(name + length);

        if (error)
            return error;
        *fd = openat(folder, name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
        if (*fd >= 0)
            return 0;
        if (errno != EEXIST && errno != EINTR)
            return errno;
    }
    return EEXIST;
}

int
kn_fd_link(int fd, int folder, char *name, size_t length)
{
    char own[64];

    snprintf(own, sizeof own, "/proc/self/fd/%d", fd);
    for (int attempt = 0; attempt < CREATE_ATTEMPTS; attempt++) {
        int error = put_random_suffix(name + length);

        if (error)
            return error;
        if (linkat(AT_FDCWD, own, folder, name, AT_SYMLINK_FOLLOW) == 0)
            return 0;
        if (errno != EEXIST && errno != EINTR)
            return errno;
    }
    return EEXIST;
}

/* Whether a name can be given later is tried first, with an empty file: at the end of a long job it would be
 * too late to learn that it cannot. */
int
kn_fd_create_nameless(int folder, char *name, size_t length, int *fd)
{
#ifdef O_TMPFILE
    const int flags = O_TMPFILE | O_RDWR | O_CLOEXEC;
    int       error, trial = openat(folder, ".", flags, 0600);

    if (trial < 0)
        return errno;
    error = kn_fd_link(trial, folder, name, length);
    if (!error && unlinkat(folder, name, 0) < 0)
        error = errno;
    close(trial);
    if (error)
        return error;
    *fd = openat(folder, ".", flags, 0600);
    return *fd < 0 ? errno : 0;
#else
    KN_UNUSED(folder);
    KN_UNUSED(name);
    KN_UNUSED(length);
    *fd = -1;
    return ENOTSUP;
#endif
}

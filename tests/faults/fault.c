/* SPDX-License-Identifier: Apache-2.0 */
/* fault.c -- a library to preload (LD_PRELOAD) that makes one call of a program go wrong: the n-th request
 * for memory, the n-th write, the n-th call of any kind. The scripts of this folder use it on the tool as it
 * is delivered, so what is tested is the whole process, the C library's own requests included.
 *
 *   KANON_FAULT=CALL:N:ACTION     the N-th CALL, from 1; N+ means that one and all after it. Several such
 *                                 with commas between them
 *   KANON_FAULT_COUNTS=FILE       when the program ends, how often each CALL was made; then, in their
 *                                 order, "opened N FILE" and "reads N -" for each open and pread: N is the
 *                                 number of that call among "any"
 *
 * CALL is a name of the table below, or "any": every call of the table but alloc, counted together. alloc
 * stands for malloc, calloc, realloc and their kin, nameless for open with O_TMPFILE, stat also for lstat,
 * setxattr for fsetxattr and fremovexattr, getrandom also for getentropy. ACTION is
 *
 *   EIO, ENOSPC ...   the call fails with that error and does nothing (close closes all the same)
 *   short             a transfer of fewer bytes than asked for: half of them
 *   zero              a transfer of no byte at all
 *   SIGTERM ...       the signal is sent to the process, then the call is made. SIGSTOP gives whoever
 *                     watches the time to look at, or to change, the files
 */
#undef _FORTIFY_SOURCE /* its inline versions of read and others would be what is defined here */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

/* glibc's own names for the functions that are replaced here: dlsym() itself asks for memory. */
extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t bytes);
extern void *__libc_memalign(size_t boundary, size_t bytes);

#define CALLS(X)                                                                                   \
    X(alloc)                                                                                       \
    X(nameless)                                                                                    \
    X(open)                                                                                        \
    X(close)                                                                                       \
    X(read)                                                                                        \
    X(pread)                                                                                       \
    X(write)                                                                                       \
    X(pwrite)                                                                                      \
    X(fsync)                                                                                       \
    X(stat)                                                                                        \
    X(fstat)                                                                                       \
    X(access)                                                                                      \
    X(readlink)                                                                                    \
    X(fchmod)                                                                                      \
    X(fchown)                                                                                      \
    X(getxattr)                                                                                    \
    X(setxattr)                                                                                    \
    X(rename)                                                                                      \
    X(link)                                                                                        \
    X(unlink)                                                                                      \
    X(poll)                                                                                        \
    X(eventfd)                                                                                     \
    X(getrandom)                                                                                   \
    X(thread)

#define NUMBER(name) CALL_##name,
#define NAME(name) #name,
enum { CALLS(NUMBER) CALL_COUNT, CALL_ANY = CALL_COUNT };
static const char *const names[] = { CALLS(NAME) "any" };

typedef enum { NOTHING, FAIL, SHORT, ZERO, SIGNAL } action;

enum { PLANS_MOST = 4 };
typedef struct plan {
    int      call;
    uint64_t at;
    bool     onwards;
    action   action;
    int      number; /* of the error or the signal */
} plan;
static plan   plans[PLANS_MOST];
static size_t nplans;

static atomic_uint_fast64_t counts[CALL_COUNT + 1];
static atomic_bool          armed; /* what the loader does before is not counted */

/* Notes what is opened and read when. What does not fit is left out. */
static char       notes[1 << 14];
static atomic_int notes_bytes;

static void
note(const char *what, const char *path)
{
    char line[512];
    int  length = snprintf(line, sizeof line, "%s %llu %s\n", what,
                           (unsigned long long) counts[CALL_ANY], path);
    int  at;

    if (!armed || length <= 0 || length >= (int) sizeof line)
        return;
    at = atomic_fetch_add(&notes_bytes, length);
    if (at + length < (int) sizeof notes)
        memcpy(notes + at, line, (size_t) length);
    else
        atomic_fetch_sub(&notes_bytes, length);
}

/* --- what was asked for ------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    int         number;
} numbers[] = {
    { "EIO", EIO },         { "ENOSPC", ENOSPC },   { "EINTR", EINTR },     { "EAGAIN", EAGAIN },
    { "EACCES", EACCES },   { "EPERM", EPERM },     { "EROFS", EROFS },     { "EDQUOT", EDQUOT },
    { "EMFILE", EMFILE },   { "ENFILE", ENFILE },   { "ENOENT", ENOENT },   { "ENOMEM", ENOMEM },
    { "ESTALE", ESTALE },   { "ENOTSUP", ENOTSUP }, { "EINVAL", EINVAL },   { "EFBIG", EFBIG },
    { "EXDEV", EXDEV },     { "ENOSYS", ENOSYS },   { "EBADF", EBADF },     { "ELOOP", ELOOP },
    { "EEXIST", EEXIST },   { "EPIPE", EPIPE },     { "EISDIR", EISDIR },   { "SIGINT", SIGINT },
    { "SIGTERM", SIGTERM }, { "SIGHUP", SIGHUP },   { "SIGQUIT", SIGQUIT }, { "SIGKILL", SIGKILL },
    { "SIGPIPE", SIGPIPE }, { "SIGSTOP", SIGSTOP }, { "SIGXCPU", SIGXCPU },
};

static void
refuse(const char *text)
{
    fprintf(stderr, "fault: KANON_FAULT=%s is not understood, expected CALL:N:ACTION\n", text);
    _exit(99);
}

static void
set_action(plan *to, const char *word, const char *text)
{
    if (strcmp(word, "short") == 0)
        to->action = SHORT;
    else if (strcmp(word, "zero") == 0)
        to->action = ZERO;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (strcmp(word, numbers[i].name) == 0) {
            to->action = strncmp(word, "SIG", 3) == 0 ? SIGNAL : FAIL;
            to->number = numbers[i].number;
        }
    if (to->action == NOTHING)
        refuse(text);
}

/* One CALL:N:ACTION; word is cut to pieces. */
static void
add_plan(char *word, const char *text)
{
    plan  to = { -1, 0, false, NOTHING, 0 };
    char *number = strchr(word, ':'), *end;

    if (!number || nplans == PLANS_MOST)
        refuse(text);
    *number++ = 0;
    for (int i = 0; i <= CALL_COUNT; i++)
        if (strcmp(word, names[i]) == 0)
            to.call = i;
    to.at = strtoull(number, &end, 10);
    to.onwards = *end == '+';
    end += to.onwards;
    if (to.call < 0 || to.at == 0 || *end != ':')
        refuse(text);
    set_action(&to, end + 1, text);
    plans[nplans++] = to;
}

__attribute__((constructor)) static void
begin(void)
{
    const char *text = getenv("KANON_FAULT");
    char        copy[256], *word = copy, *comma;

    if (text && *text) {
        if (strlen(text) >= sizeof copy)
            refuse(text);
        strcpy(copy, text);
        while (word) {
            comma = strchr(word, ',');
            if (comma)
                *comma++ = 0;
            add_plan(word, text);
            word = comma;
        }
    }
    armed = true;
}

__attribute__((destructor)) static void
finish(void)
{
    const char *path = getenv("KANON_FAULT_COUNTS");
    char        line[64];
    int         fd;

    armed = false;
    if (!path)
        return;
    fd = (int) syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    for (int i = 0; i <= CALL_COUNT && fd >= 0; i++) {
        int length = snprintf(line, sizeof line, "%s %llu\n", names[i],
                              (unsigned long long) counts[i]);

        if (syscall(SYS_write, fd, line, (size_t) length) != length)
            break;
    }
    if (fd >= 0 && syscall(SYS_write, fd, notes, (size_t) notes_bytes) >= 0)
        syscall(SYS_close, fd);
}

/* --- deciding ------------------------------------------------------------------------------------------ */

/* Counts a call of a kind. @return what is due now, or NULL */
static const plan *
due_now(int call)
{
    uint64_t now = atomic_fetch_add(&counts[call], 1) + 1;

    for (size_t i = 0; i < nplans; i++)
        if (plans[i].call == call
            && (now == plans[i].at || (plans[i].onwards && now > plans[i].at)))
            return &plans[i];
    return NULL;
}

/* Counts a call. A signal is sent here, and errno is set; what else is to happen is the caller's. */
static action
decide(int call)
{
    const plan *due, *also = NULL;

    if (!armed)
        return NOTHING;
    due = due_now(call);
    if (call != CALL_alloc)
        also = due_now(CALL_ANY);
    if (!due)
        due = also;
    if (!due)
        return NOTHING;
    if (due->action == SIGNAL) {
        kill(getpid(), due->number);
        return NOTHING;
    }
    errno = due->number;
    return due->action;
}

/* Is this call to fail? (short and zero mean something for transfers only.) */
static bool
fails(int call)
{
    int before = errno;

    if (decide(call) == FAIL)
        return true;
    errno = before;
    return false;
}

/* How many bytes of a transfer are to be made: *count changes; true: it fails. */
static bool
transfer(int call, size_t *count)
{
    switch (decide(call)) {
    case FAIL:
        return true;
    case SHORT:
        *count = *count > 1 ? *count / 2 : *count;
        return false;
    case ZERO:
        *count = 0;
        return false;
    default:
        return false;
    }
}

/* The function behind the one of that name here. */
static void *
next(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);

    if (!found) {
        fprintf(stderr, "fault: there is no %s\n", name);
        _exit(99);
    }
    return found;
}
/* A cast between data and function pointers is POSIX, not ISO C. */
#define REAL(result, name, ...)                                                                    \
    __extension__ static result (*real)(__VA_ARGS__);                                              \
    if (!real)                                                                                     \
    *(void **) &real = next(#name)

/* --- memory -------------------------------------------------------------------------------------------- */

void *
malloc(size_t bytes)
{
    return fails(CALL_alloc) ? NULL : __libc_malloc(bytes);
}

void *
calloc(size_t count, size_t size)
{
    return fails(CALL_alloc) ? NULL : __libc_calloc(count, size);
}

void *
realloc(void *block, size_t bytes)
{
    return fails(CALL_alloc) ? NULL : __libc_realloc(block, bytes);
}

void *
aligned_alloc(size_t boundary, size_t bytes)
{
    return fails(CALL_alloc) ? NULL : __libc_memalign(boundary, bytes);
}

int
posix_memalign(void **out, size_t boundary, size_t bytes)
{
    if (fails(CALL_alloc))
        return ENOMEM;
    *out = __libc_memalign(boundary, bytes);
    return *out ? 0 : ENOMEM;
}

int
pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
               void *user)
{
    REAL(int, pthread_create, pthread_t *, const pthread_attr_t *, void *(*) (void *), void *);

    return fails(CALL_thread) ? errno : real(thread, attributes, start, user);
}

/* --- files --------------------------------------------------------------------------------------------- */

static bool
is_nameless(int flags)
{
#ifdef O_TMPFILE
    return (flags & O_TMPFILE) == O_TMPFILE;
#else
    return flags < 0;
#endif
}

static int
open_call(int flags)
{
    return is_nameless(flags) ? CALL_nameless : CALL_open;
}

/* open() takes a third argument with these flags alone. */
static mode_t
mode_of(int flags, va_list rest)
{
    return flags & O_CREAT || is_nameless(flags) ? va_arg(rest, mode_t) : 0;
}

int
openat(int folder, const char *path, int flags, ...)
{
    va_list rest;
    mode_t  mode;

    va_start(rest, flags);
    mode = mode_of(flags, rest);
    va_end(rest);
    if (fails(open_call(flags)))
        return -1;
    note("opened", path);
    return (int) syscall(SYS_openat, folder, path, flags, mode);
}

int
open(const char *path, int flags, ...)
{
    va_list rest;
    mode_t  mode;

    va_start(rest, flags);
    mode = mode_of(flags, rest);
    va_end(rest);
    if (fails(open_call(flags)))
        return -1;
    note("opened", path);
    return (int) syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int
close(int fd)
{
    bool failing = fails(CALL_close);
    int  error = errno, rc = (int) syscall(SYS_close, fd);

    if (!failing)
        return rc;
    errno = error;
    return -1;
}

ssize_t
read(int fd, void *buffer, size_t count)
{
    REAL(ssize_t, read, int, void *, size_t);

    return transfer(CALL_read, &count) ? -1 : real(fd, buffer, count);
}

ssize_t
pread(int fd, void *buffer, size_t count, off_t offset)
{
    REAL(ssize_t, pread, int, void *, size_t, off_t);

    if (transfer(CALL_pread, &count))
        return -1;
    note("reads", "-");
    return real(fd, buffer, count, offset);
}

ssize_t
write(int fd, const void *buffer, size_t count)
{
    REAL(ssize_t, write, int, const void *, size_t);

    return transfer(CALL_write, &count) ? -1 : real(fd, buffer, count);
}

ssize_t
pwrite(int fd, const void *buffer, size_t count, off_t offset)
{
    REAL(ssize_t, pwrite, int, const void *, size_t, off_t);

    return transfer(CALL_pwrite, &count) ? -1 : real(fd, buffer, count, offset);
}

int
fsync(int fd)
{
    REAL(int, fsync, int);

    return fails(CALL_fsync) ? -1 : real(fd);
}

int
stat(const char *restrict path, struct stat *restrict facts)
{
    REAL(int, stat, const char *, struct stat *);

    return fails(CALL_stat) ? -1 : real(path, facts);
}

int
lstat(const char *restrict path, struct stat *restrict facts)
{
    REAL(int, lstat, const char *, struct stat *);

    return fails(CALL_stat) ? -1 : real(path, facts);
}

int
fstat(int fd, struct stat *facts)
{
    REAL(int, fstat, int, struct stat *);

    return fails(CALL_fstat) ? -1 : real(fd, facts);
}

int
access(const char *path, int mode)
{
    REAL(int, access, const char *, int);

    return fails(CALL_access) ? -1 : real(path, mode);
}

int
faccessat(int folder, const char *path, int mode, int flags)
{
    REAL(int, faccessat, int, const char *, int, int);

    return fails(CALL_access) ? -1 : real(folder, path, mode, flags);
}

ssize_t
readlink(const char *restrict path, char *restrict buffer, size_t count)
{
    REAL(ssize_t, readlink, const char *, char *, size_t);

    return fails(CALL_readlink) ? -1 : real(path, buffer, count);
}

int
fchmod(int fd, mode_t mode)
{
    REAL(int, fchmod, int, mode_t);

    return fails(CALL_fchmod) ? -1 : real(fd, mode);
}

int
fchown(int fd, uid_t owner, gid_t group)
{
    REAL(int, fchown, int, uid_t, gid_t);

    return fails(CALL_fchown) ? -1 : real(fd, owner, group);
}

ssize_t
getxattr(const char *path, const char *name, void *value, size_t count)
{
    REAL(ssize_t, getxattr, const char *, const char *, void *, size_t);

    return fails(CALL_getxattr) ? -1 : real(path, name, value, count);
}

int
fsetxattr(int fd, const char *name, const void *value, size_t count, int flags)
{
    REAL(int, fsetxattr, int, const char *, const void *, size_t, int);

    return fails(CALL_setxattr) ? -1 : real(fd, name, value, count, flags);
}

int
fremovexattr(int fd, const char *name)
{
    REAL(int, fremovexattr, int, const char *);

    return fails(CALL_setxattr) ? -1 : real(fd, name);
}

int
renameat(int from_folder, const char *from, int to_folder, const char *to)
{
    REAL(int, renameat, int, const char *, int, const char *);

    return fails(CALL_rename) ? -1 : real(from_folder, from, to_folder, to);
}

int
linkat(int from_folder, const char *from, int to_folder, const char *to, int flags)
{
    REAL(int, linkat, int, const char *, int, const char *, int);

    return fails(CALL_link) ? -1 : real(from_folder, from, to_folder, to, flags);
}

int
unlinkat(int folder, const char *path, int flags)
{
    REAL(int, unlinkat, int, const char *, int);

    return fails(CALL_unlink) ? -1 : real(folder, path, flags);
}

int
poll(struct pollfd *fds, nfds_t count, int timeout)
{
    REAL(int, poll, struct pollfd *, nfds_t, int);

    return fails(CALL_poll) ? -1 : real(fds, count, timeout);
}

int
eventfd(unsigned int value, int flags)
{
    REAL(int, eventfd, unsigned int, int);

    return fails(CALL_eventfd) ? -1 : real(value, flags);
}

int
getentropy(void *buffer, size_t count)
{
    REAL(int, getentropy, void *, size_t);

    return fails(CALL_getrandom) ? -1 : real(buffer, count);
}

ssize_t
getrandom(void *buffer, size_t count, unsigned int flags)
{
    REAL(ssize_t, getrandom, void *, size_t, unsigned int);

    return transfer(CALL_getrandom, &count) ? -1 : real(buffer, count, flags);
}

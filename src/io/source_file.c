/* SPDX-License-Identifier: Apache-2.0 */
/* source_file.c -- a file as a source. It is opened once and read by offset in every pass, so that
 * all passes see the same file even when another one takes its name in between. A file that somebody
 * writes to meanwhile is refused at the end of a pass. (One that is rewritten with its old size and time is
 * found out by those who read twice, from its hash.) What cannot be read by offset (a pipe such as
 * <(command), a device) is spooled like standard input. */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/stream.h"

typedef struct file_source {
    kanon_source base;
    kanon_ctx   *ctx;
    char        *path;
    int          fd;
    uint64_t     length;
    struct stat  facts; /* when it was opened */
} file_source;

/* Is it still the file that was opened? One of length 0 may be none that the kernel keeps (/proc): it has
 * bytes to read and stays 0 long. */
static bool
has_changed(const file_source *file, uint64_t read)
{
    struct stat now;

    if (fstat(file->fd, &now) < 0 || now.st_size != file->facts.st_size)
        return true;
    if (file->length == 0)
        return false;
    return read != file->length || now.st_mtim.tv_sec != file->facts.st_mtim.tv_sec
        || now.st_mtim.tv_nsec != file->facts.st_mtim.tv_nsec;
}

static int
file_pull(kn_stream *stream, void *buffer, size_t capacity, size_t *got, kn_fault *fault)
{
    const file_source *file = stream->owner;
    int                error = kn_fd_read_at(file->fd, stream->offset, buffer, capacity, got);

    if (error)
        return kn_fault_set(fault, error, file->path, "reading");
    if (!*got && has_changed(file, stream->offset))
        return kn_fault_set(fault, KN_FAULT_CHANGED, file->path, "reading");
    stream->offset += *got;
    return 0;
}

static kanon_status
file_open(void *user, kanon_ctx *ctx, void **stream)
{
    return kn_stream_open(ctx, user, file_pull, stream);
}

static uint64_t
file_length(void *user)
{
    const file_source *file = user;

    return file->length;
}

static void
file_release(void *user)
{
    file_source *file = user;

    close(file->fd);
    kn_free(file->ctx, file->path);
    kn_free(file->ctx, file);
}

/* Takes the descriptor, also on failure. */
static kanon_status
make_source(kanon_ctx *ctx, const char *path, int fd, const struct stat *facts, kanon_source **out)
{
    file_source *file = KN_NEW(ctx, file_source);
    char        *copy = kn_strdup(ctx, path);

    if (!file || !copy) {
        close(fd);
        kn_free(ctx, file);
        kn_free(ctx, copy);
        return KANON_E_NOMEM;
    }
    file->ctx = ctx;
    file->path = copy;
    file->fd = fd;
    file->facts = *facts;
    file->length = (uint64_t) facts->st_size;
    file->base = (kanon_source){ .size = sizeof file->base,
                                 .name = copy,
                                 .user = file,
                                 .open = file_open,
                                 .read = kn_stream_read,
                                 .close = kn_stream_close,
                                 .length = file_length,
                                 .release = file_release };
    *out = &file->base;
    return KANON_OK;
}

static kanon_status
open_failed(kanon_ctx *ctx, const char *path, int error)
{
    if (error == ENOENT || error == ENOTDIR)
        return kn_fail_at(ctx, KANON_E_IO, path, 0, "no such file");
    if (error == EACCES || error == EPERM)
        return kn_fail_at(ctx, KANON_E_IO, path, 0, "cannot be read: permission denied");
    return kn_fail_errno(ctx, path, "opening", error);
}

kanon_status
kanon_source_file(kanon_ctx *ctx, const char *path, kanon_source **out)
{
    struct stat facts;
    int         fd;

    if (!out)
        return kn_fail(ctx, KANON_E_INVALID, "out is required");
    *out = NULL;
    if (!path || !*path)
        return kn_fail(ctx, KANON_E_INVALID, "the path of the input is empty; name a file");
    do
        fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    while (fd < 0 && errno == EINTR);
    if (fd < 0)
        return open_failed(ctx, path, errno);
    if (fstat(fd, &facts) < 0) {
        int error = errno;

        close(fd);
        return kn_fail_errno(ctx, path, "opening", error);
    }
    if (S_ISDIR(facts.st_mode)) {
        close(fd);
        return kn_fail_at(ctx, KANON_E_IO, path, 0, "is a directory; name a file");
    }
    if (!S_ISREG(facts.st_mode))
        return kn_source_fd_adopt(ctx, path, fd, out);
    return make_source(ctx, path, fd, &facts, out);
}

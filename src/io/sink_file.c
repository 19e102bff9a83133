/* SPDX-License-Identifier: Apache-2.0 */
/* sink_file.c -- a file as a sink. The release is written to a private file (0600) in its target's folder
 * that has no name, or, where the file system cannot do that, a name of its own. It is read back through
 * the same descriptor (not by name: nobody can swap it), and takes the target's name by rename only at
 * commit; then folder and file are on the disk. A target that is no regular file (a device, a pipe) cannot
 * be replaced: it is spooled and written through at commit. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "io/stream.h"
#include "io/target.h"

enum { BUFFER_BYTES = 1 << 20, NAME_KEPT = 200 };

typedef struct file_sink {
    kanon_sink base;
    kanon_ctx *ctx;
    char      *path; /* as given, for messages */
    bool       begun;
    kn_target  target;
    int        folder; /* of the target, -1 when there is none open */
    int        fd;     /* the temporary file, -1 when there is none */
    bool       named;  /* it can be seen under: */
    char       name[NAME_KEPT + 16 + KN_FD_SUFFIX_BYTES];
    char      *buffer;
    size_t     used;
    uint64_t   written; /* to fd */
    bool       synced;  /* all of it */
    kn_spool  *spool;   /* instead of fd where the target is written through */
    kn_back    back;
} file_sink;

static kanon_status
failed(file_sink *sink, const char *what, int error)
{
    return kn_fail_errno(sink->ctx, sink->path, what, error);
}

/* Puts ".TARGET.kanon-" where the random end follows; a long name is cut so that the file system takes it. */
static size_t
put_prefix(file_sink *sink)
{
    return (size_t) snprintf(sink->name, sizeof sink->name, ".%.*s.kanon-", NAME_KEPT,
                             sink->target.name);
}

static int
create_beside(file_sink *sink)
{
    size_t length = put_prefix(sink);
    int    error;

    if (kn_fd_create_nameless(sink->folder, sink->name, length, &sink->fd) == 0)
        return 0;
    error = kn_fd_create(sink->folder, sink->name, length, &sink->fd);
    sink->named = !error;
    return error;
}

static kanon_status
begin_file(file_sink *sink)
{
    int error;

    sink->buffer = kn_alloc(sink->ctx, BUFFER_BYTES);
    if (!sink->buffer)
        return KANON_E_NOMEM;
    sink->folder = open(sink->target.folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (sink->folder < 0)
        return failed(sink, "opening its folder", errno);
    error = create_beside(sink);
    if (error)
        return failed(sink, "creating a file beside it", error);
    return KANON_OK;
}

static void
file_abandon(void *user)
{
    file_sink *sink = user;

    if (sink->named)
        unlinkat(sink->folder, sink->name, 0);
    if (sink->fd >= 0)
        close(sink->fd);
    if (sink->folder >= 0)
        close(sink->folder);
    sink->fd = sink->folder = -1;
    sink->named = false;
    kn_spool_free(sink->spool);
    sink->spool = NULL;
    kn_free(sink->ctx, sink->buffer);
    sink->buffer = NULL;
    sink->used = 0;
    sink->written = 0;
    sink->synced = false;
    kn_target_fini(sink->ctx, &sink->target);
    sink->begun = false;
}

static kanon_status
file_begin(void *user, kanon_ctx *ctx)
{
    file_sink   *sink = user;
    kanon_status rc;

    KN_UNUSED(ctx);
    file_abandon(sink);
    rc = kn_target_find(sink->ctx, sink->path, &sink->target);
    if (rc == KANON_OK && sink->target.kind == KN_TARGET_THROUGH)
        rc = kn_spool_new(sink->ctx, NULL, &sink->spool);
    else if (rc == KANON_OK)
        rc = begin_file(sink);
    if (rc == KANON_OK)
        sink->begun = true;
    else
        file_abandon(sink);
    return rc;
}

static kanon_status
put(file_sink *sink, const void *bytes, size_t count)
{
    int error = kn_fd_write_all(sink->fd, bytes, count);

    if (error)
        return failed(sink, "writing", error);
    sink->written += count;
    sink->synced = false;
    return KANON_OK;
}

static kanon_status
flush(file_sink *sink)
{
    kanon_status rc = sink->used ? put(sink, sink->buffer, sink->used) : KANON_OK;

    if (rc == KANON_OK)
        sink->used = 0;
    return rc;
}

static kanon_status
file_write(void *user, kanon_ctx *ctx, const void *bytes, size_t count)
{
    file_sink   *sink = user;
    kanon_status rc;

    if (!sink->begun)
        return kn_sink_not_begun(ctx, sink->path);
    if (sink->spool)
        return kn_spool_append(sink->spool, bytes, count, NULL);
    if (count > BUFFER_BYTES - sink->used) {
        rc = flush(sink);
        if (rc == KANON_OK && count >= BUFFER_BYTES)
            return put(sink, bytes, count);
        if (rc != KANON_OK)
            return rc;
    }
    if (count)
        memcpy(sink->buffer + sink->used, bytes, count);
    sink->used += count;
    return KANON_OK;
}

static kanon_status
flush_and_sync(file_sink *sink)
{
    kanon_status rc = flush(sink);
    int          error = rc == KANON_OK ? kn_fd_sync(sink->fd) : 0;

    sink->synced = rc == KANON_OK && !error;
    return error ? failed(sink, "syncing", error) : rc;
}

static kanon_status
file_read_back(void *user, kanon_ctx *ctx, kanon_source *back)
{
    file_sink   *sink = user;
    kanon_status rc;

    if (!sink->begun)
        return kn_sink_not_begun(ctx, sink->path);
    if (!sink->spool) {
        rc = flush_and_sync(sink);
        if (rc != KANON_OK)
            return rc;
    }
    sink->back = (kn_back){ .name = sink->path,
                            .fd = sink->spool ? -1 : sink->fd,
                            .spool = sink->spool,
                            .length = sink->spool ? kn_spool_size(sink->spool) : sink->written };
    kn_back_source(&sink->back, back);
    return KANON_OK;
}

static kanon_status
commit_through(file_sink *sink)
{
    kanon_status rc;
    int          fd;

    do
        fd = open(sink->path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    while (fd < 0 && errno == EINTR);
    if (fd < 0)
        return failed(sink, "opening for writing", errno);
    rc = kn_spool_copy_out(sink->ctx, sink->spool, fd, sink->path);
    if (close(fd) < 0 && errno != EINTR && rc == KANON_OK)
        rc = failed(sink, "closing", errno);
    return rc;
}

/* A folder that may be written but not read cannot be synced; the file itself is on the disk. */
static int
sync_folder(int folder)
{
    int fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), error;

    if (fd < 0)
        return errno == EACCES ? 0 : errno;
    error = kn_fd_sync(fd);
    close(fd);
    return error;
}

/* The last two steps: a name of its own, because linking cannot replace a file, and the target's. */
static kanon_status
take_name(file_sink *sink)
{
    int error = sink->named ? 0 : kn_fd_link(sink->fd, sink->folder, sink->name, put_prefix(sink));

    if (error)
        return failed(sink, "naming the finished file beside it", error);
    sink->named = true;
    if (renameat(sink->folder, sink->name, sink->folder, sink->target.name) < 0)
        return failed(sink, "renaming the finished file to it", errno);
    sink->named = false; /* it has the target's name now: nothing to abandon */
    return KANON_OK;
}

/* A folder may give every new file a list of its own, which the old one need not have had. */
static bool
set_acl(file_sink *sink)
{
    if (sink->target.acl)
        return fsetxattr(sink->fd, KN_TARGET_ACL, sink->target.acl, sink->target.acl_bytes, 0) == 0;
    return fremovexattr(sink->fd, KN_TARGET_ACL) == 0 || errno == ENODATA || errno == ENOTSUP
        || errno == ENOSYS;
}

/* The group of what is there, and its access control list. The owner is whoever runs the job: only root could
 * give a file away. */
static bool
keep_group(file_sink *sink)
{
    struct stat facts;

    if (!sink->target.exists)
        return !sink->target.acl || set_acl(sink);
    if (fstat(sink->fd, &facts) < 0)
        return false;
    if (facts.st_gid != sink->target.group && fchown(sink->fd, (uid_t) -1, sink->target.group) < 0)
        return false;
    return set_acl(sink);
}

/* The permissions of what is there. The group's would go to another group, or to more people, where group
 * and list cannot be kept: nobody gets them then. Some file systems (FAT, network shares) have permissions of
 * their own for every file and let nobody change them. */
static kanon_status
set_mode(file_sink *sink)
{
    mode_t mode = sink->target.mode;

    if (!keep_group(sink) && (mode & S_IRWXG)) {
        mode &= ~(mode_t) S_IRWXG;
        kn_warn(sink->ctx, KN_FOUND_PERMISSIONS, kn_at_line(sink->path, 0),
                "%s: its group or access control list could not be kept; its group now has no "
                "permissions",
                sink->path);
    }
    if (fchmod(sink->fd, mode) == 0)
        return KANON_OK;
    if (errno != EPERM && errno != ENOTSUP && errno != ENOSYS)
        return failed(sink, "setting its permissions", errno);
    kn_warn(sink->ctx, KN_FOUND_PERMISSIONS, kn_at_line(sink->path, 0),
            "%s: its file system did not allow setting its permissions", sink->path);
    return KANON_OK;
}

/* What read_back has synced is not synced again: of several files that are committed one after another, none
 * should fail that need not. */
static kanon_status
commit_file(file_sink *sink)
{
    kanon_status rc = sink->synced && !sink->used ? KANON_OK : flush_and_sync(sink);

    if (rc != KANON_OK)
        return rc;
    rc = set_mode(sink);
    if (rc == KANON_OK)
        rc = take_name(sink);
    if (rc != KANON_OK)
        return rc;
    close(sink->fd);
    sink->fd = -1;
    /* too late to take the name back, and the file itself is whole */
    if (sync_folder(sink->folder))
        kn_warn(sink->ctx, KN_FOUND_NOT_SYNCED, kn_at_line(sink->path, 0),
                "%s: its folder could not be synced; a power failure now could undo the renaming",
                sink->path);
    return KANON_OK;
}

static kanon_status
file_commit(void *user, kanon_ctx *ctx)
{
    file_sink   *sink = user;
    kanon_status rc;

    if (!sink->begun)
        return kn_sink_not_begun(ctx, sink->path);
    rc = sink->spool ? commit_through(sink) : commit_file(sink);
    file_abandon(sink);
    return rc;
}

static void
file_release(void *user)
{
    file_sink *sink = user;

    file_abandon(sink);
    kn_free(sink->ctx, sink->path);
    kn_free(sink->ctx, sink);
}

kanon_status
kanon_sink_file(kanon_ctx *ctx, const char *path, kanon_sink **out)
{
    file_sink   *sink;
    kanon_status rc;

    if (!out)
        return kn_fail(ctx, KANON_E_INVALID, "out is required");
    *out = NULL;
    if (!path || !*path)
        return kn_fail(ctx, KANON_E_INVALID, "the path of the output is empty; name a file");
    sink = KN_NEW(ctx, file_sink);
    if (!sink)
        return KANON_E_NOMEM;
    sink->ctx = ctx;
    sink->folder = sink->fd = -1;
    sink->path = kn_strdup(ctx, path);
    rc = sink->path ? kn_target_find(ctx, path, &sink->target) : KANON_E_NOMEM;
    if (rc != KANON_OK) {
        file_release(sink);
        return rc;
    }
    sink->base = (kanon_sink){ .size = sizeof sink->base,
                               .name = sink->path,
                               .user = sink,
                               .begin = file_begin,
                               .write = file_write,
                               .read_back = file_read_back,
                               .commit = file_commit,
                               .abandon = file_abandon,
                               .release = file_release };
    *out = &sink->base;
    return KANON_OK;
}

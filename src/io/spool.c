/* SPDX-License-Identifier: Apache-2.0 */
/* spool.c -- private temporary files. Nameless from the start where the file system can do that
 * (O_TMPFILE), else created 0600 under a random name and unlinked at once: a crash leaves nothing. */
#include "io/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "io/spool_raw.h"

struct kn_spool {
    kanon_ctx *ctx;
    char      *folder;
    int        fd;
    uint64_t   size;
};

static int
create_and_unlink(const char *folder, int *fd)
{
    char name[16 + KN_FD_SUFFIX_BYTES] = ".kanon-";
    int  in = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC), error;

    if (in < 0)
        return errno;
    error = kn_fd_create(in, name, strlen(name), fd);
    if (!error && unlinkat(in, name, 0) < 0) {
        error = errno;
        close(*fd);
        *fd = -1;
    }
    close(in);
    return error;
}

static int
create(const char *folder, int *fd)
{
#ifdef O_TMPFILE
    *fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL, 0600);
    if (*fd >= 0)
        return 0;
        /* What file systems and kernels without O_TMPFILE answer; a folder that is really missing or
     * closed to us fails the second way too. */
#endif
    return create_and_unlink(folder, fd);
}

kanon_status
kn_spool_new(kanon_ctx *ctx, const char *folder, kn_spool **out)
{
    kanon_status rc = KANON_OK;
    kn_spool    *spool = KN_NEW(ctx, kn_spool);
    int          error;

    *out = NULL;
    if (!spool)
        return KANON_E_NOMEM;
    *spool = (kn_spool){ .ctx = ctx,
                         .fd = -1,
                         .folder = kn_strdup(ctx, folder ? folder : kn_ctx_temp_dir(ctx)) };
    KN_TRY(KN_HAVE(spool->folder));
    error = create(spool->folder, &spool->fd);
    if (error) {
        rc = kn_fail_errno(ctx, spool->folder, "creating a temporary file in this folder", error);
        goto out;
    }
    *out = spool;
    spool = NULL; /* moved */
out:
    kn_spool_free(spool);
    return rc;
}

void
kn_spool_free(kn_spool *spool)
{
    if (!spool)
        return;
    if (spool->fd >= 0)
        close(spool->fd);
    kn_free(spool->ctx, spool->folder);
    kn_free(spool->ctx, spool);
}

int
kn_spool_append_raw(kn_spool *spool, const void *bytes, size_t count, kn_fault *fault)
{
    int error = kn_fd_write_all_at(spool->fd, spool->size, bytes, count);

    if (error)
        return kn_fault_set(fault, error, spool->folder, "writing a temporary file in this folder");
    spool->size += count;
    return 0;
}

int
kn_spool_read_raw(const kn_spool *spool, uint64_t offset, void *bytes, size_t capacity, size_t *got)
{
    return kn_fd_read_at(spool->fd, offset, bytes, capacity, got);
}

kanon_status
kn_spool_append(kn_spool *spool, const void *bytes, size_t count, uint64_t *offset)
{
    kn_fault fault = { 0, NULL, NULL };

    if (offset)
        *offset = spool->size;
    if (kn_spool_append_raw(spool, bytes, count, &fault))
        return kn_fault_report(&fault, spool->ctx);
    return KANON_OK;
}

kanon_status
kn_spool_read(const kn_spool *spool, uint64_t offset, void *bytes, size_t count)
{
    char *at = bytes;

    while (count) {
        size_t got = 0;
        int    error = kn_fd_read_at(spool->fd, offset, at, count, &got);

        if (!error && !got)
            error = EIO; /* shorter than what was written to it */
        if (error)
            return kn_fail_errno(spool->ctx, spool->folder,
                                 "reading a temporary file in this folder", error);
        at += got;
        offset += got;
        count -= got;
    }
    return KANON_OK;
}

uint64_t
kn_spool_size(const kn_spool *spool)
{
    return spool->size;
}

const char *
kn_spool_folder(const kn_spool *spool)
{
    return spool->folder;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* private.c -- see private.h. Permissions are asked of the open file: they are those of what is read. */
#include "io/private.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/fdio.h"

static kanon_status
read_all(kanon_ctx *ctx, int fd, const char *path, char *out, size_t most, size_t *length)
{
    size_t got = 1;

    *length = 0;
    while (got && *length < most) {
        int error = kn_fd_read(fd, out + *length, most - *length, &got);

        if (error)
            return kn_fail_errno(ctx, path, "reading", error);
        *length += got;
    }
    return got ? kn_fail_at(ctx, KANON_E_INVALID, path, 0, "the file is too long for a key")
               : KANON_OK;
}

kanon_status
kn_private_read(kanon_ctx *ctx, const char *path, char *out, size_t most, size_t *length)
{
    kanon_status rc;
    struct stat  st;
    int          fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);

    *length = 0;
    if (fd < 0 && errno == ENOENT)
        return kn_fail_at(ctx, KANON_E_IO, path, 0, "no such file");
    if (fd < 0)
        return kn_fail_errno(ctx, path, "opening", errno);
    if (fstat(fd, &st) < 0)
        rc = kn_fail_errno(ctx, path, "reading", errno);
    else if (!S_ISREG(st.st_mode))
        rc = kn_fail_at(ctx, KANON_E_INVALID, path, 0, "a key is read from a regular file only");
    else if (st.st_mode & (S_IRWXG | S_IRWXO))
        rc = kn_fail_at(ctx, KANON_E_INVALID, path, 0,
                        "others than the owner may use this key; make it private: chmod 600");
    else
        rc = read_all(ctx, fd, path, out, most, length);
    close(fd);
    return rc;
}

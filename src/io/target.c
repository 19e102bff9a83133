/* target.c -- where a release will stand. Symbolic links are followed by hand, because the last one
 * may point to a file that does not exist yet and the new file must be made beside it. */
#include "io/target.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/fdio.h"

enum { LINKS_MOST = 40, NEW_FILE_MODE = 0666, USUAL_UMASK = 022 };

/* "a/b" and a link text: what the link means. */
static char *
follow_one(kanon_ctx *ctx, const char *path, const char *link)
{
    const char *slash = strrchr(path, '/');
    size_t      folder = link[0] == '/' || !slash ? 0 : (size_t) (slash - path) + 1;
    size_t      length = strlen(link);
    char       *joined = kn_alloc(ctx, folder + length + 1);

    if (joined) {
        memcpy(joined, path, folder);
        memcpy(joined + folder, link, length + 1);
    }
    return joined;
}

/* Replaces *path (owned) until it is no link any more. */
static kanon_status
follow_links(kanon_ctx *ctx, char **path)
{
    char link[PATH_MAX];

    for (int i = 0; i < LINKS_MOST; i++) {
        ssize_t length = readlink(*path, link, sizeof link - 1);
        char   *next;

        if (length < 0 && (errno == EINVAL || errno == ENOENT || errno == ENOTDIR))
            return KANON_OK; /* no link, or nothing there */
        if (length < 0)
            return kn_fail_errno(ctx, *path, "following links", errno);
        if (strncmp(*path, "/proc/", 6) == 0 || strncmp(*path, "/dev/fd/", 8) == 0)
            return kn_fail_at(ctx, KANON_E_INVALID, *path, 0,
                              "is an open descriptor, expected a file (- is standard output)");
        link[length] = 0;
        next = follow_one(ctx, *path, link);
        if (!next)
            return KANON_E_NOMEM;
        kn_free(ctx, *path);
        *path = next;
    }
    return kn_fail_errno(ctx, *path, "following links", ELOOP);
}

/* umask() can only be read by changing it, which another thread would notice: ask the kernel. */
static mode_t
current_umask(void)
{
    char   text[1024];
    size_t got = 0;
    mode_t mask = USUAL_UMASK;
    int    fd = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
    char  *line;

    if (fd < 0)
        return mask;
    if (kn_fd_read(fd, text, sizeof text - 1, &got) == 0) {
        text[got] = 0;
        line = strstr(text, "\nUmask:");
        if (line)
            mask = (mode_t) strtoul(line + strlen("\nUmask:"), NULL, 8) & 0777;
    }
    close(fd);
    return mask;
}

static kanon_status
split(kanon_ctx *ctx, const char *path, kn_target *target)
{
    const char *slash = strrchr(path, '/');
    kn_str      folder = { path, slash ? (size_t) (slash - path) : 0 };

    if (!slash)
        folder = KN_STR(".");
    else if (slash == path)
        folder = KN_STR("/");
    target->folder = kn_strndup(ctx, folder);
    target->name = kn_strdup(ctx, slash ? slash + 1 : path);
    return target->folder && target->name ? KANON_OK : KANON_E_NOMEM;
}

/* Early, so that a job does not search for an hour and then cannot write its answer. */
static kanon_status
check_folder(kanon_ctx *ctx, const char *path, const kn_target *target)
{
    struct stat facts;

    if (!*target->name)
        return kn_fail_at(ctx, KANON_E_IO, path, 0, "is not the name of a file, expected one");
    if (stat(target->folder, &facts) < 0 && errno == ENOENT)
        return kn_fail_at(ctx, KANON_E_IO, path, 0,
                          "there is no folder '%s', expected one that exists; mkdir makes it",
                          target->folder);
    if (stat(target->folder, &facts) < 0)
        return kn_fail_errno(ctx, path, "its folder", errno);
    if (!S_ISDIR(facts.st_mode))
        return kn_fail_at(ctx, KANON_E_IO, path, 0, "'%s' is a file, expected a folder",
                          target->folder);
    if (faccessat(AT_FDCWD, target->folder, W_OK | X_OK, AT_EACCESS) < 0)
        return kn_fail_errno(ctx, path, "its folder", errno);
    return KANON_OK;
}

kanon_status
kn_target_find(kanon_ctx *ctx, const char *path, kn_target *target)
{
    kanon_status rc = KANON_OK;
    struct stat  facts;
    bool         exists = stat(path, &facts) == 0;
    char        *real = NULL;

    memset(target, 0, sizeof *target);
    if (exists && S_ISDIR(facts.st_mode))
        return kn_fail_at(ctx, KANON_E_IO, path, 0, "is a directory, expected a file");
    if (exists && !S_ISREG(facts.st_mode)) {
        target->kind = KN_TARGET_THROUGH;
        return KANON_OK;
    }
    real = kn_strdup(ctx, path);
    if (!real)
        return KANON_E_NOMEM;
    KN_TRY(follow_links(ctx, &real));
    KN_TRY(split(ctx, real, target));
    KN_TRY(check_folder(ctx, path, target));
    target->mode = exists ? facts.st_mode & 0777 : (mode_t) NEW_FILE_MODE & ~current_umask();
out:
    kn_free(ctx, real);
    if (rc < 0)
        kn_target_fini(ctx, target);
    return rc;
}

void
kn_target_fini(kanon_ctx *ctx, kn_target *target)
{
    kn_free(ctx, target->folder);
    kn_free(ctx, target->name);
    target->folder = target->name = NULL;
}

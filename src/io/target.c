/* SPDX-License-Identifier: Apache-2.0 */
/* target.c -- where a release will stand. Symbolic links are followed by hand, because the last one
 * may point to a file that does not exist yet and the new file must be made beside it. */
#include "io/target.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "io/fdio.h"

enum { LINKS_MOST = 40, NEW_FILE_MODE = 0666, STRICT_UMASK = 077 };

static kn_str
folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    if (!slash)
        return KN_STR(".");
    return slash == path ? KN_STR("/") : (kn_str){ path, (size_t) (slash - path) };
}

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

/* Where everybody may put files (/tmp), somebody may have put a link of the target's name to lead a release
 * elsewhere. Whoever follows links by hand has to keep the rule by which the kernel would: only the links of
 * the user's own and those of the folder's owner. */
static kanon_status
check_link(kanon_ctx *ctx, const char *path)
{
    const mode_t shared = S_ISVTX | S_IWOTH;
    struct stat  link, folder;
    char        *name = kn_strndup(ctx, folder_of(path));
    bool         found;
    int          error;

    if (!name)
        return KANON_E_NOMEM;
    found = lstat(path, &link) == 0 && stat(name, &folder) == 0;
    error = errno;
    kn_free(ctx, name);
    if (!found)
        return kn_fail_errno(ctx, path, "following links", error);
    if ((folder.st_mode & shared) == shared && link.st_uid != geteuid()
        && link.st_uid != folder.st_uid)
        return kn_fail_at(ctx, KANON_E_IO, path, 0,
                          "is another user's link in a folder that everyone may write to; use a "
                          "file or a link of your own");
    return KANON_OK;
}

/* Replaces *path (owned) until it is no link any more. */
static kanon_status
follow_links(kanon_ctx *ctx, char **path)
{
    kanon_status rc;
    char         link[PATH_MAX];

    for (int i = 0; i < LINKS_MOST; i++) {
        ssize_t length = readlink(*path, link, sizeof link - 1);
        char   *next;

        if (length < 0 && (errno == EINVAL || errno == ENOENT || errno == ENOTDIR))
            return KANON_OK; /* no link, or nothing there */
        if (length < 0)
            return kn_fail_errno(ctx, *path, "following links", errno);
        if (strncmp(*path, "/proc/", 6) == 0 || strncmp(*path, "/dev/fd/", 8) == 0)
            return kn_fail_at(ctx, KANON_E_INVALID, *path, 0,
                              "is an open descriptor; name a file (- means standard output)");
        rc = check_link(ctx, *path);
        if (rc != KANON_OK)
            return rc;
        link[length] = 0;
        next = follow_one(ctx, *path, link);
        if (!next)
            return KANON_E_NOMEM;
        kn_free(ctx, *path);
        *path = next;
    }
    return kn_fail_errno(ctx, *path, "following links", ELOOP);
}

/* umask() can only be read by changing it, which another thread would notice: ask the kernel. Where it does
 * not tell, nobody else may read a new file. */
static mode_t
current_umask(void)
{
    char   text[1024];
    size_t got = 0;
    mode_t mask = STRICT_UMASK;
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

    target->folder = kn_strndup(ctx, folder_of(path));
    target->name = kn_strdup(ctx, slash ? slash + 1 : path);
    return target->folder && target->name ? KANON_OK : KANON_E_NOMEM;
}

/* Early, so that a job does not search for an hour and then cannot write its answer. */
static kanon_status
check_folder(kanon_ctx *ctx, const char *path, const kn_target *target)
{
    struct stat facts;

    if (!*target->name)
        return kn_fail_at(ctx, KANON_E_IO, path, 0, "is not a file name; name a file");
    if (stat(target->folder, &facts) < 0 && errno == ENOENT)
        return kn_fail_at(ctx, KANON_E_IO, path, 0, "there is no folder '%s'; create it with mkdir",
                          target->folder);
    if (stat(target->folder, &facts) < 0)
        return kn_fail_errno(ctx, path, "its folder", errno);
    if (!S_ISDIR(facts.st_mode))
        return kn_fail_at(ctx, KANON_E_IO, path, 0, "'%s' is a file, not a folder", target->folder);
    if (faccessat(AT_FDCWD, target->folder, W_OK | X_OK, AT_EACCESS) < 0)
        return kn_fail_errno(ctx, path, "its folder", errno);
    return KANON_OK;
}

/* The list of those who may do what with a file, or with the new files of a folder.
 * @param lost  the permissions that nobody gets when there is one that cannot be read */
static kanon_status
read_acl(kanon_ctx *ctx, const char *path, const char *name, mode_t lost, kn_target *target)
{
    ssize_t bytes = getxattr(path, name, NULL, 0);

    if (bytes == 0 || (bytes < 0 && (errno == ENODATA || errno == ENOTSUP || errno == ENOSYS)))
        return KANON_OK;
    if (bytes > 0) {
        target->acl = kn_alloc(ctx, (size_t) bytes);
        if (!target->acl)
            return KANON_E_NOMEM;
        bytes = getxattr(path, name, target->acl, (size_t) bytes);
    }
    if (bytes > 0) {
        target->acl_bytes = (size_t) bytes;
        return KANON_OK;
    }
    kn_free(ctx, target->acl);
    target->acl = NULL;
    target->mode &= ~lost;
    return KANON_OK;
}

/* What a new file makes of its folder's list: nobody may run it, and the mode, whatever the umask, is that of
 * the owner, the mask (without one: the group) and the others. The kernel gives the list as a version of 4
 * bytes, then for each entry its kind and permissions (2 bytes each, lowest first) and whose it is (4). */
static void
use_folder_acl(kn_target *target)
{
    enum { HEAD = 4, ENTRY = 8, OWNER = 1, GROUP = 4, MASK = 16, OTHERS = 32 };
    unsigned char *list = target->acl;
    mode_t         owner = 0, group = 0, others = 0;

    for (size_t at = HEAD; at + ENTRY <= target->acl_bytes; at += ENTRY) {
        mode_t rights = list[at + 2] & 06;

        if (list[at] == OWNER || list[at] == MASK || list[at] == OTHERS)
            list[at + 2] = (unsigned char) rights;
        if (list[at] == OWNER)
            owner = rights;
        else if (list[at] == GROUP || list[at] == MASK)
            group = rights; /* entries are in the order of their kinds: the mask comes later */
        else if (list[at] == OTHERS)
            others = rights;
    }
    target->mode = owner << 6 | group << 3 | others;
}

static kanon_status
new_rights(kanon_ctx *ctx, kn_target *target)
{
    kanon_status rc;

    target->mode = (mode_t) NEW_FILE_MODE & ~current_umask();
    rc = read_acl(ctx, target->folder, "system.posix_acl_default", S_IRWXG | S_IRWXO, target);
    if (target->acl)
        use_folder_acl(target);
    return rc;
}

/* Renaming replaces a file whatever its own permissions are. Who has taken them away wants it to stay. */
static kanon_status
read_rights(kanon_ctx *ctx, const char *path, const struct stat *facts, kn_target *target)
{
    if (!target->exists)
        return new_rights(ctx, target);
    if (faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) < 0) {
        if (errno != EACCES)
            return kn_fail_errno(ctx, path, "replacing it", errno);
        return kn_fail_at(
            ctx, KANON_E_IO, path, 0,
            "exists and is not writable; choose another name, or get permission to write it");
    }
    target->mode = facts->st_mode & 0777;
    target->group = facts->st_gid;
    /* beside a list the group's bits are the most that anybody of it gets; without it they would go to the
     * group */
    return read_acl(ctx, path, KN_TARGET_ACL, S_IRWXG, target);
}

kanon_status
kn_target_find(kanon_ctx *ctx, const char *path, kn_target *target)
{
    kanon_status rc = KANON_OK;
    struct stat  facts;
    bool         exists = stat(path, &facts) == 0;
    char        *real = NULL;

    memset(target, 0, sizeof *target);
    if (!exists && errno != ENOENT && errno != ENOTDIR)
        return kn_fail_errno(ctx, path, errno == ELOOP ? "following links" : "looking it up",
                             errno);
    if (exists && S_ISDIR(facts.st_mode))
        return kn_fail_at(ctx, KANON_E_IO, path, 0, "is a directory; name a file");
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
    target->exists = exists;
    KN_TRY(read_rights(ctx, path, &facts, target));
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
    kn_free(ctx, target->acl);
    target->folder = target->name = NULL;
    target->acl = NULL;
}

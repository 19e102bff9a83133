/* SPDX-License-Identifier: Apache-2.0 */
/* target.h -- the path of a release: links resolved, folder and name separated, permissions. */
#ifndef KN_TARGET_H
#define KN_TARGET_H

#include <sys/types.h>

#include "base/base.h"

typedef enum {
    KN_TARGET_FILE,   /* a regular file, or nothing yet: replaced by renaming */
    KN_TARGET_THROUGH /* a device, a pipe ...: written through */
} kn_target_kind;

/** Under this name the kernel keeps the access control list of a file. */
#define KN_TARGET_ACL "system.posix_acl_access"

typedef struct kn_target {
    kn_target_kind kind;
    char          *folder; /* "." where the path has none */
    char          *name;   /* within the folder */
    mode_t         mode;   /* of what is there, or what a new file gets */
    bool           exists;
    gid_t          group; /* of what is there */
    void  *acl; /* its access control list as the kernel takes it, or a new file's; NULL: none */
    size_t acl_bytes;
} kn_target;

/** Refuses a directory, a missing folder, one that cannot be written, a file that may not be written, what
 *  cannot be looked up, and somebody else's link in a folder where everybody may put one. */
kanon_status kn_target_find(kanon_ctx *ctx, const char *path, kn_target *target);
void         kn_target_fini(kanon_ctx *ctx, kn_target *target);

#endif

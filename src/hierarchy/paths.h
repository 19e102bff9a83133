/* SPDX-License-Identifier: Apache-2.0 */
/* paths.h -- kinds that read each value by itself and know all its labels at once: codes, addresses.
 * They share what becomes of values that cannot be read, and of levels at which nothing changes. */
#ifndef KN_HIER_PATHS_H
#define KN_HIER_PATHS_H

#include "hierarchy/build.h"

enum { KN_PATH_LEVELS = 32 };

typedef struct kn_paths {
    const char *one, *many; /* what a value should be: "an IP address", "IP addresses" */
    size_t      nlevels;    /* between the values and `*`, at most KN_PATH_LEVELS */
    const void *user;
    /** Appends the labels of a value, one behind the other; ends[l] is where that of level l ends in the
     *  text. False: the value cannot be read. */
    bool (*read)(const void *user, kn_str value, kn_text *text, size_t *ends);
} kn_paths;

/** Fills a hierarchy, with `*` above the levels. Values that cannot be read are refused in one line with
 *  their number, or become "(other)" where the spec says so. */
kanon_status kn_paths_fill(kanon_hierarchy *h, const kn_hier_spec *spec, const kn_domain *domain,
                           const kn_paths *paths);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* golden.h -- bytes that must be those of a tracked file; KANON_UPDATE_GOLDEN=1 writes it anew. */
#ifndef KN_GOLDEN_H
#define KN_GOLDEN_H

#include <stdio.h>
#include <stdlib.h>

#include "test.h"

static void
check_golden(const char *name, const char *bytes, size_t count)
{
    char   path[1024], *known;
    FILE  *file;
    size_t length;

    snprintf(path, sizeof path, "%s/tests/golden/report/%s", KANON_SOURCE_DIR, name);
    if (getenv("KANON_UPDATE_GOLDEN")) {
        file = fopen(path, "wb");
        CHECK(file && fwrite(bytes, 1, count, file) == count);
        fclose(file);
        return;
    }
    file = fopen(path, "rb");
    if (!file)
        FAIL("no %s: KANON_UPDATE_GOLDEN=1 makes it", path);
    known = malloc(count + 2);
    length = fread(known, 1, count + 1, file);
    fclose(file);
    for (size_t i = 0, line = 1; i < length || i < count; i++) {
        if (i >= length || i >= count || known[i] != bytes[i])
            FAIL("differs from %s in line %zu (KANON_UPDATE_GOLDEN=1 writes it anew)", name, line);
        line += known[i] == '\n';
    }
    free(known);
}

#endif

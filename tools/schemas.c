/* SPDX-License-Identifier: Apache-2.0 */
/* schemas.c -- writes the JSON Schemas of the reports into a folder. tests/unit/test_tree.c fails when those
 * in docs/ differ from them. */
#include <stdio.h>

#include "kanon/kanon.h"

static kanon_status
write_schema(kanon_ctx *ctx, const char *folder, const char *name)
{
    char         path[4096];
    kanon_sink  *sink = NULL;
    kanon_status rc;

    snprintf(path, sizeof path, "%s/%s.schema.json", folder, name);
    rc = kanon_sink_file(ctx, path, &sink);
    if (rc >= 0)
        rc = kanon_schema_write(ctx, name, sink);
    kanon_sink_free(sink);
    return rc;
}

int
main(int argc, char **argv)
{
    kanon_ctx   *ctx = NULL;
    kanon_status rc;

    if (argc != 2) {
        fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
        return 1;
    }
    rc = kanon_ctx_new(NULL, &ctx);
    for (size_t i = 0; rc >= 0 && kanon_schema_at(i); i++)
        rc = write_schema(ctx, argv[1], kanon_schema_at(i));
    if (rc < 0)
        fprintf(stderr, "schemas: %s\n", ctx ? kanon_ctx_message(ctx) : kanon_status_text(rc));
    kanon_ctx_free(ctx);
    return rc < 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* slurp.c -- reads a whole source into memory, up to a limit. */
#include "config/slurp.h"

enum { CHUNK_BYTES = 64 << 10 };

kanon_status
kn_slurp(kanon_ctx *ctx, const kanon_source *source, const kn_slurp_limits *limits, kn_text *text)
{
    kanon_status rc = KANON_OK;
    void        *stream = NULL;
    char        *chunk = kn_alloc(ctx, CHUNK_BYTES);
    size_t       got, good;

    if (!chunk)
        return KANON_E_NOMEM;
    KN_TRY(source->open(source->user, ctx, &stream));
    do {
        KN_TRY(source->read(stream, ctx, chunk, CHUNK_BYTES, &got));
        kn_text_add(text, (kn_str){ chunk, got });
        KN_TRY(kn_text_status(text));
        if (text->len > limits->bytes) {
            rc = kn_fail_at(ctx, KANON_E_INVALID, source->name, 0, "%s", limits->too_long);
            goto out;
        }
    } while (got);
    good = text->len ? kn_utf8_check(text->ptr, text->len) : 0;
    if (good < text->len) {
        uint64_t line = 1;

        for (size_t i = 0; i < good; i++)
            line += text->ptr[i] == '\n';
        rc = kn_fail_at(ctx, KANON_E_PARSE, source->name, line, "%s", limits->no_text);
    }
out:
    if (stream)
        source->close(stream);
    kn_free(ctx, chunk);
    return rc;
}

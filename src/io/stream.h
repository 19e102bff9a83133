/* SPDX-License-Identifier: Apache-2.0 */
/* stream.h -- what the library's own sources have in common. Their streams can be read without a context
 * ("pull"), so that a thread can read ahead. That is not possible with a user's source, whose read may use
 * the context. */
#ifndef KN_STREAM_H
#define KN_STREAM_H

#include "base/text.h"
#include "io/fdio.h"
#include "io/spool.h"
#include "kanon/io.h"

typedef struct kn_stream kn_stream;
/** As kanon_source.read; 0 or an errno, with *fault filled in. */
typedef int (*kn_stream_pull)(kn_stream *stream, void *buffer, size_t capacity, size_t *got,
                              kn_fault *fault);

struct kn_stream {
    kanon_ctx     *ctx; /* to release the stream with; pull never looks at it */
    void          *owner;
    uint64_t       offset; /* of the next byte */
    kn_stream_pull pull;
    /** A descriptor on which the next pull may wait long, or -1; NULL: never any. */
    int (*waits_on)(kn_stream *stream);
};

/** A stream of an owner at offset 0; *out is a kn_stream, or NULL on failure. */
kanon_status kn_stream_open(kanon_ctx *ctx, void *owner, kn_stream_pull pull, void **out);
/** kanon_source.read and .close of all own sources. */
kanon_status kn_stream_read(void *stream, kanon_ctx *ctx, void *buffer, size_t capacity,
                            size_t *got);
void         kn_stream_close(void *stream);

static inline bool
kn_source_is_own(const kanon_source *source)
{
    return source->read == kn_stream_read;
}

/** kanon_source_fd for a descriptor that the source closes in the end, also when this call fails. */
kanon_status kn_source_fd_adopt(kanon_ctx *ctx, const char *name, int fd, kanon_source **out);

/** Copies all of a spool to a descriptor; name is for messages. */
kanon_status kn_spool_copy_out(kanon_ctx *ctx, const kn_spool *spool, int fd, const char *name);

/** A whole text into a sink: written and committed, or nothing at all. Fails where the text has. */
kanon_status kn_sink_write(kanon_ctx *ctx, kanon_sink *sink, const kn_text *text);

/** What a sink answers before begin. */
kanon_status kn_sink_not_begun(kanon_ctx *ctx, const char *name);

/** What a sink reads back: an open file or a spool of `length` bytes. */
typedef struct kn_back {
    const char     *name;
    int             fd; /* or -1, and then: */
    const kn_spool *spool;
    uint64_t        length;
} kn_back;

/** A source over an open file or spool that somebody else owns. back outlives the source. */
void kn_back_source(kn_back *back, kanon_source *source);

#endif

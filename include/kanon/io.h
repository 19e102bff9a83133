/* SPDX-License-Identifier: Apache-2.0 */
/* io.h -- where tables come from and where releases go: small function tables, so that a file, a
 * memory buffer or whatever you write yourself are all the same to the library. */
#ifndef KANON_IO_H
#define KANON_IO_H

#include "kanon/ctx.h"

KANON_BEGIN_DECLS

/** A table that can be read from its beginning more than once (a job reads it twice). Fill one in to
 *  bring your own; set size to sizeof(kanon_source). Errors: return a negative status. */
typedef struct kanon_source {
    uint32_t    size;
    const char *name; /**< for messages and the report */
    void       *user;
    /** Starts a pass at the first byte. */
    kanon_status (*open)(void *user, kanon_ctx *ctx, void **stream);
    /** Reads up to capacity bytes; *got == 0 means the end. */
    kanon_status (*read)(void *stream, kanon_ctx *ctx, void *buffer, size_t capacity, size_t *got);
    void (*close)(void *stream);
    /** Bytes in all if known, 0 if not; may be NULL. */
    uint64_t (*length)(void *user);
    /** Releases user; may be NULL. */
    void (*release)(void *user);
} kanon_source;

/** A place for a release. Nothing written becomes visible under its name before commit, which the
 *  library calls only after the release has been read back and verified. */
typedef struct kanon_sink {
    uint32_t    size;
    const char *name;
    void       *user;
    kanon_status (*begin)(void *user, kanon_ctx *ctx);
    kanon_status (*write)(void *user, kanon_ctx *ctx, const void *bytes, size_t count);
    /** Makes all that was written durable and readable again: *back reads it from the beginning and
     *  stays valid until commit or abandon. */
    kanon_status (*read_back)(void *user, kanon_ctx *ctx, kanon_source *back);
    kanon_status (*commit)(void *user, kanon_ctx *ctx);
    /** Discards everything since begin; also safe before begin, after commit, and twice. */
    void (*abandon)(void *user);
    void (*release)(void *user);
} kanon_sink;

/** A file; gzip is recognised by its content. */
KANON_API kanon_status kanon_source_file(kanon_ctx *ctx, const char *path, kanon_source **out);
/** Bytes that the caller keeps alive and unchanged. */
KANON_API kanon_status kanon_source_memory(kanon_ctx *ctx, const char *name, const void *bytes,
                                           size_t count, kanon_source **out);
/** An open descriptor such as standard input. Its bytes are spooled to a private, nameless temporary
 *  file during the first pass. The descriptor is not closed. */
KANON_API kanon_status kanon_source_fd(kanon_ctx *ctx, const char *name, int fd,
                                       kanon_source **out);
KANON_API void         kanon_source_free(kanon_source *source);

/** A file, written to a private one in the same folder (nameless where the file system allows it) that
 *  takes its name at commit. */
KANON_API kanon_status kanon_sink_file(kanon_ctx *ctx, const char *path, kanon_sink **out);
/** Memory; read it with kanon_sink_bytes() after the job. */
KANON_API kanon_status kanon_sink_memory(kanon_ctx *ctx, kanon_sink **out);
/** An open descriptor such as standard output: spooled, verified, then copied out by commit. */
KANON_API kanon_status kanon_sink_fd(kanon_ctx *ctx, const char *name, int fd, kanon_sink **out);
/** Borrowed; valid until the sink is freed. *count is 0 before commit. */
KANON_API const void *kanon_sink_bytes(const kanon_sink *sink, size_t *count);
KANON_API void        kanon_sink_free(kanon_sink *sink);

/** What a result is written as. Not every result has every format: KANON_E_UNSUPPORTED says which it has. */
typedef enum kanon_format {
    KANON_FORMAT_JSON, /**< for programs; the schemas are docs/NAME.schema.json */
    KANON_FORMAT_TEXT, /**< for people, as the tool prints it */
    KANON_FORMAT_HTML, /**< for people, with plots: one file that loads nothing */
    KANON_FORMAT_CSV   /**< a line for each point of a front */
} kanon_format;
#define KANON_FORMATS 4

KANON_END_DECLS
#endif

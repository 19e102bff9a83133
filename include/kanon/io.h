/* SPDX-License-Identifier: Apache-2.0 */
/* io.h -- where tables come from and where releases go: small function tables, so that the library treats
 * files, memory buffers and your own implementations alike.
 *
 *     const char table[] = "age,ill\n31,flu\n32,flu\n";
 *     size_t     count;
 *     kanon_source_memory(ctx, "table", table, sizeof table - 1, &source);
 *     kanon_sink_memory(ctx, &sink);
 *     if (kanon_anonymize(ctx, config, source, sink, &result) == KANON_OK)
 *         fwrite(kanon_sink_bytes(sink, &count), 1, count, stdout);
 *
 * Ownership: what a call makes is yours; it uses memory of the context, so free it before the context.
 * Threads: a source or sink serves one job at a time. Functions of your own are called from the thread that
 * runs the job.
 * Errors: KANON_E_IO where a file cannot be opened, read or written, KANON_E_NOMEM, KANON_E_INVALID for a
 * missing argument; a job passes on what your own functions return. */
#ifndef KANON_IO_H
#define KANON_IO_H

#include "kanon/ctx.h"

KANON_BEGIN_DECLS

/** A table that can be read from the beginning more than once (a job reads it twice). To implement your own,
 *  fill in this struct and set size to sizeof(kanon_source). Return a negative status on errors. */
typedef struct kanon_source {
    uint32_t    size;
    const char *name; /**< for messages and the report */
    void       *user;
    /** Starts a pass at the first byte. */
    kanon_status (*open)(void *user, kanon_ctx *ctx, void **stream);
    /** Reads up to capacity bytes; *got == 0 means the end. */
    kanon_status (*read)(void *stream, kanon_ctx *ctx, void *buffer, size_t capacity, size_t *got);
    void (*close)(void *stream);
    /** Total number of bytes, or 0 if unknown; may be NULL. */
    uint64_t (*length)(void *user);
    /** Releases user; may be NULL. */
    void (*release)(void *user);
} kanon_source;

/** A destination for a release. Nothing becomes visible under its name before commit, which the library
 *  calls only after it has read the release back and verified it. */
typedef struct kanon_sink {
    uint32_t    size;
    const char *name;
    void       *user;
    kanon_status (*begin)(void *user, kanon_ctx *ctx);
    kanon_status (*write)(void *user, kanon_ctx *ctx, const void *bytes, size_t count);
    /** Makes everything written durable and readable: *back reads it from the beginning and stays valid
     *  until commit or abandon. */
    kanon_status (*read_back)(void *user, kanon_ctx *ctx, kanon_source *back);
    kanon_status (*commit)(void *user, kanon_ctx *ctx);
    /** Discards everything since begin. May be called before begin, after commit, and twice. */
    void (*abandon)(void *user);
    void (*release)(void *user);
} kanon_sink;

/** A file; gzip is recognised by its content. */
KANON_API kanon_status kanon_source_file(kanon_ctx *ctx, const char *path, kanon_source **out);
/** Bytes in memory. The caller keeps them alive and unchanged. */
KANON_API kanon_status kanon_source_memory(kanon_ctx *ctx, const char *name, const void *bytes,
                                           size_t count, kanon_source **out);
/** An open descriptor such as standard input. Its bytes are spooled to a private, nameless temporary
 *  file during the first pass. The descriptor is not closed. */
KANON_API kanon_status kanon_source_fd(kanon_ctx *ctx, const char *name, int fd,
                                       kanon_source **out);
KANON_API void         kanon_source_free(kanon_source *source);

/** A file. The bytes go to a private file in the same folder (without a name if the file system allows it),
 *  which is renamed at commit. */
KANON_API kanon_status kanon_sink_file(kanon_ctx *ctx, const char *path, kanon_sink **out);
/** Memory; read it with kanon_sink_bytes() after the job. */
KANON_API kanon_status kanon_sink_memory(kanon_ctx *ctx, kanon_sink **out);
/** An open descriptor such as standard output: spooled, verified, then copied out by commit. */
KANON_API kanon_status kanon_sink_fd(kanon_ctx *ctx, const char *name, int fd, kanon_sink **out);
/** Borrowed; valid until the sink is freed. *count is 0 before commit. */
KANON_API const void *kanon_sink_bytes(const kanon_sink *sink, size_t *count);
KANON_API void        kanon_sink_free(kanon_sink *sink);

/** Output formats. Not every result supports each of them: the message of KANON_E_UNSUPPORTED lists those it
 *  does. */
typedef enum kanon_format {
    KANON_FORMAT_JSON, /**< for programs; the schemas are docs/NAME.schema.json */
    KANON_FORMAT_TEXT, /**< for people, as the tool prints it: of a release, its verdict in five lines */
    KANON_FORMAT_HTML, /**< for people, with plots: one file that loads nothing */
    KANON_FORMAT_CSV,  /**< a line for each point of a front */
    KANON_FORMAT_DETAILS /**< text with all figures behind the verdict, as the tool prints it with -v */
} kanon_format;
#define KANON_FORMATS 5

KANON_END_DECLS
#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* ctx.h -- one context per thread or request: memory, the last error, warnings, progress.
 *
 *     kanon_ctx_options options = KANON_CTX_OPTIONS_INIT;
 *     options.temp_dir = "/srv/private"; // where standard input is spooled to
 *     if (kanon_ctx_new(&options, &ctx) < 0)
 *         return 1;
 *     if (kanon_source_file(ctx, "people.csv", &source) < 0)
 *         fprintf(stderr, "%s\n", kanon_ctx_message(ctx));
 *     kanon_source_free(source);
 *     for (size_t i = 0; i < kanon_ctx_warning_count(ctx); i++)
 *         fprintf(stderr, "warning: %s\n", kanon_ctx_warning(ctx, i));
 *     kanon_ctx_free(ctx);
 *
 * Threads: there is no global state, and contexts are independent of each other. Use a context, and
 * everything made with it, from one thread at a time. Results are the exception: several threads may read
 * one as long as every path they ask for exists (result.h).
 * Ownership: messages, details and warnings are borrowed; a message is valid until the next failure. */
#ifndef KANON_CTX_H
#define KANON_CTX_H

#include <stddef.h>
#include <stdint.h>

#include "kanon/status.h"

KANON_BEGIN_DECLS

typedef struct kanon_ctx kanon_ctx;

/** Where memory comes from. The functions behave like malloc, realloc and free, and must be safe to
 *  call from several threads when the job runs with more than one. */
typedef struct kanon_allocator {
    void *user;
    void *(*allocate)(void *user, size_t bytes);
    void *(*reallocate)(void *user, void *block, size_t bytes);
    void (*release)(void *user, void *block);
} kanon_allocator;

/** What a long call reports while it runs. */
typedef struct kanon_progress {
    uint32_t    size;        /**< sizeof(kanon_progress) of the library */
    const char *stage;       /**< "read", "search", "write", "verify" ... */
    double      fraction;    /**< 0..1; negative if unknown */
    uint64_t    rows;        /**< rows handled so far in this stage */
    uint64_t    evaluations; /**< nodes checked, or costs computed, so far (search) */
    double      best;        /**< loss of the best answer so far (search), or negative */
    double      bound;       /**< no answer has a smaller loss (search), or negative */
} kanon_progress;

/** What a progress callback may return. Any other value also cancels.
 *  ENOUGH in the stage "search" ends the search; the call continues with the best answer so far (there is
 *  one unless the job is infeasible). In other stages it means GO_ON.
 *  CANCEL stops the call: it returns KANON_E_CANCELLED and leaves nothing behind. */
enum { KANON_PROGRESS_GO_ON = 0, KANON_PROGRESS_CANCEL = 1, KANON_PROGRESS_ENOUGH = 2 };

/** Called at most about ten times a second, always from the thread that made the call.
 *  @return one of KANON_PROGRESS_... */
typedef int (*kanon_progress_fn)(void *user, const kanon_progress *progress);

/** Zero means default for every field; start from KANON_CTX_OPTIONS_INIT. */
typedef struct kanon_ctx_options {
    uint32_t               size;
    const kanon_allocator *allocator; /**< copied; NULL: malloc */
    const char            *temp_dir;  /**< copied; for spooled input; NULL: /var/tmp */
    kanon_progress_fn      progress;
    void                  *progress_user; /**< handed to progress */
    uint32_t text_width; /**< columns that a text report may have; 0: its own choice */
} kanon_ctx_options;
#define KANON_CTX_OPTIONS_INIT                                                                     \
    {                                                                                              \
        sizeof(kanon_ctx_options), NULL, NULL, NULL, NULL, 0                                       \
    }

/** @param options  may be NULL
 *  @param[out] out owned by the caller; release with kanon_ctx_free() after everything made with it
 *  @return KANON_E_NOMEM; KANON_E_INVALID if out is NULL or options->size is too small */
KANON_API kanon_status kanon_ctx_new(const kanon_ctx_options *options, kanon_ctx **out);
KANON_API void         kanon_ctx_free(kanon_ctx *ctx);

/** The last failure in one line, with its place: "ages.csv:17: 4 fields, expected 3". Empty if none. */
KANON_API const char *kanon_ctx_message(const kanon_ctx *ctx);
/** The file of the last failure and its line; NULL and 0 where the failure is not in a file. */
KANON_API const char *kanon_ctx_place(const kanon_ctx *ctx, uint64_t *line);

/** Details that do not fit into that line, such as the columns a message is about: the index-th of them, NULL
 *  past the end. Few failures have any. Borrowed until the next failure. */
KANON_API const char *kanon_ctx_detail(const kanon_ctx *ctx, size_t index);

/** Warnings since the context was made, one line each, oldest first. A context keeps at most 200: a running
 *  job pushes out those of earlier jobs. Each result keeps its own in `findings`. */
KANON_API size_t      kanon_ctx_warning_count(const kanon_ctx *ctx);
KANON_API const char *kanon_ctx_warning(const kanon_ctx *ctx, size_t index);

KANON_END_DECLS
#endif

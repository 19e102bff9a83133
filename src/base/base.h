/* SPDX-License-Identifier: Apache-2.0 */
/* base.h -- the foundation: memory, failures, warnings and progress of a context. It knows nothing of the
 * domain except the list of findings (finding.h). All other folders allocate through the context and fail
 * through kn_fail(). */
#ifndef KN_BASE_H
#define KN_BASE_H

#include <assert.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/finding.h"
#include "kanon/ctx.h"

#define KN_NO_CODE UINT32_MAX
#define KN_COUNT(array) (sizeof(array) / sizeof((array)[0]))

/** 0 to 9, in every locale. */
static inline bool
kn_is_digit(char c)
{
    return c >= '0' && c <= '9';
}
#define KN_UNUSED(x) ((void) (x))
#if defined(__GNUC__)
#define KN_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#define KN_LIKELY(x) __builtin_expect(!!(x), 1)
#define KN_UNLIKELY(x) __builtin_expect(!!(x), 0)
#else
#define KN_PRINTF(fmt, args)
#define KN_LIKELY(x) (x)
#define KN_UNLIKELY(x) (x)
#endif

/** The only macro that changes the flow: on failure go to `out` with rc set. */
#define KN_TRY(call)                                                                               \
    do {                                                                                           \
        rc = (call);                                                                               \
        if (KN_UNLIKELY(rc < 0))                                                                   \
            goto out;                                                                              \
    } while (0)

/** What an allocation is to KN_TRY: KN_TRY(KN_HAVE(a && b)). */
#define KN_HAVE(all) ((all) ? KANON_OK : KANON_E_NOMEM)

/** A piece of text that is neither owned nor terminated. */
typedef struct kn_str {
    const char *ptr;
    size_t      len;
} kn_str;
#define KN_STR(literal) ((kn_str){ (literal), sizeof(literal) - 1 })
/** For "%.*s". */
#define KN_ARG(s) ((int) ((s).len > 1000 ? 1000 : (s).len)), ((s).ptr ? (s).ptr : "")

static inline kn_str
kn_str_of(const char *text)
{
    return (kn_str){ text, text ? strlen(text) : 0 };
}

/** memcmp(a, b, n) == 0 without the call for the short texts that cells are: two loads that overlap. */
static inline bool
kn_bytes_equal(const char *a, const char *b, size_t n)
{
    uint64_t a8[2], b8[2];
    uint32_t a4[2], b4[2];

    if (n > 16)
        return memcmp(a, b, n) == 0;
    if (n >= 8) {
        memcpy(&a8[0], a, 8);
        memcpy(&b8[0], b, 8);
        memcpy(&a8[1], a + n - 8, 8);
        memcpy(&b8[1], b + n - 8, 8);
        return a8[0] == b8[0] && a8[1] == b8[1];
    }
    if (n >= 4) {
        memcpy(&a4[0], a, 4);
        memcpy(&b4[0], b, 4);
        memcpy(&a4[1], a + n - 4, 4);
        memcpy(&b4[1], b + n - 4, 4);
        return a4[0] == b4[0] && a4[1] == b4[1];
    }
    return n == 0 || (a[0] == b[0] && a[n / 2] == b[n / 2] && a[n - 1] == b[n - 1]);
}

static inline bool
kn_str_equal(kn_str a, kn_str b)
{
    return a.len == b.len && kn_bytes_equal(a.ptr, b.ptr, a.len);
}

/** Bytewise order, as memcmp, the shorter first among equals. */
int kn_str_compare(kn_str a, kn_str b);

/* --- memory: NULL only after the failure has been recorded in the context ------------------- */

void *kn_alloc(kanon_ctx *ctx, size_t bytes);
/** Zeroed; fails when count * size overflows. */
void *kn_alloc_array(kanon_ctx *ctx, size_t count, size_t size);
void *kn_realloc_array(kanon_ctx *ctx, void *block, size_t count, size_t size);
void  kn_free(kanon_ctx *ctx, void *block);
char *kn_strdup(kanon_ctx *ctx, const char *text);
/** Terminated copy. */
char *kn_strndup(kanon_ctx *ctx, kn_str text);

#define KN_NEW(ctx, type) ((type *) kn_alloc_array((ctx), 1, sizeof(type)))
#define KN_NEW_ARRAY(ctx, type, count) ((type *) kn_alloc_array((ctx), (count), sizeof(type)))

/** Grows an array to hold at least `need` elements (doubling), keeps *capacity.
 *  @return KANON_E_NOMEM with the array untouched */
kanon_status kn_grow(kanon_ctx *ctx, void **array, size_t *capacity, size_t need, size_t size);

/* --- failures and warnings --------------------------------------------------------------------- */

/** Records a failure in one line and returns it, so that `return kn_fail(...)` reads well. The last
 *  one wins: set it once, where the fact is known. */
kanon_status kn_fail(kanon_ctx *ctx, kanon_status status, const char *format, ...) KN_PRINTF(3, 4);
/** As kn_fail, with a place: the message becomes "FILE:LINE: text" (line 0: "FILE: text"). */
kanon_status kn_fail_at(kanon_ctx *ctx, kanon_status status, const char *file, uint64_t line,
                        const char *format, ...) KN_PRINTF(5, 6);
/** Gives the last failure a place, if it has none and file is not NULL. @return status */
kanon_status kn_fail_place(kanon_ctx *ctx, kanon_status status, const char *file, uint64_t line);
/** Adds a line to the last failure, behind its message: see kanon_ctx_detail(). */
kanon_status kn_fail_detail(kanon_ctx *ctx, const char *line);
kanon_status kn_fail_nomem(kanon_ctx *ctx);
/** As kn_fail_at with KANON_E_IO; appends the system's text for errno. */
kanon_status kn_fail_errno(kanon_ctx *ctx, const char *file, const char *what, int error);
/** Stands in the format of a warning between what is wrong and what to do, and reads "; ". */
#define KN_DO ";\x1d"
/** Keeps a warning (at most 200, equal ones once) as a finding without a figure. What stands behind KN_DO
 *  is its remedy; without that it has the remedy of its code. Never fails. */
void kn_warn(kanon_ctx *ctx, kn_finding_code code, kn_finding_place place, const char *format, ...)
    KN_PRINTF(4, 5);
/** Of the job that runs; NULL past the end. The words are those of kanon_ctx_warning(). */
const kn_finding *kn_ctx_warning(const kanon_ctx *ctx, size_t index);
/** The job has its result: what is warned of from now on belongs to the next one. */
void kn_job_over(kanon_ctx *ctx);

/** For memory that is released without the context, perhaps after it. */
kanon_allocator kn_ctx_allocator(const kanon_ctx *ctx);
const char     *kn_ctx_temp_dir(const kanon_ctx *ctx);
/** A number that nobody can foresee, the same as long as the context lives: for hash tables (base/hash.h). */
uint64_t kn_ctx_hash_seed(const kanon_ctx *ctx);
/** Columns that a text report may have; 0: nobody said. */
uint32_t kn_ctx_text_width(const kanon_ctx *ctx);

/* --- progress ---------------------------------------------------------------------------------- */

/** Tells the callback how far a stage is, at most about ten times a second (a change of stage at once).
 *  Call it freely: it costs a clock reading. @return KANON_E_CANCELLED when asked to stop */
kanon_status kn_progress(kanon_ctx *ctx, const kanon_progress *now);
/** The same for a stage that can end early with what it has: *enough becomes true when that is asked for. */
kanon_status kn_progress_enough(kanon_ctx *ctx, const kanon_progress *now, bool *enough);

/* --- chance ---------------------------------------------------------------------------------- */

/** Bytes that nobody can foresee, from the operating system. @return 0, or the errno where it has none to
 *  give: then nothing may be released that relies on them */
int kn_random_bytes(void *bytes, size_t count);

/* --- time ------------------------------------------------------------------------------------ */

/** Seconds of a monotonic clock. */
double kn_seconds(void);

#endif

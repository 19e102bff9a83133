/* SPDX-License-Identifier: Apache-2.0 */
/* ctx.c -- the context: allocator, last failure, warnings, progress.
 * The message lives in a fixed buffer, so that "out of memory" can always be said. */
#include "base/base.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>

#include "base/text.h"

enum { MESSAGE_BYTES = 2048, WARNINGS_MOST = 200, FORMAT_MOST = 512 };
static const double PROGRESS_INTERVAL_S = 0.1;

typedef struct kept_warning {
    char      *line; /* what and what to do; its block holds the texts of the finding, too */
    kn_finding finding;
} kept_warning;

struct kanon_ctx {
    kanon_allocator   allocator;
    pthread_mutex_t   turn; /* workers ask for memory and fail one at a time */
    char             *temp_dir;
    kanon_progress_fn progress;
    void             *progress_user;
    uint32_t          text_width;
    uint64_t          hash_seed;
    const char       *progress_stage;
    double            progress_at;
    char              message[MESSAGE_BYTES];
    char              place[MESSAGE_BYTES / 4];
    uint64_t          line;
    kept_warning      warnings[WARNINGS_MOST];
    size_t            nwarnings;
    size_t            nearlier;      /* the first ones: of jobs that are over */
    char   spare[2 * MESSAGE_BYTES]; /* of the first warning for which there was no memory */
    char  *details;                  /* of the last failure, each with its NUL */
    size_t details_used, details_capacity;
};

static void *
system_allocate(void *user, size_t bytes)
{
    KN_UNUSED(user);
    return malloc(bytes);
}

static void *
system_reallocate(void *user, void *block, size_t bytes)
{
    KN_UNUSED(user);
    return realloc(block, bytes);
}

static void
system_release(void *user, void *block)
{
    KN_UNUSED(user);
    free(block);
}

int
kn_random_bytes(void *bytes, size_t count)
{
    for (size_t have = 0; have < count;) {
        ssize_t got = getrandom((char *) bytes + have, count - have, 0);

        if (got < 0 && errno != EINTR)
            return errno;
        if (got > 0)
            have += (size_t) got;
    }
    return 0;
}

/* Where the system has no random bytes to give, the time and where the memory lies must do: they are hard to
 * foresee, too. */
static uint64_t
choose_seed(const void *somewhere)
{
    struct timespec now = { 0, 0 };
    uint64_t        seed = 0;

    if (getentropy(&seed, sizeof seed) == 0)
        return seed;
    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t) now.tv_nsec << 32 ^ (uint64_t) now.tv_sec ^ (uint64_t) (uintptr_t) somewhere;
}

kanon_status
kanon_ctx_new(const kanon_ctx_options *options, kanon_ctx **out)
{
    static const kanon_allocator system_allocator = { NULL, system_allocate, system_reallocate,
                                                      system_release };
    const kanon_allocator       *allocator = &system_allocator;
    kanon_ctx                   *ctx;

    if (!out)
        return KANON_E_INVALID;
    *out = NULL;
    if (options && options->size < sizeof *options)
        return KANON_E_INVALID;
    if (options && options->allocator)
        allocator = options->allocator;
    ctx = allocator->allocate(allocator->user, sizeof *ctx);
    if (!ctx)
        return KANON_E_NOMEM;
    memset(ctx, 0, sizeof *ctx);
    ctx->allocator = *allocator;
    ctx->hash_seed = choose_seed(ctx);
    if (pthread_mutex_init(&ctx->turn, NULL) != 0) {
        allocator->release(allocator->user, ctx);
        return KANON_E_NOMEM;
    }
    if (options) {
        ctx->progress = options->progress;
        ctx->progress_user = options->progress_user;
        ctx->text_width = options->text_width;
    }
    ctx->temp_dir = kn_strdup(ctx, options && options->temp_dir ? options->temp_dir : "/var/tmp");
    if (!ctx->temp_dir) {
        kanon_ctx_free(ctx);
        return KANON_E_NOMEM;
    }
    *out = ctx;
    return KANON_OK;
}

void
kanon_ctx_free(kanon_ctx *ctx)
{
    kanon_allocator allocator;

    if (!ctx)
        return;
    for (size_t i = 0; i < ctx->nwarnings; i++)
        if (ctx->warnings[i].line != ctx->spare)
            kn_free(ctx, ctx->warnings[i].line);
    kn_free(ctx, ctx->temp_dir);
    kn_free(ctx, ctx->details);
    allocator = ctx->allocator;
    pthread_mutex_destroy(&ctx->turn);
    allocator.release(allocator.user, ctx);
}

const char *
kanon_ctx_message(const kanon_ctx *ctx)
{
    return ctx ? ctx->message : "";
}

const char *
kanon_ctx_place(const kanon_ctx *ctx, uint64_t *line)
{
    if (line)
        *line = ctx->line;
    return ctx->place[0] ? ctx->place : NULL;
}

const char *
kanon_ctx_detail(const kanon_ctx *ctx, size_t index)
{
    size_t at = 0;

    if (!ctx)
        return NULL;
    while (index && at < ctx->details_used) {
        at += strlen(ctx->details + at) + 1;
        index--;
    }
    return at < ctx->details_used ? ctx->details + at : NULL;
}

size_t
kanon_ctx_warning_count(const kanon_ctx *ctx)
{
    return ctx->nwarnings;
}

const char *
kanon_ctx_warning(const kanon_ctx *ctx, size_t index)
{
    return index < ctx->nwarnings ? ctx->warnings[index].line : NULL;
}

const kn_finding *
kn_ctx_warning(const kanon_ctx *ctx, size_t index)
{
    return index < ctx->nwarnings - ctx->nearlier ? &ctx->warnings[ctx->nearlier + index].finding
                                                  : NULL;
}

uint64_t
kn_ctx_hash_seed(const kanon_ctx *ctx)
{
    return ctx->hash_seed;
}

uint32_t
kn_ctx_text_width(const kanon_ctx *ctx)
{
    return ctx->text_width;
}

kanon_allocator
kn_ctx_allocator(const kanon_ctx *ctx)
{
    return ctx->allocator;
}

const char *
kn_ctx_temp_dir(const kanon_ctx *ctx)
{
    return ctx->temp_dir;
}

/* --- memory ------------------------------------------------------------------------------------ */

/* An allocator that the caller brought is asked by one thread at a time: it need not know of threads. The
 * system's own does. */
static void
take_turn(kanon_ctx *ctx)
{
    if (ctx->allocator.allocate != system_allocate)
        pthread_mutex_lock(&ctx->turn);
}

static void
end_turn(kanon_ctx *ctx)
{
    if (ctx->allocator.allocate != system_allocate)
        pthread_mutex_unlock(&ctx->turn);
}

void *
kn_alloc(kanon_ctx *ctx, size_t bytes)
{
    void *block;

    take_turn(ctx);
    block = ctx->allocator.allocate(ctx->allocator.user, bytes ? bytes : 1);
    end_turn(ctx);
    if (!block)
        kn_fail_nomem(ctx);
    return block;
}

void *
kn_alloc_array(kanon_ctx *ctx, size_t count, size_t size)
{
    void *block;

    if (size && count > SIZE_MAX / size) {
        kn_fail_nomem(ctx);
        return NULL;
    }
    if (ctx->allocator.allocate == system_allocate) {
        /* memory from the system is zero already, and pages that nobody touches cost nothing */
        block = calloc(count && size ? count : 1, count && size ? size : 1);
        if (!block)
            kn_fail_nomem(ctx);
        return block;
    }
    block = kn_alloc(ctx, count * size);
    if (block)
        memset(block, 0, count * size);
    return block;
}

void *
kn_realloc_array(kanon_ctx *ctx, void *block, size_t count, size_t size)
{
    void  *bigger = NULL;
    size_t bytes = count * size;

    take_turn(ctx);
    if (!size || count <= SIZE_MAX / size)
        bigger = ctx->allocator.reallocate(ctx->allocator.user, block, bytes ? bytes : 1);
    end_turn(ctx);
    if (!bigger)
        kn_fail_nomem(ctx);
    return bigger;
}

void
kn_free(kanon_ctx *ctx, void *block)
{
    if (!block)
        return;
    take_turn(ctx);
    ctx->allocator.release(ctx->allocator.user, block);
    end_turn(ctx);
}

char *
kn_strndup(kanon_ctx *ctx, kn_str text)
{
    char *copy = kn_alloc(ctx, text.len + 1);

    assert(text.ptr || !text.len);
    if (copy) {
        if (text.len)
            memcpy(copy, text.ptr, text.len);
        copy[text.len] = 0;
    }
    return copy;
}

char *
kn_strdup(kanon_ctx *ctx, const char *text)
{
    return kn_strndup(ctx, kn_str_of(text));
}

kanon_status
kn_grow(kanon_ctx *ctx, void **array, size_t *capacity, size_t need, size_t size)
{
    size_t bigger = *capacity ? *capacity : 16;
    void  *block;

    assert(size > 0 && (*array || !*capacity));
    if (need <= *capacity)
        return KANON_OK;
    while (bigger < need)
        bigger = bigger > SIZE_MAX / 2 ? need : bigger * 2;
    block = kn_realloc_array(ctx, *array, bigger, size);
    if (!block)
        return KANON_E_NOMEM;
    *array = block;
    *capacity = bigger;
    return KANON_OK;
}

int
kn_str_compare(kn_str a, kn_str b)
{
    size_t shorter = a.len < b.len ? a.len : b.len;
    int    order = shorter ? memcmp(a.ptr, b.ptr, shorter) : 0;

    if (order)
        return order;
    return a.len < b.len ? -1 : a.len > b.len;
}

/* --- failures and warnings --------------------------------------------------------------------- */

/* Would a terminal obey this character instead of showing it? The controls beyond ASCII are U+0080 to
 * U+009F. */
static bool
is_control(const char *character)
{
    unsigned char lead = (unsigned char) character[0];

    return lead < 0x20 || lead == 0x7f || (lead == 0xc2 && (unsigned char) character[1] < 0xa0);
}

/* One line, printable: controls and bytes that are no UTF-8 become '?', and a cut multi-byte character is
 * dropped. */
static void
make_one_line(char *text)
{
    kn_str whole;
    char  *to = text;
    size_t step;

    kn_utf8_trim_tail(text, strlen(text));
    whole = kn_str_of(text);
    for (size_t at = 0; at < whole.len; at += step) {
        bool valid;

        step = kn_utf8_step(whole, at);
        valid = kn_utf8_check(text + at, step) == step;
        if (!valid)
            step = 1;
        if (!valid || is_control(text + at)) {
            *to++ = '?';
        } else {
            memmove(to, text + at, step);
            to += step;
        }
    }
    *to = 0;
}

/* Without a context only the status says what happened. */
static kanon_status
record(kanon_ctx *ctx, kanon_status status, const char *file, uint64_t line, const char *format,
       va_list args)
{
    size_t used = 0;

    if (!ctx)
        return status;
    pthread_mutex_lock(&ctx->turn);
    snprintf(ctx->place, sizeof ctx->place, "%s", file ? file : "");
    make_one_line(ctx->place);
    ctx->line = line;
    ctx->details_used = 0;
    if (ctx->place[0] && ctx->line)
        used = (size_t) snprintf(ctx->message, MESSAGE_BYTES, "%s:%llu: ", ctx->place,
                                 (unsigned long long) ctx->line);
    else if (ctx->place[0])
        used = (size_t) snprintf(ctx->message, MESSAGE_BYTES, "%s: ", ctx->place);
    if (used >= MESSAGE_BYTES)
        used = MESSAGE_BYTES - 1;
    vsnprintf(ctx->message + used, MESSAGE_BYTES - used, format, args);
    make_one_line(ctx->message);
    pthread_mutex_unlock(&ctx->turn);
    return status;
}

kanon_status
kn_fail(kanon_ctx *ctx, kanon_status status, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    status = record(ctx, status, NULL, 0, format, args);
    va_end(args);
    return status;
}

kanon_status
kn_fail_at(kanon_ctx *ctx, kanon_status status, const char *file, uint64_t line, const char *format,
           ...)
{
    va_list args;

    va_start(args, format);
    status = record(ctx, status, file, line, format, args);
    va_end(args);
    return status;
}

kanon_status
kn_fail_place(kanon_ctx *ctx, kanon_status status, const char *file, uint64_t line)
{
    char message[MESSAGE_BYTES];

    if (status >= 0 || !file || ctx->place[0])
        return status;
    memcpy(message, ctx->message, sizeof message);
    return kn_fail_at(ctx, status, file, line, "%s", message);
}

kanon_status
kn_fail_detail(kanon_ctx *ctx, const char *line)
{
    void  *details = ctx->details;
    size_t bytes = strlen(line) + 1;

    if (kn_grow(ctx, &details, &ctx->details_capacity, ctx->details_used + bytes, 1) < 0)
        return KANON_E_NOMEM;
    ctx->details = details;
    memcpy(ctx->details + ctx->details_used, line, bytes);
    make_one_line(ctx->details + ctx->details_used);
    ctx->details_used += strlen(ctx->details + ctx->details_used) + 1;
    return KANON_OK;
}

kanon_status
kn_fail_nomem(kanon_ctx *ctx)
{
    return kn_fail(ctx, KANON_E_NOMEM, "out of memory");
}

/* There are two functions called strerror_r: GNU's returns the text, POSIX's fills the buffer. */
static const char *
gnu_error_text(const char *text, const char *buffer)
{
    KN_UNUSED(buffer);
    return text;
}

static const char *
posix_error_text(int failed, const char *buffer)
{
    return failed ? "unknown error" : buffer;
}

#define ERROR_TEXT(result, buffer)                                                                 \
    _Generic((result), char * : gnu_error_text, int : posix_error_text)((result), (buffer))

kanon_status
kn_fail_errno(kanon_ctx *ctx, const char *file, const char *what, int error)
{
    char buffer[128];

    return kn_fail_at(ctx, KANON_E_IO, file, 0, "%s: %s", what,
                      ERROR_TEXT(strerror_r(error, buffer, sizeof buffer), buffer));
}

/* Its words and the name of its place in one block. cut: where its remedy begins, behind "; "; 0: none */
static void
keep_warning(kanon_ctx *ctx, kn_finding_code code, kn_finding_place place, const char *line,
             size_t cut)
{
    size_t words = strlen(line) + 1, head = cut ? cut - 1 : 0;
    size_t name = place.name ? strlen(place.name) + 1 : 0;
    char  *copy = ctx->allocator.allocate(ctx->allocator.user, words + head + name);

    if (!copy
        && !ctx->spare[0]) { /* or a report would silently lack it, should memory be there again */
        copy = ctx->spare;
        if (words + head + name > sizeof ctx->spare) { /* a name that no column has */
            place = KN_AT_JOB;
            head = cut = 0;
        }
    }
    if (!copy)
        return; /* a warning is worth less than the job: the next allocation tells */
    memcpy(copy, line, words);
    if (head) {
        memcpy(copy + words, line, head - 1);
        copy[words + head - 1] = 0;
    }
    if (place.name)
        place.name = memcpy(copy + words + head, place.name, name);
    ctx->warnings[ctx->nwarnings++] = (kept_warning){
        .line = copy,
        .finding = { .code = code,
                     .severity = kn_finding_classes[code].severity,
                     .place = place,
                     .what = head ? copy + words : copy,
                     .remedy = head ? copy + cut : NULL,
                     .figure = (double) NAN,
                     .told = true }
    };
}

/* Those of earlier jobs make room: a job's own warnings are what its caller must see. */
static void
forget_earlier(kanon_ctx *ctx)
{
    for (size_t i = 0; i < ctx->nearlier; i++)
        if (ctx->warnings[i].line != ctx->spare)
            kn_free(ctx, ctx->warnings[i].line);
    ctx->nwarnings -= ctx->nearlier;
    memmove(ctx->warnings, ctx->warnings + ctx->nearlier, ctx->nwarnings * sizeof *ctx->warnings);
    ctx->nearlier = 0;
}

void
kn_job_over(kanon_ctx *ctx)
{
    ctx->nearlier = ctx->nwarnings;
}

/* How many bytes the format makes of its part before KN_DO; 0: it has none. Foreign text that holds the
 * same bytes is no mark, so the line itself cannot be asked. */
static size_t
bytes_before_remedy(const char *format, va_list args)
{
    const char *mark = strstr(format, KN_DO);
    char        head[FORMAT_MOST];
    int         bytes;

    if (!mark)
        return 0;
    assert((size_t) (mark - format) < sizeof head);
    memcpy(head, format, (size_t) (mark - format));
    head[mark - format] = 0;
    bytes = vsnprintf(NULL, 0, head, args);
    return bytes < 0 ? 0 : (size_t) bytes;
}

/* "what is wrong; what to do", without control characters. @return where what to do begins; 0: nowhere */
static size_t
tidy(char *line, size_t before)
{
    char *remedy = line + before + strlen(KN_DO);

    if (!before || before + strlen(KN_DO) >= strlen(line)) {
        make_one_line(line);
        return 0;
    }
    make_one_line(remedy);
    line[before] = 0;
    make_one_line(line);
    before = strlen(line);
    memcpy(line + before, "; ", 2);
    memmove(line + before + 2, remedy, strlen(remedy) + 1);
    return before + 2;
}

void
kn_warn(kanon_ctx *ctx, kn_finding_code code, kn_finding_place place, const char *format, ...)
{
    char    line[MESSAGE_BYTES];
    size_t  cut;
    va_list args;

    assert(code < KN_FOUND_COUNT);
    va_start(args, format);
    cut = bytes_before_remedy(format, args);
    va_end(args);
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    cut = tidy(line, cut);
    for (size_t i = ctx->nearlier; i < ctx->nwarnings; i++)
        if (strcmp(ctx->warnings[i].line, line) == 0)
            return;
    if (ctx->nwarnings >= WARNINGS_MOST - 1 && ctx->nearlier)
        forget_earlier(ctx);
    if (ctx->nwarnings == WARNINGS_MOST)
        return;
    if (ctx->nwarnings == WARNINGS_MOST - 1) {
        snprintf(line, sizeof line, "there were more than %d warnings; the others are omitted",
                 WARNINGS_MOST - 1);
        code = KN_FOUND_MORE_WARNINGS;
        cut = 0;
        place = KN_AT_JOB;
    }
    keep_warning(ctx, code, place, line, cut);
}

/* --- progress and time ------------------------------------------------------------------------- */

double
kn_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double) now.tv_sec + 1e-9 * (double) now.tv_nsec;
}

kanon_status
kn_progress_enough(kanon_ctx *ctx, const kanon_progress *now, bool *enough)
{
    double time;
    int    answer;

    if (!ctx->progress)
        return KANON_OK;
    time = kn_seconds();
    if (ctx->progress_stage && strcmp(ctx->progress_stage, now->stage) == 0
        && time - ctx->progress_at < PROGRESS_INTERVAL_S)
        return KANON_OK;
    ctx->progress_stage = now->stage;
    ctx->progress_at = time;
    answer = ctx->progress(ctx->progress_user, now);
    if (answer == KANON_PROGRESS_ENOUGH)
        *enough = true;
    else if (answer != KANON_PROGRESS_GO_ON)
        return kn_fail(ctx, KANON_E_CANCELLED, "interrupted");
    return KANON_OK;
}

kanon_status
kn_progress(kanon_ctx *ctx, const kanon_progress *now)
{
    bool enough = false; /* this stage has nothing to be content with */

    return kn_progress_enough(ctx, now, &enough);
}

/* --- status ------------------------------------------------------------------------------------ */

const char *
kanon_status_text(kanon_status status)
{
    switch (status) {
#define STATUS_CASE(name, value, text)                                                             \
    case KANON_##name:                                                                             \
        return text;
        KANON_STATUS_LIST(STATUS_CASE)
#undef STATUS_CASE
    }
    return "unknown status";
}

const char *
kanon_version(void)
{
    return KANON_VERSION_STRING;
}

int
kanon_version_number(void)
{
    return KANON_VERSION_NUMBER;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* status.h -- what a call can answer. One list makes the enum, the names and the manual's table.
 *
 *     kanon_status rc = kanon_config_set(config, "k", "five");
 *     if (rc < 0) // "a setting or argument is wrong", and the line that says which
 *         fprintf(stderr, "%s: %s\n", kanon_status_text(rc), kanon_ctx_message(ctx));
 *
 * Everything here is static: valid for ever, from any thread. */
#ifndef KANON_STATUS_H
#define KANON_STATUS_H

#ifdef __cplusplus
#define KANON_BEGIN_DECLS extern "C" {
#define KANON_END_DECLS }
#else
#define KANON_BEGIN_DECLS
#define KANON_END_DECLS
#endif

#if defined(__GNUC__)
#define KANON_API __attribute__((visibility("default")))
#else
#define KANON_API
#endif

KANON_BEGIN_DECLS

/** name, value, what it means. Negative values are failures; "no feasible release" is not one of
 *  them: that is an outcome of a job (kanon_outcome), not a failure of a call. */
#define KANON_STATUS_LIST(X)                                                                       \
    X(OK, 0, "done")                                                                               \
    X(E_INVALID, -1, "a setting or argument is wrong")                                             \
    X(E_PARSE, -2, "the input is malformed; the message names file and line")                      \
    X(E_IO, -3, "reading or writing failed")                                                       \
    X(E_NOMEM, -4, "out of memory")                                                                \
    X(E_CANCELLED, -5, "the progress callback asked to stop")                                      \
    X(E_UNSUPPORTED, -6, "this build or this version cannot do it")                                \
    X(E_VERIFY, -7, "the release did not pass the independent check and was discarded")            \
    X(E_INTERNAL, -8, "two computations that must agree do not; please report it")

typedef enum kanon_status {
#define KANON_STATUS_ENUM(name, value, text) KANON_##name = value,
    KANON_STATUS_LIST(KANON_STATUS_ENUM)
#undef KANON_STATUS_ENUM
} kanon_status;

/** The meaning of a status in a few words; never NULL. */
KANON_API const char *kanon_status_text(kanon_status status);

/** The version of these headers. The build refuses one that differs from its own. */
#define KANON_VERSION_MAJOR 0
#define KANON_VERSION_MINOR 2
#define KANON_VERSION_PATCH 0
/** The same as one number that grows with every version, for #if: 0.2.0 is 200. */
#define KANON_VERSION_NUMBER                                                                       \
    (KANON_VERSION_MAJOR * 10000 + KANON_VERSION_MINOR * 100 + KANON_VERSION_PATCH)
#define KANON_VERSION_STRING "0.2.0"

/** The version of the library that is loaded, which may be newer than the headers a program was built with:
 *  "0.2.0", and as KANON_VERSION_NUMBER counts. */
KANON_API const char *kanon_version(void);
KANON_API int         kanon_version_number(void);

KANON_END_DECLS
#endif

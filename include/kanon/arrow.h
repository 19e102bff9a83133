/* SPDX-License-Identifier: Apache-2.0 */
/* arrow.h -- the Arrow C data and stream interfaces: how tables in memory pass between libraries.
 *
 * The three structs are those of https://arrow.apache.org/docs/format/CDataInterface.html, word for word and
 * under the guards that the standard prescribes, so this header may stand beside Arrow's own, nanoarrow's or
 * anybody's. No Arrow library is needed to build or to use libkanon.
 *
 *     struct ArrowArray batch;
 *     while (stream->get_next(stream, &batch) == 0 && batch.release) {
 *         printf("%lld rows\n", (long long) batch.length);
 *         batch.release(&batch);
 *     }
 *     stream->release(stream);
 *
 * Whoever holds a struct calls its release once; a struct that was handed on has release = NULL. The standard
 * leaves threads to the producer: streams that libkanon makes may be read by any one thread at a time,
 * without their table or context (table.h). examples/arrow.c is a complete program. */
#ifndef KANON_ARROW_H
#define KANON_ARROW_H

#include <stdint.h>

#include "kanon/status.h"

KANON_BEGIN_DECLS

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
    /* Array type description */
    const char          *format;
    const char          *name;
    const char          *metadata;
    int64_t              flags;
    int64_t              n_children;
    struct ArrowSchema **children;
    struct ArrowSchema  *dictionary;

    /* Release callback */
    void (*release)(struct ArrowSchema *);
    /* Opaque producer-specific data */
    void *private_data;
};

struct ArrowArray {
    /* Array data description */
    int64_t             length;
    int64_t             null_count;
    int64_t             offset;
    int64_t             n_buffers;
    int64_t             n_children;
    const void        **buffers;
    struct ArrowArray **children;
    struct ArrowArray  *dictionary;

    /* Release callback */
    void (*release)(struct ArrowArray *);
    /* Opaque producer-specific data */
    void *private_data;
};

#endif /* ARROW_C_DATA_INTERFACE */

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
    /* Callback to get the stream type (will be the same for all arrays in the stream). */
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
    /* Callback to get the next array (if no error and the array is released, the stream has ended) */
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
    /* Callback to get optional detailed error information. */
    const char *(*get_last_error)(struct ArrowArrayStream *);

    /* Release callback */
    void (*release)(struct ArrowArrayStream *);
    /* Opaque producer-specific data */
    void *private_data;
};

#endif /* ARROW_C_STREAM_INTERFACE */

KANON_END_DECLS
#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* starter.h -- writes a first config for a table.
 *
 *     kanon_sink_file(ctx, "people.yaml", &sink);
 *     if (kanon_starter_write(ctx, NULL, source, sink) < 0)
 *         fprintf(stderr, "%s\n", kanon_ctx_message(ctx));
 *
 * Source and sink stay yours. As every job it uses its context, and so one thread. */
#ifndef KANON_STARTER_H
#define KANON_STARTER_H

#include "kanon/config.h"

KANON_BEGIN_DECLS

/** Looks at a table and writes a commented YAML config: what each column holds, its role with the
 *  reason and a confidence, a hierarchy for each quasi-identifier. Contains no cell of the table but
 *  frequent words and numbers, which it proposes as spellings of "missing" to be checked.
 *  @param config  only the CSV dialect is used; may be NULL
 *  @return KANON_E_PARSE for a malformed table, KANON_E_IO, KANON_E_NOMEM, KANON_E_CANCELLED; nothing is
 *          written then */
KANON_API kanon_status kanon_starter_write(kanon_ctx *ctx, const kanon_config *config,
                                           const kanon_source *source, kanon_sink *sink);

KANON_END_DECLS
#endif

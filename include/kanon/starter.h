/* SPDX-License-Identifier: Apache-2.0 */
/* starter.h -- a first config for a table that nobody has described yet. */
#ifndef KANON_STARTER_H
#define KANON_STARTER_H

#include "kanon/config.h"

KANON_BEGIN_DECLS

/** Looks at a table and writes a commented YAML config: types inferred, roles proposed with the
 *  reason, a hierarchy for each quasi-identifier. Contains no cell of the table but
 *  frequent words among numbers or dates, which it proposes as spellings of "missing" to be checked.
 *  @param config  only the CSV dialect is used; may be NULL */
KANON_API kanon_status kanon_starter_write(kanon_ctx *ctx, const kanon_config *config,
                                           const kanon_source *source, kanon_sink *sink);

KANON_END_DECLS
#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* kanon.h -- the whole public interface of libkanon; the only header to include.
 *
 * A job in five calls: make a context, make a config, open a source and a sink, anonymize.
 * examples/anonymize.c is a complete program.
 *
 *     kanon_ctx_new(NULL, &ctx);
 *     kanon_config_new(ctx, &config);
 *     kanon_config_set(config, "qi", "age,postcode");
 *     kanon_config_set(config, "k", "5");
 *     kanon_source_file(ctx, "people.csv", &source);
 *     kanon_sink_file(ctx, "release.csv", &sink);
 *     if (kanon_anonymize(ctx, config, source, sink, &result) < 0)
 *         fprintf(stderr, "%s\n", kanon_ctx_message(ctx));
 *     kanon_result_free(result);
 *     kanon_sink_free(sink);
 *     kanon_source_free(source);
 *     kanon_config_free(config);
 *     kanon_ctx_free(ctx);
 *
 * Errors: calls that can fail return a status, negative on failure; the context holds the message. After a
 * failure the `kanon_x **out` of the call is NULL, and nothing is half written.
 * Ownership: objects that come through a `kanon_x **` are yours to free with kanon_x_free(), which takes
 * NULL; texts and const pointers are borrowed from the object that was asked, and live as long as it does.
 * Threads: one context per thread at a time (ctx.h). What kanon_..._at() hands out is static.
 * Algorithms and privacy models of your own: kanon/plugin.h. */
#ifndef KANON_KANON_H
#define KANON_KANON_H

#include "kanon/algorithm.h"
#include "kanon/check.h"
#include "kanon/compare.h"
#include "kanon/config.h"
#include "kanon/ctx.h"
#include "kanon/explain.h"
#include "kanon/hierarchy.h"
#include "kanon/io.h"
#include "kanon/job.h"
#include "kanon/pareto.h"
#include "kanon/profile.h"
#include "kanon/result.h"
#include "kanon/starter.h"
#include "kanon/status.h"
#include "kanon/table.h"

#endif

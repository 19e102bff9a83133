/* SPDX-License-Identifier: Apache-2.0 */
/* kanon.h -- the whole public interface of libkanon; the only header to include.
 *
 * A job in five calls: make a context, make a config, open a source and a sink, anonymize. See
 * examples/anonymize.c. Every call returns a status; the context holds the message of the last
 * failure. Objects that come through a `kanon_x **` are yours to free with kanon_x_free(), which takes NULL;
 * texts and const pointers are borrowed. Algorithms and privacy models of your own: kanon/plugin.h. */
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
#include "kanon/result.h"
#include "kanon/starter.h"
#include "kanon/status.h"
#include "kanon/table.h"

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* deferred.c -- a sink that puts off giving its target a name. The library commits a release when it is
 * verified, but the tool is not done then: the reports and the summary may still fail. So commit only
 * makes sure that everything is on the disk and remembers, and the tool commits when all is well. */
#include "cli.h"

#include <string.h>

static kanon_status
begin(void *user, kanon_ctx *ctx)
{
    cli_deferred *deferred = user;

    cli_await_end();
    deferred->ready = false;
    return deferred->target->begin(deferred->target->user, ctx);
}

static kanon_status
write_bytes(void *user, kanon_ctx *ctx, const void *bytes, size_t count)
{
    cli_deferred *deferred = user;

    return deferred->target->write(deferred->target->user, ctx, bytes, count);
}

static kanon_status
read_back(void *user, kanon_ctx *ctx, kanon_source *back)
{
    cli_deferred *deferred = user;

    return deferred->target->read_back(deferred->target->user, ctx, back);
}

/* Reading back is what brings all bytes to the disk: a full one is noticed now, not at the very end. */
static kanon_status
commit(void *user, kanon_ctx *ctx)
{
    cli_deferred *deferred = user;
    kanon_source  back;
    kanon_status  rc;

    memset(&back, 0, sizeof back);
    rc = read_back(user, ctx, &back);
    if (rc == KANON_OK && back.release)
        back.release(back.user);
    deferred->ready = rc == KANON_OK;
    return rc;
}

static void
abandon(void *user)
{
    cli_deferred *deferred = user;

    deferred->ready = false;
    deferred->target->abandon(deferred->target->user);
}

void
cli_defer(cli_deferred *deferred, kanon_sink *target)
{
    memset(deferred, 0, sizeof *deferred);
    deferred->target = target;
    deferred->sink.size = sizeof deferred->sink;
    deferred->sink.name = target->name;
    deferred->sink.user = deferred;
    deferred->sink.begin = begin;
    deferred->sink.write = write_bytes;
    deferred->sink.read_back = read_back;
    deferred->sink.commit = commit;
    deferred->sink.abandon = abandon;
}

kanon_status
cli_deferred_commit(cli_deferred *deferred, kanon_ctx *ctx)
{
    if (!deferred->ready)
        return KANON_OK;
    deferred->ready = false;
    return deferred->target->commit(deferred->target->user, ctx);
}

void
cli_deferred_end(cli_deferred *deferred)
{
    kanon_sink_free(deferred->target); /* what was not committed is gone */
    deferred->target = NULL;
}

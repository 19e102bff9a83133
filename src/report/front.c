/* front.c -- the public face of a front: accessors, and the way of its formats into a sink. */
#include "report/front.h"

void
kanon_front_free(kanon_front *front)
{
    if (!front)
        return;
    kn_arena_fini(&front->arena);
    kn_free(front->ctx, front);
}

size_t
kanon_front_count(const kanon_front *front)
{
    return front->npoints;
}

int
kanon_front_exact(const kanon_front *front)
{
    return front->exact;
}

kanon_status
kanon_front_value(const kanon_front *front, size_t point, const char *objective, double *out)
{
    if (!objective || !out)
        return kn_fail(front->ctx, KANON_E_INVALID, "objective and out are required");
    if (point >= front->npoints)
        return kn_fail(front->ctx, KANON_E_INVALID, "point %zu, expected 0 to %zu", point,
                       front->npoints ? front->npoints - 1 : 0);
    for (size_t i = 0; i < front->nobjectives; i++)
        if (strcmp(front->objectives[i].name, objective) == 0) {
            *out = front->points[point].values[i];
            return KANON_OK;
        }
    return kn_fail(front->ctx, KANON_E_INVALID, "'%s' is no objective of this front", objective);
}

int
kanon_front_level(const kanon_front *front, size_t point, const char *column)
{
    for (size_t i = 0; column && point < front->npoints && i < front->ncolumns; i++)
        if (strcmp(front->columns[i].name, column) == 0)
            return front->points[point].levels[i];
    return -1;
}

static kanon_status
send(kanon_ctx *ctx, const kn_text *text, kanon_sink *sink)
{
    kanon_status rc = KANON_OK;

    KN_TRY(kn_text_status(text));
    KN_TRY(sink->begin(sink->user, ctx));
    KN_TRY(sink->write(sink->user, ctx, text->ptr, text->len));
    KN_TRY(sink->commit(sink->user, ctx));
out:
    if (rc < 0)
        sink->abandon(sink->user);
    return rc;
}

kanon_status
kanon_front_write(kanon_ctx *ctx, const kanon_front *front, kanon_front_format format,
                  const kanon_front_options *options, kanon_sink *sink)
{
    static const kanon_front_options none = KANON_FRONT_OPTIONS_INIT;
    kanon_status                     rc;
    kn_text                          text;

    if (!front || !sink)
        return kn_fail(ctx, KANON_E_INVALID, "a front and a sink are required");
    options = options ? options : &none;
    kn_text_init(&text, ctx);
    switch (format) {
    case KANON_FRONT_JSON:
        kn_front_json(&text, front);
        break;
    case KANON_FRONT_CSV:
        kn_front_csv(&text, front);
        break;
    case KANON_FRONT_HTML:
        kn_front_html(&text, front, options);
        break;
    case KANON_FRONT_TEXT:
        kn_front_text(&text, front, options->width ? options->width : 80);
        break;
    default:
        kn_text_fini(&text);
        return kn_fail(ctx, KANON_E_INVALID, "unknown format %d", (int) format);
    }
    rc = send(ctx, &text, sink);
    kn_text_fini(&text);
    return rc;
}

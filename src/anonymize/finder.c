/* SPDX-License-Identifier: Apache-2.0 */
/* finder.c -- see finder.h. */
#include "anonymize/finder.h"

#include "base/plain.h"

enum { FOUND_MOST = 60 }; /* of one code: a table may have thousands of columns */

kanon_status
kn_finder_open(kn_finder *f, const kn_job *job, kanon_result *r)
{
    *f = (kn_finder){ .job = job, .r = r, .rc = KANON_OK };
    kn_text_init(&f->text, r->ctx);
    kn_text_init(&f->remedy, r->ctx);
    f->names = kn_alloc_array(r->ctx, r->nattributes + 1, sizeof *f->names);
    return KN_HAVE(f->names);
}

kanon_status
kn_finder_close(kn_finder *f)
{
    kn_text_fini(&f->text);
    kn_text_fini(&f->remedy);
    kn_free(f->r->ctx, (void *) f->names);
    return f->rc;
}

static size_t
count_found(const kn_findings *list, kn_finding_code code)
{
    size_t count = 0;

    for (size_t i = 0; i < list->count; i++)
        count += list->of[i].code == code;
    return count;
}

void
kn_finder_add(kn_finder *f, kn_finding_code code, const char *column, double figure)
{
    kanon_status rc = kn_text_status(&f->text);

    assert(f->named <= f->text.len);
    rc = rc < 0 ? rc : kn_text_status(&f->remedy);
    if (f->rc == KANON_OK && rc == KANON_OK && count_found(&f->r->findings, code) < FOUND_MOST)
        rc = kn_findings_add(&f->r->findings, &f->r->arena,
                             (kn_finding){ .code = code,
                                           .place = column ? kn_at_column(column) : KN_AT_JOB,
                                           .what = f->text.ptr,
                                           .remedy = f->remedy.len ? f->remedy.ptr : NULL,
                                           .figure = figure,
                                           .named = f->named });
    f->rc = f->rc < 0 ? f->rc : rc;
    f->text.len = f->remedy.len = f->named = 0;
}

void
kn_finder_put_names(kn_finder *f, const char *const *names, size_t count, size_t most)
{
    size_t from = f->text.len;

    for (size_t i = 0; i < count; i++)
        if (kn_plain_item(&f->text, i, count, most))
            kn_text_addz(&f->text, names[i]);
    kn_text_addz(&f->text, count > most ? " columns" : "");
    if (!from && (count > most ? most - 1 : count) <= KN_FOUND_NAMED_MOST)
        f->named = f->text.len;
}

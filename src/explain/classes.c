/* SPDX-License-Identifier: Apache-2.0 */
/* classes.c -- whose fault the loss of a release is, class by class: columns, suppressed rows, classes that
 * are larger than they would have to be, and the classes that lose most. What a class shows is not told: its
 * intervals may end at values that somebody has. Cost: O(tuples + classes * columns). */
#include "base/sort.h"
#include "explain/explain.h"

/* --- classes ------------------------------------------------------------------------------------------ */

/* A class, by its recipe: recipes that read alike are one class to a reader, but lose each for itself. */
typedef struct portion {
    uint64_t rows, of; /* of: of the class to a reader */
    double   loss;     /* of all its cells */
    size_t   recipe;
    size_t   tuple; /* one of its tuples */
} portion;

/* The loss (glm) of one cell of a class. */
static double
cell_loss(const kn_explaining *e, const portion *p, size_t quasi)
{
    return e->job.recoding->class->cell_loss(e->job.recoding, p->tuple, quasi);
}

static double
weight_of(const kn_explaining *e, size_t quasi)
{
    const kn_scale *scale = &e->job.problem.scale;
    double          all = kn_scale_weights(scale);

    return all > 0 ? kn_scale_weight(scale, quasi) / all : 0;
}

/* What a class loses, column by column; counts the rows that are exact or hidden there. */
static void
weigh(kn_explaining *e, portion *p)
{
    for (size_t q = 0; q < e->out->ncolumns; q++) {
        kn_explained_column *c = &e->out->columns[q];
        double               loss = cell_loss(e, p, q);

        c->exact += loss <= 0 ? p->rows : 0;
        c->hidden += loss >= 1 - 1e-12 ? p->rows : 0;
        p->loss += (double) p->rows * loss * weight_of(e, q);
    }
}

static inline bool
loses_more(const portion *a, const portion *b, const void *context)
{
    (void) context;
    if (a->loss < b->loss || a->loss > b->loss)
        return a->loss > b->loss;
    return a->recipe < b->recipe;
}

KN_DEFINE_SORT(sort_portions, portion, loses_more)

static void
describe_class(const kn_explaining *e, const portion *p, double all, kn_explained_class *out)
{
    *out = (kn_explained_class){ .rows = p->rows,
                                 .loss = p->loss / (double) p->rows,
                                 .share = all > 0 ? p->loss / all : 0,
                                 .widest_loss = -1,
                                 .second_loss = -1 };
    for (size_t q = 0; q < e->out->ncolumns; q++) {
        double loss = cell_loss(e, p, q);

        if (loss > out->widest_loss) {
            out->second = out->widest;
            out->second_loss = out->widest_loss;
            out->widest = q;
            out->widest_loss = loss;
        } else if (loss > out->second_loss) {
            out->second = q;
            out->second_loss = loss;
        }
    }
    if (out->second_loss < 0) {
        out->second = out->widest;
        out->second_loss = out->widest_loss;
    }
}

/* --- the whole ---------------------------------------------------------------------------------------- */

static kanon_status
list_classes(const kn_explaining *e, portion **out, size_t *count)
{
    const kn_recoding *r = e->job.recoding;
    portion           *list = KN_NEW_ARRAY(e->ctx, portion, r->nrecipes);

    *out = list;
    *count = 0;
    if (!list)
        return KANON_E_NOMEM;
    for (size_t t = 0; t < r->table->ntuples; t++) {
        uint32_t id = e->job.grouping.class_of[t], recipe = r->recipe_of[t];

        if (!kn_class_holds(&e->job.problem.privacy, &e->job.grouping, id))
            continue;
        list[recipe].rows += r->table->weights[t];
        list[recipe].of = e->job.grouping.sizes[id];
        list[recipe].tuple = t;
    }
    for (size_t i = 0; i < r->nrecipes; i++)
        if (list[i].rows) {
            list[i].recipe = i;
            list[(*count)++] = list[i];
        }
    return KANON_OK;
}

static void
sum_up(kn_explaining *e, const portion *list, size_t count)
{
    kn_explained_local *local = &e->out->local;
    double              all = (double) e->out->suppressed, tenth = 0, large = 0;
    size_t              most = count ? (count + 9) / 10 : 0;

    for (size_t i = 0; i < count; i++) {
        all += list[i].loss;
        tenth += i < most ? list[i].loss : 0;
        if (list[i].of >= 2 * e->out->k) {
            large += list[i].loss;
            local->large_rows += list[i].rows;
        }
    }
    for (size_t i = 0; all > 0 && i < e->out->ncolumns; i++)
        e->out->columns[i].share = e->out->columns[i].loss.glm * (double) e->out->rows
                                 * weight_of(e, i) / all;
    local->suppressed = all > 0 ? (double) e->out->suppressed / all : 0;
    local->tenth = all > 0 ? tenth / all : 0;
    local->large = all > 0 ? large / all : 0;
    for (size_t i = 0; i < count && local->nworst < KN_EXPLAINED_CLASSES && list[i].loss > 0; i++)
        describe_class(e, &list[i], all, &local->worst[local->nworst++]);
}

kanon_status
kn_explain_classes(kn_explaining *e)
{
    kanon_status rc = KANON_OK;
    kn_job      *job = &e->job;
    portion     *list = NULL;
    size_t       count;

    KN_TRY(list_classes(e, &list, &count));
    for (size_t i = 0; i < count; i++)
        weigh(e, &list[i]);
    sort_portions(list, count, NULL);
    for (size_t i = 0; i < e->out->ncolumns; i++)
        e->out->columns[i].loss = job->columns[i];
    e->out->local.classes = job->measured.after.classes;
    e->out->local.smallest = job->measured.after.min_class;
    e->out->local.largest = job->measured.after.max_class;
    sum_up(e, list, count);
out:
    kn_free(e->ctx, list);
    return rc;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* recipe.h -- local recoding: what each class releases in each column, found from its rows alone. A number
 * becomes the interval of the class's values, a category their lowest common ancestor. */
#ifndef KN_RECIPE_H
#define KN_RECIPE_H

#include "encode/scaled.h"
#include "group/grid.h"
#include "group/local.h"
#include "hierarchy/hierarchy.h"
#include "table/table.h"

#define KN_RECIPE_INTERVAL UINT32_MAX

/** What a class releases in one column. */
typedef struct kn_recipe {
    uint32_t level; /* of the group that holds all its values; KN_RECIPE_INTERVAL: numbers */
    uint32_t leaf;  /* a value of that group; an interval's least value */
    uint32_t high;  /* an interval's greatest value */
} kn_recipe;

/** A column whose classes release intervals of numbers. */
typedef struct kn_recipe_column {
    bool      intervals;
    uint8_t   low;    /* lowest level of a group */
    uint32_t *ranks;  /* [codes] numbers in their exact order (encode/ranks.h); NULL: no numbers */
    int64_t  *scaled; /* [codes] in units of the last decimal; NULL unless it snaps or has means */
    kn_grid   grid;   /* open where there are decimals */
    bool chosen; /* the grid is kanon's choice: a number that a whole class has stays as it is */
    kn_number_style style;
} kn_recipe_column;

typedef struct kn_recipes {
    kanon_ctx              *ctx;
    kanon_hierarchy *const *hierarchies;
    size_t                  nclasses, nquasi;
    kn_recipe              *of;      /* [class * nquasi + column] */
    kn_recipe_column       *columns; /* [nquasi] */
} kn_recipes;

/** How classes are shown. */
typedef struct kn_recipe_options {
    kanon_hierarchy *const *hierarchies; /* [nquasi] */
    kn_snap                 snap;
    kn_local                local;
    const uint8_t          *low; /* [nquasi] lowest level of a group; nothing to intervals */
    const kn_decimal *grids; /* [nquasi] width of the grid that was given for a column; 0: none */
    const kn_domain
        *domains; /* [nquasi] what fewer rows than `rare` have is no end on a chosen grid */
} kn_recipe_options;

/** @param class_of  [rows] in the order of the table's entries; KN_NO_CLASS: in none */
kanon_status kn_recipes_new(kanon_ctx *ctx, const kn_table *table, const uint32_t *class_of,
                            size_t nclasses, const kn_recipe_options *options, kn_recipes **out);
void         kn_recipes_free(kn_recipes *recipes);

static inline const kn_recipe *
kn_recipe_at(const kn_recipes *recipes, size_t class, size_t quasi)
{
    assert(class < recipes->nclasses && quasi < recipes->nquasi);
    return &recipes->of[class * recipes->nquasi + quasi];
}

/** Does a class show one original value here, as it is? */
bool kn_recipe_plain(const kn_recipes *recipes, size_t quasi, const kn_recipe *recipe);
/** The ends of an interval as near as doubles come, within the column's least and greatest value. */
void kn_recipe_extent(const kn_recipes *recipes, size_t quasi, const kn_recipe *recipe, double *low,
                      double *high);
/** Where a value of the table, not the missing one, stands: < 0 below an interval, 0 in it, > 0 above. */
int kn_recipe_side(const kn_recipes *recipes, size_t quasi, const kn_recipe *recipe, uint32_t code);
/** The text of a released cell; empty out first. */
void kn_recipe_spell(const kn_recipes *recipes, size_t quasi, const kn_recipe *recipe,
                     kn_text *out);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* starter.h -- between the parts of `kanon init`: what was seen of a column, and what it is taken for. */
#ifndef KN_INIT_STARTER_H
#define KN_INIT_STARTER_H

#include "base/text.h"
#include "config/config.h"
#include "table/dict.h"

enum { KN_WORDS_MOST = 4, KN_ABSENT_MOST = 16 };

/** A short text without a digit, which may stand for a missing number. */
typedef struct kn_word {
    uint32_t code; /* in the column's dictionary */
    uint64_t rows;
} kn_word;

/** What was seen of one column. */
typedef struct kn_seen {
    kn_str   name;
    kn_dict *dict;   /* distinct values without the missing ones; released once the type is known */
    uint64_t filled; /* rows with a value */
    uint64_t until;  /* rows with a value until the dictionary was full */
    uint64_t distinct;
    bool     full; /* there are more values than were kept */
    kn_type  type;
    uint64_t odd;   /* different values that are not of that type */
    bool     whole; /* numbers: without decimals */
    double   min, max;
    double   length;               /* mean of the different values, in characters */
    kn_word  words[KN_WORDS_MOST]; /* the first of them */
    size_t   nwords;
} kn_seen;

/** How a proposal is reasoned; the text says it unless numbers belong to it. */
typedef enum { KN_REASON_TEXT, KN_REASON_UNIQUE } kn_reason;

typedef enum {
    KN_PROPOSE_NONE,
    KN_PROPOSE_AUTO,
    KN_PROPOSE_MASK,
    KN_PROPOSE_PLACE, /* auto, with a hint at place tables */
} kn_proposal_kind;

/** What a column is taken for. */
typedef struct kn_proposal {
    kn_role          role;
    kn_proposal_kind hierarchy;
    kn_reason        why;
    const char      *reason; /* KN_REASON_TEXT only */
} kn_proposal;

/** From its name, type and number of values; never from single values. */
kn_proposal kn_propose(const kn_seen *seen);

/** May an identifier of that name tell persons apart? Not where it reads like a name, address or text. */
bool kn_may_tell_persons(kn_str column);

/** Do the values of an identifier repeat as the numbers of persons do that stand in several rows? */
bool kn_repeats_like_persons(uint64_t values, uint64_t rows);

/** Does nearly every row have a value of its own? */
bool kn_nearly_unique(const kn_seen *seen);

typedef struct kn_starter {
    const kanon_config *config; /* dialect that was asked for */
    const char         *input, *output;
    uint64_t            rows;
    bool                header;   /* the names come from the first line */
    bool                doubtful; /* ... but nothing proves that they are names */
    kn_seen            *columns;
    size_t              ncolumns;
    const char         *absent[KN_ABSENT_MOST]; /* texts to propose for `missing` */
    size_t              nabsent;
} kn_starter;

/** Would a job with this proposal stop at values that are not of the column's type? */
bool kn_stops_at_odd(const kn_seen *seen);

/** The whole config file. */
void kn_starter_format(const kn_starter *starter, kn_text *out);

#endif

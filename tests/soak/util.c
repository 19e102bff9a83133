/* SPDX-License-Identifier: Apache-2.0 */
/* util.c -- memory of a job, chance, texts, and how a judgement ends. */
#include "soak.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- memory ------------------------------------------------------------------------------------- */

typedef struct block {
    struct block *before;
    size_t        used, room;
    _Alignas(16) char bytes[];
} block;

static block *last;

enum { BLOCK = 1 << 20 };

void *
take(size_t bytes)
{
    size_t need = (bytes + 15) / 16 * 16;
    void  *found;

    if (!last || last->room - last->used < need) {
        size_t room = need > BLOCK ? need : BLOCK;
        block *fresh = malloc(sizeof *fresh + room);

        if (!fresh) {
            fputs("soak: out of memory\n", stderr);
            exit(4);
        }
        fresh->before = last;
        fresh->used = 0;
        fresh->room = room;
        last = fresh;
    }
    found = last->bytes + last->used;
    last->used += need;
    return memset(found, 0, need);
}

void
give_back(void)
{
    while (last && last->before) {
        block *gone = last;

        last = last->before;
        free(gone);
    }
    if (last)
        last->used = 0;
}

char *
copy(const char *text)
{
    size_t bytes = strlen(text) + 1;

    return memcpy(take(bytes), text, bytes);
}

char *
print(const char *format, ...)
{
    va_list list;
    int     length;
    char   *to;

    va_start(list, format);
    length = vsnprintf(NULL, 0, format, list);
    va_end(list);
    to = take((size_t) length + 1);
    va_start(list, format);
    vsnprintf(to, (size_t) length + 1, format, list);
    va_end(list);
    return to;
}

/* --- chance (splitmix64) ------------------------------------------------------------------------ */

uint64_t
draw64(chance *c)
{
    uint64_t z = c->state += 0x9e3779b97f4a7c15u;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

chance
chance_of(uint64_t seed, uint64_t index, uint64_t stream)
{
    chance c = { seed * 0x2545f4914f6cdd1du + stream };

    c.state = draw64(&c) ^ (index * 0xd1342543de82ef95u);
    c.state = draw64(&c);
    return c;
}

int
draw(chance *c, int least, int most)
{
    return least + (int) (draw64(c) % (uint64_t) (most - least + 1));
}

double
draw_part(chance *c)
{
    return (double) (draw64(c) >> 11) * 0x1p-53;
}

bool
maybe(chance *c, double share)
{
    return draw_part(c) < share;
}

/* --- judgement ---------------------------------------------------------------------------------- */

static jmp_buf end;
static char    why[1024];

void
object(const char *format, ...)
{
    va_list list;

    va_start(list, format);
    vsnprintf(why, sizeof why, format, list);
    va_end(list);
    for (char *at = why; *at; at++)
        if ((unsigned char) *at < 32)
            *at = ' ';
    longjmp(end, 1);
}

const char *
objection(void (*judge_it)(void *), void *argument)
{
    if (setjmp(end) != 0)
        return why;
    judge_it(argument);
    return NULL;
}

/* --- texts -------------------------------------------------------------------------------------- */

bool
same(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

bool
near(long double a, long double b)
{
    long double size = fmaxl(1, fmaxl(fabsl(a), fabsl(b)));

    return fabsl(a - b) <= 1e-9L * size;
}

size_t
put_utf8(char *to, unsigned code)
{
    if (code < 0x80) {
        to[0] = (char) code;
        return 1;
    }
    if (code < 0x800) {
        to[0] = (char) (0xc0 | code >> 6);
        to[1] = (char) (0x80 | (code & 63));
        return 2;
    }
    if (code < 0x10000) {
        to[0] = (char) (0xe0 | code >> 12);
        to[1] = (char) (0x80 | (code >> 6 & 63));
        to[2] = (char) (0x80 | (code & 63));
        return 3;
    }
    to[0] = (char) (0xf0 | code >> 18);
    to[1] = (char) (0x80 | (code >> 12 & 63));
    to[2] = (char) (0x80 | (code >> 6 & 63));
    to[3] = (char) (0x80 | (code & 63));
    return 4;
}

int
letters(const char *text)
{
    int count = 0;

    for (; *text; text++)
        count += ((unsigned char) *text & 0xc0) != 0x80;
    return count;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* pseudonyms.c -- whether a released cell is a pseudonym: by its shape, read by other code than the one that
 * makes it, and by what was read and made. No cell that was read may leave. */
#include <sodium.h>

#include "table/load.h"
#include "verify/verify.h"

enum { LETTERS = 26, PRINT = 16 };

bool
kn_verify_pseudonym(const kn_claim *claim, const kn_shown_pseudonyms *shown, kn_str cell)
{
    uint8_t print[PRINT];

    if (kn_is_missing(claim->missing, claim->nmissing, cell))
        return true;
    if (cell.len != LETTERS)
        return false;
    for (size_t i = 0; i < cell.len; i++) {
        char c = cell.ptr[i];

        if (!(c >= 'a' && c <= 'z') && !(c >= '2' && c <= '7'))
            return false;
    }
    crypto_shorthash_siphashx24(print, (const unsigned char *) cell.ptr, cell.len, shown->key);
    return kn_keyset_find(shown->read, print) == SIZE_MAX
        && kn_keyset_find(shown->made, print) != SIZE_MAX;
}

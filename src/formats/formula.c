/* SPDX-License-Identifier: Apache-2.0 */
/* formula.c -- what counts as a formula follows OWASP's page on CSV injection, less what is harmless and
 * frequent: negative numbers, and dashes for missing values. */
#include "formats/formula.h"

static bool
is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool
is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (unsigned char) c >= 0x80;
}

/* A sign, digits with their separators, an exponent, blanks, a percent sign. */
static bool
is_number(kn_str cell)
{
    bool digits = false;

    for (size_t i = 1; i < cell.len; i++) {
        char c = cell.ptr[i];

        if (is_digit(c))
            digits = true;
        else if ((c == 'e' || c == 'E') && digits && i + 1 < cell.len)
            i += cell.ptr[i + 1] == '-' || cell.ptr[i + 1] == '+';
        else if (c != '.' && c != ',' && c != ' ' && c != '%')
            return false;
    }
    return digits;
}

bool
kn_is_formula(kn_str cell)
{
    if (!kn_formula_starts(cell))
        return false;
    if (cell.ptr[0] == '\t' || cell.ptr[0] == '\r')
        return true; /* some programs skip it, and look at what follows */
    if ((cell.ptr[0] == '+' || cell.ptr[0] == '-') && is_number(cell))
        return false;
    for (size_t i = 1; i < cell.len; i++)
        if (is_digit(cell.ptr[i]) || is_letter(cell.ptr[i]))
            return true;
    return false;
}

bool
kn_formula_guards(kn_str cell)
{
    while (cell.len && cell.ptr[0] == '\'') {
        cell.ptr++;
        cell.len--;
    }
    return kn_is_formula(cell);
}

kn_str
kn_formula_unguarded(kn_str cell)
{
    return cell.len && cell.ptr[0] == '\'' && kn_formula_guards(cell)
             ? (kn_str){ cell.ptr + 1, cell.len - 1 }
             : cell;
}

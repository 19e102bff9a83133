/* SPDX-License-Identifier: Apache-2.0 */
/* csv_kind.c -- recognises files that people take for tables: spreadsheets, archives, pages. Only beginnings
 * that no CSV has are listed; without this they would be refused for a byte somewhere inside, which helps
 * nobody. */
#include "formats/csv_kind.h"

typedef struct kind {
    const char *start;
    size_t      length;
    const char *says;
} kind;

#define KIND(start, says)                                                                          \
    {                                                                                              \
        start, sizeof(start) - 1, says                                                             \
    }

static const kind kinds[] = {
    KIND("PK\x03\x04", "is a spreadsheet (.xlsx, .ods) or a zip archive, not CSV; save the sheet "
                       "as CSV in UTF-8, or unpack the archive"),
    KIND("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
         "is an old spreadsheet or document (.xls, .doc), not CSV; save the sheet as CSV in UTF-8"),
    KIND("\x1f\x8b", "is compressed twice with gzip; gunzip it once"),
    KIND("BZh91AY&SY", "is compressed with bzip2; bunzip2 it"),
    KIND("\x28\xb5\x2f\xfd", "is compressed with zstd; unzstd it"),
    KIND("\xfd"
         "7zXZ",
         "is compressed with xz; unxz it"),
    KIND("7z\xbc\xaf\x27\x1c", "is a 7-Zip archive, not CSV; unpack it"),
    KIND("PAR1\x15", "is a Parquet file, not CSV; export the table as CSV in UTF-8"),
    KIND("ARROW1\0", "is an Arrow file, not CSV; export the table as CSV in UTF-8"),
    KIND("SQLite format 3\0", "is an SQLite database, not CSV; export the table as CSV"),
    KIND("$FL2@(#)", "is an SPSS file, not CSV; export the table as CSV in UTF-8"),
    KIND("<stata_dta>", "is a Stata file, not CSV; export the table as CSV in UTF-8"),
    KIND("%PDF-", "is a PDF document, not CSV; get the table itself"),
    KIND("<!DOCTYPE", "is a web page, not CSV; was it saved instead of the table?"),
    KIND("<html", "is a web page, not CSV; was it saved instead of the table?"),
    KIND("<?xml", "is XML, not CSV; export the table as CSV in UTF-8"),
    KIND("[{\"", "is JSON, not CSV; export the table as CSV in UTF-8"),
};

/* ASCII text in UTF-16, whose byte order mark is missing. */
static bool
is_utf16(kn_str start)
{
    const char *c = start.ptr;

    return start.len >= 4 && ((c[0] && !c[1] && c[2] && !c[3]) || (!c[0] && c[1] && !c[2] && c[3]));
}

const char *
kn_csv_other_kind(kn_str start)
{
    for (size_t i = 0; i < KN_COUNT(kinds); i++)
        if (start.len >= kinds[i].length && memcmp(start.ptr, kinds[i].start, kinds[i].length) == 0)
            return kinds[i].says;
    return is_utf16(start) ? "is in UTF-16, not UTF-8; convert it with iconv -f UTF-16 -t UTF-8"
                           : NULL;
}

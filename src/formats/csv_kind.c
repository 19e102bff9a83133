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
    KIND("\x04\x22\x4d\x18", "is compressed with lz4; unlz4 it"),
    KIND("\x1f\x9d", "is compressed with compress; uncompress it"),
    KIND("Rar!\x1a\x07", "is a RAR archive, not CSV; unpack it"),
    KIND("PAR1\x15", "is a Parquet file, not CSV; export the table as CSV in UTF-8"),
    KIND("ARROW1\0", "is an Arrow file, not CSV; export the table as CSV in UTF-8"),
    KIND("SQLite format 3\0", "is an SQLite database, not CSV; export the table as CSV"),
    KIND("FEA1\0\0", "is a Feather file, not CSV; export the table as CSV in UTF-8"),
    KIND("Obj\x01", "is an Avro file, not CSV; export the table as CSV in UTF-8"),
    KIND("\x89HDF\r\n\x1a\n", "is an HDF5 file, not CSV; export the table as CSV in UTF-8"),
    KIND("\0\1\0\0Standard ", "is an Access database, not CSV; export the table as CSV"),
    KIND("$FL2@(#)", "is an SPSS file, not CSV; export the table as CSV in UTF-8"),
    KIND("$FL3@(#)", "is an SPSS file (.zsav), not CSV; export the table as CSV in UTF-8"),
    KIND("<stata_dta>", "is a Stata file, not CSV; export the table as CSV in UTF-8"),
    KIND("\0\0\0\0\0\0\0\0\0\0\0\0\xc2\xea\x81\x60\xb3\x14\x11\xcf\xbd\x92",
         "is a SAS file (.sas7bdat), not CSV; export the table as CSV in UTF-8"),
    KIND("HEADER RECORD*******LIB",
         "is a SAS transport file (.xpt), not CSV; export the table as CSV in UTF-8"),
    KIND("RDX2\n", "is a file of R (.RData), not CSV; write the table with write.csv()"),
    KIND("RDX3\n", "is a file of R (.RData), not CSV; write the table with write.csv()"),
    KIND("X\n\0\0\0", "is a file of R (.rds), not CSV; write the table with write.csv()"),
    KIND("{\\rtf", "is a text document (.rtf), not CSV; get the table itself"),
    KIND("\x89PNG\r\n", "is a picture, not CSV; get the table itself"),
    KIND("\xff\xd8\xff", "is a picture, not CSV; get the table itself"),
    KIND("\xff\xfe\0\0", "is in UTF-32; convert it with iconv -f UTF-32 -t UTF-8"),
    KIND("\0\0\xfe\xff", "is in UTF-32; convert it with iconv -f UTF-32 -t UTF-8"),
    KIND("%PDF-", "is a PDF document, not CSV; get the table itself"),
    KIND("<!DOCTYPE", "is a web page, not CSV; was it saved instead of the table?"),
    KIND("<html", "is a web page, not CSV; was it saved instead of the table?"),
    KIND("<?xml", "is XML, not CSV; export the table as CSV in UTF-8"),
    KIND("[{\"", "is JSON, not CSV; export the table as CSV in UTF-8"),
};

/* Stata before version 13: release, byte order, file type, and a byte that is not used. */
static bool
is_old_stata(kn_str start)
{
    const char *c = start.ptr;

    return start.len >= 4 && c[0] >= 0x68 && c[0] <= 0x73 && (c[1] == 1 || c[1] == 2) && c[2] == 1
        && !c[3];
}

/* A NUL byte may have slipped into a text; several of them near its beginning did not. */
bool
kn_csv_is_binary(kn_str start)
{
    enum { LOOKED_AT = 64, NULS = 3 };
    size_t nuls = 0;

    for (size_t i = 0; i < start.len && i < LOOKED_AT; i++)
        nuls += !start.ptr[i];
    return nuls >= NULS;
}

const char *
kn_csv_other_kind(kn_str start)
{
    for (size_t i = 0; i < KN_COUNT(kinds); i++)
        if (start.len >= kinds[i].length && start.ptr[0] == kinds[i].start[0] /* most fail here */
            && memcmp(start.ptr, kinds[i].start, kinds[i].length) == 0)
            return kinds[i].says;
    return is_old_stata(start) ? "is a Stata file, not CSV; export the table as CSV in UTF-8"
                               : NULL;
}

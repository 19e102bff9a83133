/* SPDX-License-Identifier: Apache-2.0 */
/* replay_main.c -- runs a fuzz target over its tracked corpus, without libFuzzer: every build
 * replays what fuzzing once found. Arguments, if any, are the files to run instead. */
#include <dirent.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The name goes out first, so that a crash tells its input. */
static int
run_file(const char *path)
{
    FILE    *file = fopen(path, "rb");
    uint8_t *bytes = NULL;
    size_t   size = 0, capacity = 0, got;

    printf("# %s\n", path);
    fflush(stdout);
    if (!file)
        return -1;
    do {
        if (size == capacity) {
            capacity = capacity ? capacity * 2 : 4096;
            bytes = realloc(bytes, capacity);
            if (!bytes) {
                fclose(file);
                return -1;
            }
        }
        got = fread(bytes + size, 1, capacity - size, file);
        size += got;
    } while (got);
    fclose(file);
    /* An exact block: the sanitizer then sees a read past the end. */
    if (size)
        bytes = realloc(bytes, size);
    LLVMFuzzerTestOneInput(bytes, size);
    free(bytes);
    return 0;
}

static int
run_folder(const char *folder, size_t *count)
{
    struct dirent **entries = NULL;
    int             n = scandir(folder, &entries, NULL, alphasort), bad = 0;

    for (int i = 0; i < n; i++) {
        char        path[4096];
        struct stat info;

        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        free(entries[i]);
        if (bad || stat(path, &info) || !S_ISREG(info.st_mode))
            continue;
        bad = run_file(path);
        (*count)++;
    }
    free(entries);
    return bad;
}

int
main(int argc, char **argv)
{
    size_t count = 0;
    int    bad = 0;

    if (argc > 1) {
        for (int i = 1; i < argc && !bad; i++, count++)
            bad = run_file(argv[i]);
    } else {
        LLVMFuzzerTestOneInput(NULL, 0);
        bad = run_folder(KANON_CORPUS_DIR "/" KANON_CORPUS_NAME, &count);
        if (!bad)
            bad = run_folder(KANON_CORPUS_DIR "/fuzz_" KANON_CORPUS_NAME, &count);
    }
    if (bad)
        printf("FAIL fuzz corpus " KANON_CORPUS_NAME ": an input could not be read\n");
    else
        printf("ok fuzz corpus " KANON_CORPUS_NAME " (%zu inputs)\n", count);
    return bad ? 1 : 0;
}

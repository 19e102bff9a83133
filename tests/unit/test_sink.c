/* SPDX-License-Identifier: Apache-2.0 */
/* test_sink.c -- sources, spools and sinks: what is visible when, what stays behind (nothing), links,
 * permissions, devices, pipes and full disks. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "csv_help.h"
#include "failing_alloc.h"
#include "io/fdio.h"
#include "io/spool.h"
#include "test.h"

/* --- a folder of its own for every test -------------------------------------------------------- */

static char folder[64];
static char path_room[8][400];

static void
enter_folder(void)
{
    strcpy(folder, "/tmp/kanon-test-XXXXXX");
    CHECK(mkdtemp(folder));
}

static const char *
in_folder(const char *name)
{
    static size_t next;
    char         *path = path_room[next++ % KN_COUNT(path_room)];

    snprintf(path, sizeof path_room[0], "%s/%s", folder, name);
    return path;
}

static size_t
files_in_folder(void)
{
    DIR                 *dir = opendir(folder);
    const struct dirent *entry;
    size_t               count = 0;

    CHECK(dir);
    while ((entry = readdir(dir)))
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(dir);
    return count;
}

static void
leave_folder(void)
{
    DIR                 *dir = opendir(folder);
    const struct dirent *entry;

    CHECK(dir);
    while ((entry = readdir(dir)))
        if (entry->d_name[0] != '.')
            unlink(in_folder(entry->d_name));
    closedir(dir);
    CHECK(rmdir(folder) == 0);
}

static void
put_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    CHECK(file);
    fputs(text, file);
    fclose(file);
}

static void
check_file(const char *path, const char *text)
{
    char   got[256];
    FILE  *file = fopen(path, "r");
    size_t count;

    CHECK(file);
    count = fread(got, 1, sizeof got - 1, file);
    got[count] = 0;
    fclose(file);
    CHECK_STR(got, text);
}

static size_t
open_descriptors(void)
{
    DIR   *dir = opendir("/proc/self/fd");
    size_t count = 0;

    CHECK(dir);
    while (readdir(dir))
        count++;
    closedir(dir);
    return count;
}

static kanon_ctx *
new_ctx(void)
{
    kanon_ctx_options options = KANON_CTX_OPTIONS_INIT;
    kanon_ctx        *ctx = NULL;

    options.temp_dir = "/tmp";
    CHECK(kanon_ctx_new(&options, &ctx) == KANON_OK);
    return ctx;
}

/* All bytes of a pass over a source, at most `most` of them. */
static void
check_pass_of(kanon_ctx *ctx, const kanon_source *source, size_t most, const char *expected)
{
    char   got[256];
    size_t count = 0, some = 1;
    void  *stream;

    CHECK_OK(ctx, source->open(source->user, ctx, &stream));
    while (some && count < most) {
        size_t room = most - count < 3 ? most - count : 3;

        CHECK_OK(ctx, source->read(stream, ctx, got + count, room, &some));
        count += some;
    }
    source->close(stream);
    got[count] = 0;
    CHECK_STR(got, expected);
}

static void
check_pass(kanon_ctx *ctx, const kanon_source *source, const char *expected)
{
    check_pass_of(ctx, source, 255, expected);
}

/* --- sources ----------------------------------------------------------------------------------- */

TEST(file_source)
{
    kanon_ctx    *ctx = new_ctx();
    kanon_source *source = NULL;
    size_t        descriptors = open_descriptors();

    enter_folder();
    put_file(in_folder("a.csv"), "hello world");
    CHECK_OK(ctx, kanon_source_file(ctx, in_folder("a.csv"), &source));
    CHECK_EQ_U64(source->length(source->user), 11);
    check_pass_of(ctx, source, 5, "hello");
    CHECK(unlink(in_folder("a.csv")) == 0);
    put_file(in_folder("a.csv"), "another file");
    check_pass(ctx, source, "hello world");
    kanon_source_free(source);
    CHECK_EQ_U64(open_descriptors(), descriptors);
    leave_folder();
    kanon_ctx_free(ctx);
}

static void
check_message(kanon_ctx *ctx, const char *end)
{
    const char *message = kanon_ctx_message(ctx);
    size_t      length = strlen(message), need = strlen(end);

    if (length < need || strcmp(message + length - need, end) != 0)
        FAIL("the message is \"%s\", expected ...\"%s\"", message, end);
}

/* Opens a file, lets change() happen, and reads it to its end. */
static void
check_change(void (*change)(const char *path))
{
    kanon_ctx    *ctx = new_ctx();
    kanon_source *source = NULL;
    char          got[64];
    size_t        some = 0;
    void         *stream;
    kanon_status  rc;

    enter_folder();
    put_file(in_folder("a.csv"), "hello world");
    CHECK_OK(ctx, kanon_source_file(ctx, in_folder("a.csv"), &source));
    change(in_folder("a.csv"));
    CHECK_OK(ctx, source->open(source->user, ctx, &stream));
    do
        rc = source->read(stream, ctx, got, 5, &some);
    while (rc == KANON_OK && some);
    CHECK_STATUS(ctx, rc, KANON_E_IO);
    check_message(
        ctx, "the file changed while it was read; run the job again on a file that stays as it is");
    source->close(stream);
    kanon_source_free(source);
    leave_folder();
    kanon_ctx_free(ctx);
}

static void
cut(const char *path)
{
    CHECK(truncate(path, 3) == 0);
}

static void
lengthen(const char *path)
{
    FILE *file = fopen(path, "a");

    CHECK(file && fputs(" and more", file) >= 0 && fclose(file) == 0);
}

static void
touch(const char *path)
{
    const struct timespec times[2] = { { 1, 0 }, { 1, 0 } };

    CHECK(utimensat(AT_FDCWD, path, times, 0) == 0);
}

TEST(a_file_that_changes_while_it_is_read_is_refused)
{
    check_change(cut);
    check_change(lengthen);
    check_change(touch);
}

TEST(file_sources_that_cannot_be)
{
    kanon_ctx    *ctx = new_ctx();
    kanon_source *source = NULL;
    size_t        descriptors = open_descriptors();

    enter_folder();
    CHECK_STATUS(ctx, kanon_source_file(ctx, in_folder("none.csv"), &source), KANON_E_IO);
    check_message(ctx, "none.csv: no such file");
    CHECK_STATUS(ctx, kanon_source_file(ctx, folder, &source), KANON_E_IO);
    check_message(ctx, ": is a directory; name a file");
    CHECK_STATUS(ctx, kanon_source_file(ctx, "", &source), KANON_E_INVALID);
    put_file(in_folder("secret"), "x");
    chmod(in_folder("secret"), 0);
    if (geteuid() != 0) {
        CHECK_STATUS(ctx, kanon_source_file(ctx, in_folder("secret"), &source), KANON_E_IO);
        check_message(ctx, "secret: cannot be read: permission denied");
    }
    CHECK(!source);
    CHECK_EQ_U64(open_descriptors(), descriptors);
    leave_folder();
    kanon_ctx_free(ctx);
}

TEST(descriptor_source_can_be_read_twice)
{
    kanon_ctx    *ctx = new_ctx();
    kanon_source *source = NULL;
    int           ends[2];
    size_t        descriptors = open_descriptors();

    CHECK(pipe(ends) == 0);
    CHECK(write(ends[1], "hello world", 11) == 11);
    close(ends[1]);
    CHECK_OK(ctx, kanon_source_fd(ctx, "standard input", ends[0], &source));
    check_pass_of(ctx, source, 4, "hell"); /* a pass that stops early */
    CHECK_EQ_U64(source->length(source->user), 0);
    check_pass(ctx, source, "hello world");
    check_pass(ctx, source, "hello world");
    CHECK_EQ_U64(source->length(source->user), 11);
    kanon_source_free(source);
    CHECK(close(ends[0]) == 0); /* it was not closed by the source */
    CHECK_EQ_U64(open_descriptors(), descriptors);
    kanon_ctx_free(ctx);
}

TEST(passes_over_a_descriptor_may_overlap)
{
    kanon_ctx    *ctx = new_ctx();
    kanon_source *source = NULL;
    void         *one, *other;
    char          bytes[16];
    size_t        got;
    int           ends[2];

    CHECK(pipe(ends) == 0);
    CHECK(write(ends[1], "abcdefgh", 8) == 8);
    close(ends[1]);
    CHECK_OK(ctx, kanon_source_fd(ctx, NULL, ends[0], &source));
    CHECK_OK(ctx, source->open(source->user, ctx, &one));
    CHECK_OK(ctx, source->read(one, ctx, bytes, 3, &got));
    CHECK(got == 3 && memcmp(bytes, "abc", 3) == 0);
    CHECK_OK(ctx, source->open(source->user, ctx, &other));
    CHECK_OK(ctx, source->read(other, ctx, bytes, 16, &got));
    CHECK(got == 3 && memcmp(bytes, "abc", 3) == 0);
    CHECK_OK(ctx, source->read(other, ctx, bytes, 16, &got));
    CHECK(got == 5 && memcmp(bytes, "defgh", 5) == 0);
    CHECK_OK(ctx, source->read(one, ctx, bytes, 16, &got));
    CHECK(got == 5 && memcmp(bytes, "defgh", 5) == 0);
    source->close(one);
    source->close(other);
    kanon_source_free(source);
    close(ends[0]);
    kanon_ctx_free(ctx);
}

TEST(descriptor_source_that_fails_stays_failed)
{
    kanon_ctx    *ctx = new_ctx();
    kanon_source *source = NULL;
    void         *stream;
    char          byte;
    size_t        got;
    int           fd = open("/tmp", O_RDONLY | O_DIRECTORY);

    CHECK(fd >= 0);
    CHECK_OK(ctx, kanon_source_fd(ctx, "in", fd, &source));
    CHECK_OK(ctx, source->open(source->user, ctx, &stream));
    CHECK_STATUS(ctx, source->read(stream, ctx, &byte, 1, &got), KANON_E_IO);
    CHECK_STATUS(ctx, source->read(stream, ctx, &byte, 1, &got), KANON_E_IO);
    check_message(ctx, "in: reading: Is a directory");
    source->close(stream);
    kanon_source_free(source);
    close(fd);
    kanon_ctx_free(ctx);
}

static void *
write_slowly(void *user)
{
    int fd = *(int *) user;

    for (int i = 0; i < 50; i++) {
        struct timespec wait = { 0, 200000 };

        nanosleep(&wait, NULL);
        if (write(fd, "1,2\n3,4\n", 8) != 8)
            break;
    }
    close(fd);
    return NULL;
}

TEST(a_slow_pipe_by_name_is_read_as_a_table_twice)
{
    kanon_ctx    *ctx = new_ctx();
    kanon_source *source = NULL;
    pthread_t     writer;
    int           ends[2];
    char          name[32];

    CHECK(pipe(ends) == 0);
    CHECK(write(ends[1], "a,b\n", 4) == 4);
    snprintf(name, sizeof name, "/dev/fd/%d", ends[0]);
    CHECK_OK(ctx, kanon_source_file(ctx, name, &source));
    close(ends[0]);
    CHECK(pthread_create(&writer, NULL, write_slowly, &ends[1]) == 0);
    for (int pass = 0; pass < 2; pass++) {
        kn_rows      *csv;
        const kn_str *cells;
        size_t        rows = 0;

        CHECK_OK(ctx, kn_csv_open(ctx, source, NULL, &csv));
        for (;; rows++) {
            CHECK_OK(ctx, kn_rows_next(csv, &cells));
            if (!cells)
                break;
        }
        CHECK_EQ_U64(rows, 100);
        kn_rows_close(csv);
    }
    pthread_join(writer, NULL);
    kanon_source_free(source);
    kanon_ctx_free(ctx);
}

TEST(a_stalled_pipe_does_not_keep_the_reader_from_closing)
{
    kanon_ctx    *ctx = new_ctx();
    kanon_source *source = NULL;
    kn_input     *input;
    int           ends[2];

    CHECK(pipe(ends) == 0);
    CHECK(write(ends[1], "a,b\n", 4) == 4);
    CHECK_OK(ctx, kanon_source_fd(ctx, "in", ends[0], &source));
    CHECK_OK(ctx, kn_input_open(ctx, source, KN_AHEAD_ALWAYS, &input));
    kn_input_close(input); /* the thread waits for bytes that never come */
    close(ends[1]);
    check_pass(ctx, source, "a,b\n");
    kanon_source_free(source);
    close(ends[0]);
    kanon_ctx_free(ctx);
}

/* --- spools ------------------------------------------------------------------------------------ */

TEST(spool)
{
    kanon_ctx *ctx = new_ctx();
    kn_spool  *spool = NULL;
    uint64_t   offset;
    char       bytes[8] = "";

    enter_folder();
    CHECK_OK(ctx, kn_spool_new(ctx, folder, &spool));
    CHECK_EQ_U64(files_in_folder(), 0);
    CHECK_OK(ctx, kn_spool_append(spool, "hello", 5, &offset));
    CHECK_EQ_U64(offset, 0);
    CHECK_OK(ctx, kn_spool_append(spool, "you", 3, &offset));
    CHECK_EQ_U64(offset, 5);
    CHECK_EQ_U64(kn_spool_size(spool), 8);
    CHECK_OK(ctx, kn_spool_read(spool, 4, bytes, 3));
    CHECK_STR(bytes, "oyo");
    CHECK_STATUS(ctx, kn_spool_read(spool, 6, bytes, 3), KANON_E_IO);
    kn_spool_free(spool);
    CHECK_STATUS(ctx, kn_spool_new(ctx, in_folder("none"), &spool), KANON_E_IO);
    check_message(ctx, "none: creating a temporary file in this folder: No such file or directory");
    leave_folder();
    kanon_ctx_free(ctx);
}

/* --- file sinks -------------------------------------------------------------------------------- */

static void
write_text(kanon_ctx *ctx, kanon_sink *sink, const char *text)
{
    CHECK_OK(ctx, sink->begin(sink->user, ctx));
    CHECK_OK(ctx, sink->write(sink->user, ctx, text, strlen(text)));
}

static mode_t
mode_of(const char *path)
{
    struct stat facts;

    CHECK(stat(path, &facts) == 0);
    return facts.st_mode & 0777;
}

/* Not on every file system; and then a file that is being written has a name. */
static bool
nameless_files_can_be_named(void)
{
    char name[16 + KN_FD_SUFFIX_BYTES] = ".trial-";
    int  in = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC), fd = -1;
    bool can = kn_fd_create_nameless(in, name, strlen(name), &fd) == 0;

    if (fd >= 0)
        close(fd);
    close(in);
    return can;
}

TEST(a_nameless_file_gets_a_name)
{
    char        name[16 + KN_FD_SUFFIX_BYTES] = "made-";
    struct stat facts;
    mode_t      before = umask(0);
    int         in, fd = -1;

    enter_folder();
    in = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (kn_fd_create_nameless(in, name, 5, &fd) == 0) {
        CHECK_EQ_U64(files_in_folder(), 0);
        CHECK(fstat(fd, &facts) == 0);
        CHECK_EQ_U64(facts.st_mode & 0777, 0600);
        CHECK(kn_fd_write_all(fd, "text", 4) == 0);
        CHECK(kn_fd_link(fd, in, name, 5) == 0);
        CHECK_EQ_U64(strlen(name), 5 + KN_FD_SUFFIX_BYTES);
        check_file(in_folder(name), "text");
        close(fd);
    }
    CHECK(kn_fd_create_nameless(-1, name, 5, &fd) != 0);
    close(in);
    umask(before);
    leave_folder();
}

TEST(file_sink_shows_nothing_before_commit)
{
    kanon_ctx   *ctx = new_ctx();
    kanon_sink  *sink = NULL;
    kanon_source back;
    size_t       descriptors = open_descriptors();

    enter_folder();
    put_file(in_folder("out.csv"), "old");
    chmod(in_folder("out.csv"), 0640);
    CHECK_OK(ctx, kanon_sink_file(ctx, in_folder("out.csv"), &sink));
    sink->abandon(sink->user);
    write_text(ctx, sink, "new text");
    CHECK_EQ_U64(files_in_folder(), nameless_files_can_be_named() ? 1 : 2);
    check_file(in_folder("out.csv"), "old");
    CHECK_OK(ctx, sink->read_back(sink->user, ctx, &back));
    check_pass(ctx, &back, "new text");
    check_pass(ctx, &back, "new text");
    check_file(in_folder("out.csv"), "old");
    CHECK_OK(ctx, sink->commit(sink->user, ctx));
    check_file(in_folder("out.csv"), "new text");
    CHECK_EQ_U64(mode_of(in_folder("out.csv")), 0640);
    CHECK_EQ_U64(files_in_folder(), 1);
    sink->abandon(sink->user);
    sink->abandon(sink->user);
    check_file(in_folder("out.csv"), "new text");
    kanon_sink_free(sink);
    CHECK_EQ_U64(open_descriptors(), descriptors);
    leave_folder();
    kanon_ctx_free(ctx);
}

TEST(file_sink_leaves_nothing_when_abandoned)
{
    kanon_ctx  *ctx = new_ctx();
    kanon_sink *sink = NULL;

    enter_folder();
    put_file(in_folder("out.csv"), "old");
    CHECK_OK(ctx, kanon_sink_file(ctx, in_folder("out.csv"), &sink));
    write_text(ctx, sink, "new");
    sink->abandon(sink->user);
    CHECK_EQ_U64(files_in_folder(), 1);
    CHECK_STATUS(ctx, sink->commit(sink->user, ctx), KANON_E_INVALID);
    write_text(ctx, sink, "again");
    kanon_sink_free(sink); /* abandons */
    CHECK_EQ_U64(files_in_folder(), 1);
    check_file(in_folder("out.csv"), "old");
    leave_folder();
    kanon_ctx_free(ctx);
}

TEST(new_files_follow_the_umask_and_are_private_before)
{
    kanon_ctx           *ctx = new_ctx();
    kanon_sink          *sink = NULL;
    mode_t               before = umask(027);
    DIR                 *dir;
    const struct dirent *entry;

    enter_folder();
    CHECK_OK(ctx, kanon_sink_file(ctx, in_folder("out.csv"), &sink));
    write_text(ctx, sink, "x");
    dir = opendir(folder);
    while ((entry = readdir(dir)))
        if (strncmp(entry->d_name, ".out.csv.kanon-", 15) == 0)
            CHECK_EQ_U64(mode_of(in_folder(entry->d_name)), 0600);
    closedir(dir);
    CHECK_OK(ctx, sink->commit(sink->user, ctx));
    umask(before);
    CHECK_EQ_U64(mode_of(in_folder("out.csv")), 0640);
    kanon_sink_free(sink);
    leave_folder();
    kanon_ctx_free(ctx);
}

TEST(links_stay_links)
{
    kanon_ctx  *ctx = new_ctx();
    kanon_sink *sink = NULL;
    char        link[64];

    enter_folder();
    CHECK(symlink("real.csv", in_folder("link.csv")) == 0);
    CHECK(symlink("link.csv", in_folder("link2.csv")) == 0);
    for (int round = 0; round < 2; round++) { /* real.csv does not exist, then does */
        CHECK_OK(ctx, kanon_sink_file(ctx, in_folder("link2.csv"), &sink));
        write_text(ctx, sink, round ? "two" : "one");
        CHECK_OK(ctx, sink->commit(sink->user, ctx));
        kanon_sink_free(sink);
        check_file(in_folder("real.csv"), round ? "two" : "one");
    }
    CHECK(readlink(in_folder("link.csv"), link, sizeof link) == 8);
    CHECK_EQ_U64(files_in_folder(), 3);
    unlink(in_folder("link.csv"));
    CHECK(symlink("link.csv", in_folder("link.csv")) == 0);
    CHECK_STATUS(ctx, kanon_sink_file(ctx, in_folder("link.csv"), &sink), KANON_E_IO);
    leave_folder();
    kanon_ctx_free(ctx);
}

TEST(file_sinks_that_cannot_be)
{
    kanon_ctx  *ctx = new_ctx();
    kanon_sink *sink = NULL;
    char        name[32];
    int         fd;

    enter_folder();
    CHECK_STATUS(ctx, kanon_sink_file(ctx, folder, &sink), KANON_E_IO);
    check_message(ctx, ": is a directory; name a file");
    CHECK_STATUS(ctx, kanon_sink_file(ctx, in_folder("none/out.csv"), &sink), KANON_E_IO);
    check_message(ctx, "/none'; create it with mkdir");
    CHECK_STATUS(ctx, kanon_sink_file(ctx, "", &sink), KANON_E_INVALID);
    fd = open(in_folder("held"), O_RDWR | O_CREAT, 0600);
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    CHECK_STATUS(ctx, kanon_sink_file(ctx, name, &sink), KANON_E_INVALID);
    check_message(ctx, "is an open descriptor; name a file (- means standard output)");
    close(fd);
    CHECK(!sink);
    leave_folder();
    kanon_ctx_free(ctx);
}

TEST(long_names_are_cut_in_the_temporary_name)
{
    kanon_ctx  *ctx = new_ctx();
    kanon_sink *sink = NULL;
    char        path[400], name[256];

    enter_folder();
    memset(name, 'n', 255);
    name[255] = 0;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    CHECK_OK(ctx, kanon_sink_file(ctx, path, &sink));
    write_text(ctx, sink, "x");
    CHECK_OK(ctx, sink->commit(sink->user, ctx));
    kanon_sink_free(sink);
    check_file(path, "x");
    unlink(path);
    leave_folder();
    kanon_ctx_free(ctx);
}

TEST(devices_and_pipes_are_written_through)
{
    kanon_ctx  *ctx = new_ctx();
    kanon_sink *sink = NULL;
    char        got[16] = "";
    int         fd;

    CHECK_OK(ctx, kanon_sink_file(ctx, "/dev/null", &sink));
    write_text(ctx, sink, "gone");
    CHECK_OK(ctx, sink->commit(sink->user, ctx));
    kanon_sink_free(sink);
    CHECK_OK(ctx, kanon_sink_file(ctx, "/dev/full", &sink));
    write_text(ctx, sink, "too much");
    CHECK_STATUS(ctx, sink->commit(sink->user, ctx), KANON_E_IO);
    CHECK_STR(kanon_ctx_message(ctx), "/dev/full: writing: No space left on device");
    kanon_sink_free(sink);
    enter_folder();
    CHECK(mkfifo(in_folder("pipe"), 0600) == 0);
    fd = open(in_folder("pipe"), O_RDWR);
    CHECK_OK(ctx, kanon_sink_file(ctx, in_folder("pipe"), &sink));
    write_text(ctx, sink, "through");
    CHECK_OK(ctx, sink->commit(sink->user, ctx));
    CHECK(read(fd, got, sizeof got - 1) == 7);
    CHECK_STR(got, "through");
    close(fd);
    kanon_sink_free(sink);
    leave_folder();
    kanon_ctx_free(ctx);
}

TEST(long_writes)
{
    enum { PIECE = 300007, PIECES = 23, LONG = 3 << 20 };
    kanon_ctx   *ctx = new_ctx();
    kanon_sink  *sink = NULL;
    char        *piece = malloc(LONG);
    struct stat  facts;
    kanon_source back;

    CHECK(piece);
    memset(piece, 'x', LONG);
    enter_folder();
    CHECK_OK(ctx, kanon_sink_file(ctx, in_folder("out.csv"), &sink));
    CHECK_OK(ctx, sink->begin(sink->user, ctx));
    for (int i = 0; i < PIECES; i++)
        CHECK_OK(ctx, sink->write(sink->user, ctx, piece, PIECE));
    CHECK_OK(ctx, sink->write(sink->user, ctx, piece, LONG));
    CHECK_OK(ctx, sink->write(sink->user, ctx, piece, 0));
    CHECK_OK(ctx, sink->read_back(sink->user, ctx, &back));
    CHECK_EQ_U64(back.length(back.user), PIECE * PIECES + LONG);
    CHECK_OK(ctx, sink->commit(sink->user, ctx));
    CHECK(stat(in_folder("out.csv"), &facts) == 0);
    CHECK_EQ_U64(facts.st_size, PIECE * PIECES + LONG);
    kanon_sink_free(sink);
    leave_folder();
    free(piece);
    kanon_ctx_free(ctx);
}

/* --- descriptor and memory sinks --------------------------------------------------------------- */

TEST(descriptor_sink)
{
    kanon_ctx   *ctx = new_ctx();
    kanon_sink  *sink = NULL;
    kanon_source back;
    char         got[16] = "";
    int          ends[2];

    CHECK(pipe(ends) == 0);
    CHECK(fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0);
    CHECK_OK(ctx, kanon_sink_fd(ctx, NULL, ends[1], &sink));
    CHECK_STATUS(ctx, sink->write(sink->user, ctx, "x", 1), KANON_E_INVALID);
    write_text(ctx, sink, "never");
    sink->abandon(sink->user);
    write_text(ctx, sink, "release");
    CHECK_OK(ctx, sink->read_back(sink->user, ctx, &back));
    check_pass(ctx, &back, "release");
    CHECK(read(ends[0], got, sizeof got) < 0 && errno == EAGAIN);
    CHECK_OK(ctx, sink->commit(sink->user, ctx));
    CHECK(read(ends[0], got, sizeof got) == 7);
    CHECK_STR(got, "release");
    close(ends[0]);
    write_text(ctx, sink, "nobody listens");
    CHECK_STATUS(ctx, sink->commit(sink->user, ctx), KANON_E_IO); /* and no SIGPIPE */
    CHECK_STR(kanon_ctx_message(ctx), "standard output: writing: Broken pipe");
    close(ends[1]);
    kanon_sink_free(sink);
    kanon_ctx_free(ctx);
}

TEST(memory_sink)
{
    kanon_ctx   *ctx = new_ctx();
    kanon_sink  *sink = NULL;
    kanon_source back;
    size_t       count = 1;

    CHECK_OK(ctx, kanon_sink_memory(ctx, &sink));
    write_text(ctx, sink, "release");
    kanon_sink_bytes(sink, &count);
    CHECK_EQ_U64(count, 0);
    CHECK_OK(ctx, sink->read_back(sink->user, ctx, &back));
    check_pass(ctx, &back, "release");
    CHECK_OK(ctx, sink->commit(sink->user, ctx));
    sink->abandon(sink->user);
    CHECK_STR(kanon_sink_bytes(sink, &count), "release");
    CHECK_EQ_U64(count, 7);
    write_text(ctx, sink, "more");
    sink->abandon(sink->user);
    kanon_sink_bytes(sink, &count);
    CHECK_EQ_U64(count, 0);
    CHECK_OK(ctx, sink->begin(sink->user, ctx));
    CHECK_OK(ctx, sink->read_back(sink->user, ctx, &back));
    check_pass(ctx, &back, "");
    kanon_sink_free(sink);
    kanon_source_free(NULL);
    kanon_sink_free(NULL);
    kanon_ctx_free(ctx);
}

/* --- memory ------------------------------------------------------------------------------------ */

typedef kanon_status (*make_sink)(kanon_ctx *ctx, kanon_sink **out);

static kanon_status
make_file_sink(kanon_ctx *ctx, kanon_sink **out)
{
    return kanon_sink_file(ctx, in_folder("out.csv"), out);
}

static kanon_status
make_link_sink(kanon_ctx *ctx, kanon_sink **out)
{
    return kanon_sink_file(ctx, in_folder("link.csv"), out);
}

static kanon_status
make_null_sink(kanon_ctx *ctx, kanon_sink **out)
{
    return kanon_sink_file(ctx, "/dev/null", out);
}

static kanon_status
make_fd_sink(kanon_ctx *ctx, kanon_sink **out)
{
    static int null = -1;

    if (null < 0)
        null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    return kanon_sink_fd(ctx, NULL, null, out);
}

static kanon_status
use_sink(kanon_ctx *ctx, void *user)
{
    make_sink    make = *(make_sink *) user;
    kanon_sink  *sink = NULL;
    kanon_source back;
    void        *stream = NULL;
    kanon_status rc;

    KN_TRY(make(ctx, &sink));
    KN_TRY(sink->begin(sink->user, ctx));
    KN_TRY(sink->write(sink->user, ctx, "text", 4));
    KN_TRY(sink->read_back(sink->user, ctx, &back));
    KN_TRY(back.open(back.user, ctx, &stream));
    back.close(stream);
    KN_TRY(sink->commit(sink->user, ctx));
out:
    kanon_sink_free(sink);
    return rc;
}

static kanon_status
use_file_source(kanon_ctx *ctx, void *user)
{
    kanon_source *source = NULL;
    void         *stream = NULL;
    kanon_status  rc;

    KN_TRY(kanon_source_file(ctx, user, &source));
    KN_TRY(source->open(source->user, ctx, &stream));
    source->close(stream);
out:
    kanon_source_free(source);
    return rc;
}

TEST(every_allocation_of_sinks_and_sources_may_fail)
{
    static make_sink makes[] = { make_file_sink, make_link_sink, make_null_sink, make_fd_sink,
                                 kanon_sink_memory };
    size_t           descriptors;

    enter_folder();
    CHECK(symlink("out.csv", in_folder("link.csv")) == 0);
    failing_alloc_sweep(use_sink, &makes[3]);
    descriptors = open_descriptors();
    for (size_t i = 0; i < KN_COUNT(makes); i++)
        failing_alloc_sweep(use_sink, &makes[i]);
    CHECK_EQ_U64(files_in_folder(), 2);
    failing_alloc_sweep(use_file_source, (void *) (uintptr_t) in_folder("out.csv"));
    failing_alloc_sweep(use_file_source, (void *) (uintptr_t) "/dev/null");
    CHECK_EQ_U64(open_descriptors(), descriptors);
    leave_folder();
}

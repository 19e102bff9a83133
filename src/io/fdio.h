/* SPDX-License-Identifier: Apache-2.0 */
/* fdio.h -- reading and writing descriptors. Interrupted calls, short counts and non-blocking descriptors
 * are handled here and nowhere else. Nothing here touches a context, so the library's own threads may use
 * it; a kn_fault carries the details of a failure. */
#ifndef KN_FDIO_H
#define KN_FDIO_H

#include <sys/types.h>

#include "base/base.h"

enum { KN_FAULT_CHANGED = -1 };

/** What went wrong where no context may be touched. error 0: nothing did. */
typedef struct kn_fault {
    int error; /* an errno, or KN_FAULT_CHANGED: a file is not what it was when it was opened */
    const char *place; /* a file or folder; outlives the fault */
    const char *what;  /* "reading" ..., a literal */
} kn_fault;

/** Records a fault and answers its errno, so that `return kn_fault_set(...)` reads well. */
int kn_fault_set(kn_fault *fault, int error, const char *place, const char *what);
/** Says a fault in a context. @return KANON_E_IO */
kanon_status kn_fault_report(const kn_fault *fault, kanon_ctx *ctx);

/* All of these answer 0 or an errno. */

/** One read of at least a byte, or the end (*got == 0); waits where the descriptor would not block. */
int kn_fd_read(int fd, void *buffer, size_t capacity, size_t *got);
/** The same at an offset of a file. */
int kn_fd_read_at(int fd, uint64_t offset, void *buffer, size_t capacity, size_t *got);
int kn_fd_write_all(int fd, const void *bytes, size_t count);
int kn_fd_write_all_at(int fd, uint64_t offset, const void *bytes, size_t count);
/** kn_fd_write_all to a pipe or socket whose other end may have gone: EPIPE comes as an answer, not as
 *  a signal, and the process's own handling of SIGPIPE stays as it is. */
int kn_fd_write_all_pipe(int fd, const void *bytes, size_t count);
int kn_fd_sync(int fd);

enum { KN_FD_SUFFIX_BYTES = 12 };
/** Creates a file of our own (0600, never one that exists) in a folder: name holds a prefix of `length`
 *  bytes and room for KN_FD_SUFFIX_BYTES + 1 more, where a random suffix is put. */
int kn_fd_create(int folder, char *name, size_t length, int *fd);
/** Creates a file of our own (0600) that has no name yet in a folder, so that not even `kill -9` leaves it
 *  behind. Name and length are room and prefix for kn_fd_link(). An error where file system, kernel or a
 *  missing /proc stand in the way of that; kn_fd_create() is there then. */
int kn_fd_create_nameless(int folder, char *name, size_t length, int *fd);
/** Gives a nameless file a name, as random as kn_fd_create()'s. */
int kn_fd_link(int fd, int folder, char *name, size_t length);

#endif

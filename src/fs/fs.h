/* SPDX-License-Identifier: Apache-2.0 */
/* The file systems that come with weir: local files ("file"), memory ("memory", for tests), and a
 * wrapper that makes the n-th call of another file system fail. Everything else goes through
 * spi/fs.h. */
#ifndef WR_FS_FS_H
#define WR_FS_FS_H

#include "spi/registry.h"

/* Put local and memory into the registry; once, at start. False: out of room. */
bool wr_fs_register(void) WR_MUST_USE;

wr_fs *wr_fs_local(void); /* stateless; lives for ever */

/* An empty file system in memory, scheme "memory"; yours. thread: any (one lock) */
wr_fs *wr_fs_memory_create(wr_memtrack *budget) WR_MUST_USE;
void wr_fs_memory_destroy(wr_fs *fs);

/* Faults: the n-th call from now on fails (1 = the next). */
typedef enum wr_fs_fault {
    WR_FS_FAULT_ERROR,    /* the call fails and does nothing */
    WR_FS_FAULT_TORN,     /* an append writes half its bytes, then fails; other calls as ERROR */
    WR_FS_FAULT_UNSYNCED, /* like ERROR; and what was appended since the last sync is lost */
    WR_FS_FAULT_LOST, /* like ERROR; and what was not synced when the file is closed, or the process
                         dies, is lost */
    WR_FS_FAULT_FULL, /* this call and all that follow fail for want of space */
    WR_FS_FAULT_DEAD  /* like UNSYNCED, and all that follow fail too: the machine died */
} wr_fs_fault;
enum {                  /* calls that may fail, a set */
       WR_FS_READS = 1, /* open, read, map, stat, list */
       WR_FS_CREATES = 2,
       WR_FS_APPENDS = 4,
       WR_FS_SYNCS = 8,
       WR_FS_RENAMES = 16, /* and links */
       WR_FS_REMOVES = 32,
       WR_FS_CLOSES = 64,
       WR_FS_ANY_CALL = 127
};
wr_fs *wr_fs_fault_create(wr_fs *inner) WR_MUST_USE; /* borrows inner; yours */
void wr_fs_fault_destroy(wr_fs *fs);
void wr_fs_fault_after(wr_fs *fs, int64_t n, wr_fs_fault how); /* n <= 0 switches off */
/* Only these calls count, and only on files whose path contains `part` (empty: all). */
void wr_fs_fault_only(wr_fs *fs, uint8_t calls, wr_str part);
bool wr_fs_fault_hit(const wr_fs *fs);      /* did it happen? */
int64_t wr_fs_fault_calls(const wr_fs *fs); /* calls so far */

#endif

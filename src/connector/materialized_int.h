/* SPDX-License-Identifier: Apache-2.0 */
/* Private to connector/: the rows of a materialized table. Without a key it is a multiset of rows,
 * in parts: what each subtask of the sink has written (an update's halves may come to different
 * ones, so a part alone may lack rows that it takes away). With a key there is one part and in it a
 * row for each key. Rows and keys are in the row encoding of vec/vec.h.
 *
 * Threads: whoever shares a content holds the lock of the store (materialized.c). */
#ifndef WR_CONNECTOR_MATERIALIZED_INT_H
#define WR_CONNECTOR_MATERIALIZED_INT_H

#include "connector/connector_int.h"

/* ---- changes that wait ----------------------------------------------------------------------- */
typedef struct wri_changes wri_changes;
wri_changes *wri_changes_create(void) WR_MUST_USE; /* NULL: out of memory */
void wri_changes_destroy(wri_changes *c);          /* NULL is fine */
bool wri_changes_empty(const wri_changes *c);
/* Copies. `row` empty: the key is the whole row, of which there may be several. */
bool wri_changes_add(wri_changes *c, bool gone, wr_str key, wr_str row) WR_MUST_USE;

/* ---- content --------------------------------------------------------------------------------- */
typedef struct wri_content wri_content;
wri_content *wri_content_create(wr_str id, uint32_t part) WR_MUST_USE;
void wri_content_destroy(wri_content *c);
wr_str wri_content_id(const wri_content *c);
uint32_t wri_content_part(const wri_content *c);
void wri_content_clear(wri_content *c); /* no rows, nothing prepared */
/* These changes become rows when checkpoint `id` is published. */
void wri_content_prepare(wri_content *c, uint64_t id, wri_changes *take);
/* What was prepared up to checkpoint `id` becomes visible. False: out of memory, try again. */
bool wri_content_publish(wri_content *c, uint64_t id) WR_MUST_USE;
/* The rows of all parts for which `gone` (NULL: of all rows) does not hold, and the changes, become
 * the rows of parts[0], and the other parts empty; what was prepared stays. False: out of memory,
 * all is as before. */
bool wri_content_replace(wri_content *const *parts, uint32_t count, wri_changes *changes,
                         bool (*gone)(void *arg, wr_str row), void *arg) WR_MUST_USE;
/* Rows and prepared changes as operator state; load: all of it is visible then. */
wr_status wri_content_save(wr_ctx *ctx, const wri_content *c, wr_opstate *out) WR_MUST_USE;
wr_status wri_content_load(wr_ctx *ctx, wri_content *c, const wr_opstate *in) WR_MUST_USE;

typedef struct wri_rows {
    wr_str *items;
    uint64_t count;
} wri_rows;
/* All rows of all parts, copied, in the order in which they came to a part. */
bool wri_content_read(wri_content *const *parts, uint32_t count, wr_arena *a,
                      wri_rows *out) WR_MUST_USE;

#endif

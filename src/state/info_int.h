/* SPDX-License-Identifier: Apache-2.0 */
/* What tables are, and what becomes of the tables of a snapshot whose query has changed since:
 * which parts of records stay, which rows and keys are converted, what is refused. For everybody
 * who restores, and for those who say beforehand what restoring would do. */
#ifndef WR_STATE_INFO_INT_H
#define WR_STATE_INFO_INT_H

#include "state/state.h"

#define WRI_HINT_DROP                                                                              \
    "To leave it out, allow non-restored state: -n, or SET "                                       \
    "'execution.state-recovery.ignore-unclaimed-state' = 'true'."

/* ---- what tables are (info.c) ---------------------------------------------------------------- */
wr_status wri_info_make(wr_ctx *ctx, wr_arena *a, const wr_state_desc *d, int32_t parent,
                        wr_state_table_info *out) WR_MUST_USE;
wr_status wri_info_copy(wr_ctx *ctx, wr_arena *a, const wr_state_table_info *t,
                        wr_state_table_info *out) WR_MUST_USE;
/* NULL: it has no such part. */
const wr_state_part_info *wri_info_part_named(const wr_state_table_info *t, wr_str name);
bool wri_info_is_transient(const wr_state_table_info *t, uint32_t offset); /* this byte */
/* Rows whose columns have changed (convert.c). */
uint32_t wri_column_named(const wr_schema *s, wr_str name); /* UINT32_MAX: there is none */
typedef struct wri_convert wri_convert;
typedef enum wri_convert_what {
    WRI_CONVERT_ROW,    /* columns by name; they may come and go */
    WRI_CONVERT_SUBKEY, /* columns by name; they may come */
    WRI_CONVERT_KEY     /* columns by place */
} wri_convert_what;
/* Are the rows of `old` rows of `now`, byte for byte? By types, and by names as well. */
bool wri_types_fit(const wr_schema *old, const wr_schema *now);
bool wri_rows_fit(const wr_schema *old, const wr_schema *now);
/* *out NULL: they cannot become rows of `now`. The schemas are borrowed. */
wr_status wri_convert_make(wr_ctx *ctx, wr_arena *a, const wr_schema *old, const wr_schema *now,
                           wri_convert_what what, const wri_convert **out) WR_MUST_USE;
/* In `a`, or as given. */
wr_status wri_convert_row(wr_ctx *ctx, const wri_convert *c, const uint8_t *p, uint32_t len,
                          wr_arena *a, const uint8_t **out, uint32_t *out_len) WR_MUST_USE;
wr_status wri_convert_key(wr_ctx *ctx, const wri_convert *c, wr_arena *a, const uint8_t **key,
                          uint32_t *len, uint64_t *hash) WR_MUST_USE;

/* What differs, in words: " (amount INT -> BIGINT, new note)"; nothing when nothing does
 * (upgrade.c). */
void wri_info_columns(wr_text *out, const wr_schema *old, const wr_schema *now);

/* How a record of an older layout becomes one of the present: copies of stretches, and blobs that
 * are rows with other columns. */
typedef struct wri_move {
    uint32_t from, to, bytes;
} wri_move;
typedef struct wri_row_move {
    uint32_t from, to;
    const wri_convert *row;
} wri_row_move;
typedef struct wri_layout {
    wr_arena *arena;         /* for the layout, and scratch while an entry is taken in */
    WR_LIST(wri_move) moves; /* ascending in `from` */
    WR_LIST(wri_row_move) rows;
    const wri_convert *key; /* NULL: keys stay as they are */
} wri_layout;
typedef enum wri_part_fate { WRI_PART_STAYS, WRI_PART_CHANGES, WRI_PART_GOES } wri_part_fate;
/* What becomes of part `i` of `old`; *to: of `now`, unless it goes. */
wr_status wri_info_part(wr_ctx *ctx, wr_arena *a, const wr_state_table_info *old, uint32_t i,
                        const wr_state_table_info *now, wri_part_fate *fate,
                        const wr_state_part_info **to, const wri_convert **row) WR_MUST_USE;
/* Can `old`'s entries be taken into `now`? Raises what does not fit, naming the table. Parts that
 * are not there any more are refused unless `allow_dropped`. */
wr_status wri_info_match(wr_ctx *ctx, wr_arena *a, const wr_state_table_info *old,
                         const wr_state_table_info *now, bool allow_dropped,
                         wri_layout *out) WR_MUST_USE;
/* Are stored entries of `old` entries of `now` as they are: every part where it was, as it was?
 * `l`: what wri_info_match has found out. */
bool wri_info_stays(const wr_state_table_info *old, const wr_state_table_info *now,
                    const wri_layout *l);
/* The key of an old entry as it is now; wr_arena_pop of the mark forgets it. */
wr_status wri_layout_key(wr_ctx *ctx, const wri_layout *l, const uint8_t **key, uint32_t *len,
                         uint64_t *hash) WR_MUST_USE;
/* A blob that lay at `from`: where it lies now (UINT32_MAX: nowhere), and its bytes. */
wr_status wri_layout_blob(wr_ctx *ctx, const wri_layout *l, uint32_t from, const uint8_t **p,
                          uint32_t *len, uint32_t *to) WR_MUST_USE;
/* Where byte `from` of an old record has gone to, with `bytes` bytes behind it; UINT32_MAX:
 * nowhere.
 */
uint32_t wri_layout_find(const wri_layout *l, uint32_t from, uint32_t bytes);

#endif

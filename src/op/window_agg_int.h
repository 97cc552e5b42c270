/* SPDX-License-Identifier: Apache-2.0 */
/* Aggregates by windows, and what they have open: private to window_agg*.c. */
#ifndef WR_OP_WINDOW_AGG_INT_H
#define WR_OP_WINDOW_AGG_INT_H

#include "op/agg_int.h"
#include "op/timers_int.h"
#include "op/windows_int.h"

/* ---- open windows (window_open.c) ------------------------------------------------------------ */
/* Which windows have groups, and which groups: per key group and window a list of the groups' keys,
 * appended as groups are made. The ends of the open windows are kept in memory, in order.
 *
 *   value table "windows"   key: key group (4 bytes, little endian), end (8 bytes, little endian);
 *                           its hash is the lowest one of the key group, with the end mixed in
 * below list                    [hash of the key, 8 bytes] [length, 4 bytes] [key] ... */
typedef struct wri_open_window {
    wr_blob keys;
    uint64_t count;
} wri_open_window;

typedef struct wri_open {
    wr_op *op;
    wr_state_table *table;
    uint32_t kg_first, kg_count;
    int64_t *ends, *first_end; /* ascending; where their room begins */
    uint32_t end_count, end_cap;
    uint32_t *slots; /* per key group, of the window being read */
    int64_t reading;
    uint32_t group, pos; /* where reading goes on: key group, byte of its list */
    wr_arena *scratch;
} wri_open;

typedef struct wri_open_keys { /* keys of groups that were read */
    wr_keys keys;
    const uint64_t *hash; /* of the keys without a window */
    uint32_t n;
} wri_open_keys;

#define WRI_NO_WINDOW INT64_MIN /* the end of what is no window: not among the open ones */

wr_status wri_open_init(wr_ctx *ctx, wr_op *op, const wri_keyspec *keys, wri_open *out) WR_MUST_USE;
void wri_open_deinit(wri_open *o);
/* In restore: the state is back. */
wr_status wri_open_restore(wr_ctx *ctx, wri_open *o) WR_MUST_USE;
/* Groups were made: keys i of `keys` with bit i of `fresh`, in the windows ends[i]; hash[i]: of the
 * key without its window. */
wr_status wri_open_note(wr_ctx *ctx, wri_open *o, const wr_keys *keys, const uint64_t *hash,
                        const uint64_t *fresh, const int64_t *ends) WR_MUST_USE;
/* Start to read the groups of one window; then as many keys as fit (none: the end). */
wr_status wri_open_read(wr_ctx *ctx, wri_open *o, int64_t end) WR_MUST_USE;
wr_status wri_open_next(wr_ctx *ctx, wri_open *o, const wri_keyspec *spec, wr_arena *arena,
                        wri_open_keys *out) WR_MUST_USE;
/* Forget the window that was read. */
void wri_open_drop(wri_open *o);

/* The hash of a key in a window: of the same key group as the key's. */
WR_ALWAYS_INLINE uint64_t
wri_window_hash(uint64_t key_hash, int64_t end)
{
    uint64_t x = (key_hash & 0xffffffffu) ^ ((uint64_t)end * 0x9e3779b97f4a7c15ull >> 29);
    x = (x ^ x >> 15) * 0x2c1b3c6dull;
    return (key_hash & ~0xffffffffull) | ((x ^ x >> 12) & 0xffffffffull);
}

/* ---- slots of open windows (window_held.c) --------------------------------------------------- */
typedef struct wri_held {
    int64_t end;
    bool whole; /* no groups but these */
    uint32_t n, cap;
    uint64_t *hash;   /* of the keys without their window */
    uint32_t *slots;  /* of the groups */
    uint32_t *merged; /* slides: of the groups that they are merged into, once they are */
} wri_held;

/* ---- merged groups in memory of their own (window_kept.c) ------------------------------------ */
/* Where the groups of windows that slide lie when their accumulators are plain bytes and the
 * backend keeps its state in memory anyway: they are made again from the slices behind a restart,
 * so no snapshot has to know them. They lie densely, in pages that never move, in any order, and
 * are found by their keys without the window. The head of a record, wri_group: rows counts the
 * slices that it is in (0: a free one), serial is the length of the key, note the next free one. */
#define WRI_KEPT_CLASSES 28u
#ifdef WR_TINY
#define WRI_KEPT_SHIFT 2u
#else
#define WRI_KEPT_SHIFT 10u /* records per page */
#endif
typedef struct wri_kept_groups {
    wr_memtrack *budget;
    uint64_t *cells; /* low half of the hash << 32 | number + 1; 0: empty */
    uint32_t mask, cell_count;
    uint8_t **pages;
    uint32_t page_count, page_cap;
    uint32_t stride, key_at;   /* bytes of a record; where its key is */
    uint32_t used, live, free; /* free: number + 1 */
    wr_arena *far_keys;        /* those that do not fit in a record; freed ones by size */
    void *far_free[WRI_KEPT_CLASSES];
} wri_kept_groups;

typedef struct wri_group_key { /* a key with its window */
    const uint8_t *data;
    uint32_t len;
} wri_group_key;

/* ---- the operator (window_agg.c takes rows in, window_fire.c lets windows out) --------------- */
typedef struct wri_window_shown { /* head of a group's record where changes are shown */
    wri_group group;
    wr_blob sent;               /* the results that were shown, if is_shown */
    int64_t next;               /* processing time: fires then; 0: it is not set */
    uint32_t is_shown, is_over; /* is_over: fired when its window was over */
} wri_window_shown;

typedef struct wri_window_agg {
    wr_op op;
    wri_windows w;
    wri_keyspec keys, in_window; /* columns of the input; with the window: [start,] end */
    bool has_start;              /* sessions: the end does not tell the start */
    wri_aggs aggs;
    wri_open open;
    bool holds;     /* slots stay good between batches */
    wri_held *held; /* holds: of the open windows or slices */
    uint32_t held_count, held_cap;
    const uint32_t
        *out_slots; /* of the window that is coming out; NULL: it is read from the state */
    uint32_t out_count, out_at;
    bool *used;  /* columns of the input that are looked at */
    bool slices; /* HOP, CUMULATE: groups are of slices, which windows are put together from */
    bool one;    /* each row goes to one group */
    bool slides; /* slices: the groups of a window are kept for the next one (window_slide.c) */
    bool stale;  /* slides: what is kept is to be forgotten */
    int64_t merged_from, merged_to; /* slides: the slices behind `from`, up to `to`, are merged */
    uint64_t listed, dead;          /* slides: groups that are kept, of them in no slice */
    uint32_t *kept, kept_count, kept_cap; /* slides, holds: slots of the kept groups */
    wr_arena *kept_arena;
    bool keeps; /* slides: the kept groups are these */
    wri_kept_groups groups;
    int64_t watermark;
    int64_t due;         /* windows that close up to this time come out */
    int64_t fired;       /* those that close up to this time have come out */
    int64_t last_window; /* the end of the one that came out last */
    bool giving;         /* a window is coming out: the keys that are being read, with this end */
    bool gives_slice;    /* ... which are those of a slice, or kept, and stay */
    int64_t window_end;
    int64_t asked; /* processing time: the runtime will call at this time */
    wr_arena *scratch;
    wr_batch *in; /* being taken in, up to row `at` */
    uint32_t at;
    /* where changes are shown (window_emit.c) */
    const wr_window_emit *emit; /* NULL: they are not */
    uint32_t *result_cols;
    bool has_timers, by_timers; /* by_timers: what is pending are timers */
    wri_timers timers;
    uint32_t serial;
} wri_window_agg;

WR_ALWAYS_INLINE bool
wri_window_retracts(const wri_window_agg *g)
{
    return g->op.node->u.agg.retract;
}
/* Let out what is due (g->due); on_resume too. */
wr_status wri_window_fire(wr_ctx *ctx, wr_op *op, wr_emitter *emit) WR_MUST_USE;
/* window_held.c: the slots of a window; NULL: they are not known. */
wri_held *wri_held_of(const wri_window_agg *g, int64_t end);
void wri_held_drop(wri_window_agg *g, int64_t end);
void wri_held_close(wri_window_agg *g);
/* Windows that a restart brought back are not known. */
wr_status wri_held_restore(wr_ctx *ctx, wri_window_agg *g) WR_MUST_USE;
/* Groups were made, as for wri_open_note. */
wr_status wri_held_note(wr_ctx *ctx, wri_window_agg *g, const uint64_t *hash, const uint32_t *slots,
                        const uint64_t *fresh, const int64_t *ends, uint32_t n) WR_MUST_USE;
/* The keys of groups, as if read from a window; `hash` is borrowed. */
wr_status wri_held_keys(wr_ctx *ctx, wri_window_agg *g, const uint64_t *hash, const uint32_t *slots,
                        uint32_t n, wri_open_keys *out) WR_MUST_USE;
/* The next rows of g->out_slots; *done: there are no more. */
wr_status wri_held_out(wr_ctx *ctx, wri_window_agg *g, wr_emitter *emit, bool *done) WR_MUST_USE;
/* Key columns and window of the rows whose groups have these keys; then the results are wanted. */
wr_status wri_held_put_keys(wr_ctx *ctx, wri_window_agg *g, const wri_group_key *keys, uint32_t n,
                            wr_batch *out) WR_MUST_USE;
/* window_kept.c. */
wr_status wri_kept_open(wr_ctx *ctx, wri_window_agg *g) WR_MUST_USE;
void wri_kept_close(wri_window_agg *g);
void wri_kept_forget(wri_window_agg *g); /* all of them */
/* The groups of keys, whatever their window; made where there is none (rows == 0). */
wr_status wri_kept_resolve(wr_ctx *ctx, wri_window_agg *g, const wri_open_keys *keys,
                           uint32_t *groups) WR_MUST_USE;
/* Groups that are in no slice any more. */
void wri_kept_remove(wri_window_agg *g, uint32_t group);
/* The keys of groups in the window that ends there, in g->scratch. */
wr_status wri_kept_keys(wr_ctx *ctx, wri_window_agg *g, const uint32_t *groups, uint32_t n,
                        int64_t end, wr_keys *out) WR_MUST_USE;
/* The next rows of the window that is coming out; *done: there are no more. */
wr_status wri_kept_out(wr_ctx *ctx, wri_window_agg *g, wr_emitter *emit, bool *done) WR_MUST_USE;
WR_ALWAYS_INLINE uint8_t *
wri_kept_at(const wri_window_agg *g, uint32_t group)
{
    return g->groups.pages[group >> WRI_KEPT_SHIFT] +
           (size_t)(group & ((1u << WRI_KEPT_SHIFT) - 1)) * g->groups.stride;
}
/* window_slide.c: can the groups of a window be made from those of the one before? */
bool wri_window_can_slide(const wri_window_agg *g);
/* What is merged is not what the slices hold any more. */
void wri_window_stale(wri_window_agg *g);
/* The same keys with another end of the window, which is the last column of a key, eight bytes. */
wr_status wri_window_rekey(wr_ctx *ctx, wri_window_agg *g, const wri_open_keys *from, int64_t end,
                           wr_keys *out) WR_MUST_USE;
/* The groups of the window (start, end] become those that are in WRI_NO_WINDOW. */
wr_status wri_window_slide(wr_ctx *ctx, wri_window_agg *g, int64_t start, int64_t end) WR_MUST_USE;
/* Groups of a slice that goes, the first that is merged: taken out of the merged ones. Behind it
 * g->merged_from has to be its end already. */
wr_status wri_window_unmerge(wr_ctx *ctx, wri_window_agg *g, const wri_open_keys *keys,
                             const uint32_t *slots) WR_MUST_USE;
/* The same by slots. */
wr_status wri_window_unmerge_held(wr_ctx *ctx, wri_window_agg *g, const wri_held *h) WR_MUST_USE;
/* Start, end and time of the window that is coming out. `starts`: of each row; NULL: the window's
 * end tells it. */
wr_status wri_window_props(wr_ctx *ctx, const wri_window_agg *g, const int64_t *starts, uint32_t n,
                           wr_batch *out) WR_MUST_USE;
/* Forget kept groups that are in no slice, when there are many. */
wr_status wri_window_bury(wr_ctx *ctx, wri_window_agg *g) WR_MUST_USE;
/* window_emit.c, where g->emit: opening; rows and their groups, whose changes come out; windows
 * that are over by g->due; timers that are due. */
wr_status wri_window_emit_open(wr_ctx *ctx, wri_window_agg *g) WR_MUST_USE;
void wri_window_emit_close(wri_window_agg *g);
wr_status wri_window_emit_rows(wr_ctx *ctx, wri_window_agg *g, const wr_batch *rows,
                               const uint32_t *slots, const wr_keys *keys, const int64_t *ends,
                               wr_emitter *emit) WR_MUST_USE;
wr_status wri_window_emit_fire(wr_ctx *ctx, wri_window_agg *g, wr_emitter *emit) WR_MUST_USE;
wr_status wri_window_emit_timers(wr_ctx *ctx, wri_window_agg *g, wr_emitter *emit) WR_MUST_USE;
/* The time at which a window takes no more rows. */
WR_ALWAYS_INLINE int64_t
wri_window_gone(const wri_window_agg *g, int64_t end)
{
    int64_t late = end;
    if (g->emit && __builtin_add_overflow(end, g->emit->lateness_ms, &late)) late = INT64_MAX;
    return wri_windows_closes(&g->w, late);
}
/* Processing time: be called when the next window closes. */
wr_status wri_window_ask(wri_window_agg *g) WR_MUST_USE;

#endif

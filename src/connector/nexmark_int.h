/* SPDX-License-Identifier: Apache-2.0 */
/* Private to connector/: the parts of the Nexmark source.
 *
 * nexmark.c options, splits, the reader; nexmark_columns.c the batch; nexmark_tables.c the random
 * numbers of java.util.SplittableRandom and what is made once of them (urls, filler);
 * nexmark_words.isa.c its words; nexmark_java.c events in the draw order of the public generator;
 * nexmark_counter.isa.c events as functions of their number, a column at a time. */
#ifndef WR_CONNECTOR_NEXMARK_INT_H
#define WR_CONNECTOR_NEXMARK_INT_H

#include "connector/connector_int.h"

#define WRI_NX_POOL     (1u << 20)
#define WRI_NX_NEAR     (1u << 16) /* counter: fillers come from the pool's first part */
#define WRI_NX_CHANNELS 10000u
#define WRI_NX_HOT      4u

typedef struct wri_nx_config {
    int64_t events, stop_at; /* events INT64_MAX-like when unbounded */
    int64_t base_time_ms;
    double rate;
    int32_t person, auction, bid, total;            /* proportions */
    int32_t hot_auctions, hot_bidders, hot_sellers; /* P(hot) = 1 - 1/r */
    int32_t person_size, auction_size, bid_size;
    int64_t seed, seed_channels, seed_extra;
    bool bounded, counter, keep_alive, paced;
} wri_nx_config;

/* A word as the generator makes it: 3..max-1 letters (max <= 100), every 13th the special one; then
 * trimmed. One build per ISA level. */
typedef uint32_t (*wri_nx_word_fn)(uint64_t *state, int32_t max, char special, char *out);
uint32_t wri_nx_word_v1(uint64_t *state, int32_t max, char special, char *out);
uint32_t wri_nx_word_v3(uint64_t *state, int32_t max, char special, char *out);
uint32_t wri_nx_word_v4(uint64_t *state, int32_t max, char special, char *out);

/* Made once per reader, kept by the batches that point into it. */
typedef struct wri_nx_tables {
    wr_ref refs;
    wr_strv channel[WRI_NX_CHANNELS + WRI_NX_HOT]; /* hot ones last */
    wr_strv url[WRI_NX_CHANNELS + WRI_NX_HOT];
    char digits[WRI_NX_CHANNELS][4];
    char text[WRI_NX_CHANNELS * 112]; /* urls */
    char pool[WRI_NX_POOL + 64];
    char words[WRI_NX_NEAR + 128]; /* counter: names and descriptions are pieces of it */
    double root[64];               /* 2^(i/64) */
    wri_nx_word_fn word;
} wri_nx_tables;

wri_nx_tables *wri_nx_tables_create(const wri_nx_config *c) WR_MUST_USE;
void wri_nx_tables_release(void *tables);

/* java.util.SplittableRandom */
WR_ALWAYS_INLINE int32_t
wri_nx_int(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 33)) * 0x62a9d9ed799705f5ull;
    return (int32_t)(((z ^ (z >> 28)) * 0xcb24d0a5c88c35b3ull) >> 32);
}
WR_ALWAYS_INLINE int64_t
wri_nx_long(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return (int64_t)(z ^ (z >> 31));
}
WR_ALWAYS_INLINE int32_t
wri_nx_below(uint64_t *state, int32_t bound)
{
    int32_t r = wri_nx_int(state), m = bound - 1;
    if ((bound & m) == 0) return r & m;
    for (uint32_t u = (uint32_t)r >> 1;; u = (uint32_t)wri_nx_int(state) >> 1) {
        r = (int32_t)(u % (uint32_t)bound);
        if ((int32_t)(u + (uint32_t)m - (uint32_t)r) >= 0) return r;
    }
}
WR_ALWAYS_INLINE double
wri_nx_unit(uint64_t *state)
{
    return (double)((uint64_t)wri_nx_long(state) >> 11) * 0x1p-53;
}
/* Without spaces around; the new length. */
WR_ALWAYS_INLINE uint32_t
wri_nx_trim(char *out, uint32_t n)
{
    uint32_t from = 0;
    while (n > 0 && out[n - 1] == ' ') n--;
    while (from < n && out[from] == ' ') from++;
    if (from) memmove(out, out + from, n - from);
    return n - from;
}
/* A word of the same distribution from fewer draws; may write three bytes more. */
uint32_t wri_nx_word_fast(uint64_t *state, int32_t max, char special, char *out);

extern const char *const wri_nx_first[11], *const wri_nx_last[9], *const wri_nx_city[10],
                                                                      *const wri_nx_state[6];

/* ---- ids ------------------------------------------------------------------------------------- */
typedef struct wri_nx_ids { /* of an event: the last person and auction before or with it */
    int64_t person, auction;
} wri_nx_ids;
/* epoch = id / total, o = id % total */
WR_ALWAYS_INLINE wri_nx_ids
wri_nx_ids_of(const wri_nx_config *c, int64_t epoch, int64_t o)
{
    wri_nx_ids r = {.person = epoch * c->person + WR_MIN(o, (int64_t)c->person - 1)};
    if (o < c->person)
        r.auction = epoch * c->auction - 1;
    else if (o >= c->person + c->auction)
        r.auction = epoch * c->auction + c->auction - 1;
    else
        r.auction = epoch * c->auction + o - c->person;
    return r;
}

/* ---- columns of the batch -------------------------------------------------------------------- */
typedef struct wri_nx_rare { /* a dictionary of events; v NULL: not wanted */
    wr_vec *v;
    uint32_t *dict, next; /* row -> entry; the next entry */
} wri_nx_rare;

typedef struct wri_nx_out { /* NULL = not wanted */
    int32_t *type;
    wri_nx_rare person, auction;
    wr_vec *bid;
    wr_arena *arena;
} wri_nx_out;

/* The columns of `fill` for `rows` events; close when they are there. False: out of memory. */
bool wri_nx_open_columns(const wri_nx_config *c, const wr_source_spec *spec, wr_batch *fill,
                         uint32_t rows, wri_nx_out *out) WR_MUST_USE;
void wri_nx_close_columns(wri_nx_out *out);
/* The entry of an event of `r` at `row`. */
WR_ALWAYS_INLINE uint32_t
wri_nx_entry(wri_nx_rare *r, uint32_t row)
{
    return r->dict[row] = r->next++;
}
/* Rows [row, row + n) are bids. */
void wri_nx_mark(wr_vec *bid, uint32_t row, uint32_t n);
/* Is the field of a ROW column read by anybody? */
WR_ALWAYS_INLINE bool
wri_nx_is_read(const wr_vec *row_vec, uint32_t field)
{
    return row_vec->child[field].form == WR_FORM_FLAT;
}

typedef struct wri_nx_split {
    uint32_t index, count;
    int64_t first_id, events, done;
    double delay_us;
    uint64_t rng;
} wri_nx_split;

/* Rows [row, row + n) of the split's next events. False: out of memory. */
bool wri_nx_java(const wri_nx_config *c, const wri_nx_tables *t, wri_nx_split *s, wri_nx_out *out,
                 uint32_t row, uint32_t n) WR_MUST_USE;

/* Columns of bids by event number, one build per ISA level. */
typedef struct wri_nx_bids { /* of consecutive bids: ids first_id + i */
    int64_t first_id, n0;    /* n0: event number of the first, for its time */
    uint32_t row, count;
} wri_nx_bids;
typedef void (*wri_nx_bid_fn)(const wri_nx_config *c, const wri_nx_tables *t, double delay_us,
                              const wri_nx_bids *b, wr_vec *bid);
void wri_nx_bid_columns_v1(const wri_nx_config *c, const wri_nx_tables *t, double delay_us,
                           const wri_nx_bids *b, wr_vec *bid);
void wri_nx_bid_columns_v3(const wri_nx_config *c, const wri_nx_tables *t, double delay_us,
                           const wri_nx_bids *b, wr_vec *bid);
void wri_nx_bid_columns_v4(const wri_nx_config *c, const wri_nx_tables *t, double delay_us,
                           const wri_nx_bids *b, wr_vec *bid);
bool wri_nx_counter(const wri_nx_config *c, const wri_nx_tables *t, wri_nx_split *s,
                    wri_nx_out *out, uint32_t row, uint32_t n) WR_MUST_USE;

/* One person or auction, drawn from `rng` in the public generator's order, as the event of `row`.
 */
bool wri_nx_person(const wri_nx_config *c, const wri_nx_tables *t, uint64_t *rng, wri_nx_ids ids,
                   int64_t ts, wri_nx_rare *r, uint32_t row, wr_arena *a) WR_MUST_USE;
bool wri_nx_auction(const wri_nx_config *c, const wri_nx_tables *t, uint64_t *rng, wri_nx_ids ids,
                    int64_t ts, int64_t horizon_ms, wri_nx_rare *r, uint32_t row,
                    wr_arena *a) WR_MUST_USE;

#endif

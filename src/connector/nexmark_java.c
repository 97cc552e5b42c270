/* SPDX-License-Identifier: Apache-2.0 */
/* Nexmark events drawn one after the other from java.util.SplittableRandom, in the public
 * generator's order: with the same seeds the same bytes. Draws happen whether or not a column is
 * wanted. Strings point into the tables or the batch's arena. */
#include "connector/nexmark_int.h"

#include <math.h>

WR_ALWAYS_INLINE int64_t
below_long(uint64_t *rng, int64_t n)
{
    if (n < INT32_MAX) return wri_nx_below(rng, (int32_t)n);
    int64_t r = wri_nx_long(rng) % n;
    return r < 0 ? -r : r;
}

static int64_t
exact_cents(double x)
{
    return (int64_t)floor(pow(10.0, x) * 100.0 + 0.5);
}

/* round(10^x * 100) for 0 <= x < 6. A table and a polynomial are right to about 1e-5 in the last
 * place; where that could change the rounding, pow() decides. */
WR_ALWAYS_INLINE int64_t
cents_of(const wri_nx_tables *t, double x)
{
    const double y = x * (64 * 3.32192809488736234787); /* log2(10) */
    const double k = (y + 0x1.8p52) - 0x1.8p52, f = (y - k) * (0.693147180559945309417 / 64);
    const int64_t i = (int64_t)k;
    const double p = 1.0 + f * (1.0 + f * (1.0 / 2 + f * (1.0 / 6 + f * (1.0 / 24))));
    const double cents = t->root[i & 63] * p * (double)(int64_t)(1ull << (i >> 6)) * 100.0 + 0.5;
    const int64_t whole = (int64_t)cents;
    const double rest = cents - (double)whole;
    return WR_LIKELY(rest > 1e-3 && rest < 1 - 1e-3) ? whole : exact_cents(x);
}

WR_ALWAYS_INLINE int64_t
price(const wri_nx_tables *t, uint64_t *rng)
{
    return cents_of(t, wri_nx_unit(rng) * 6.0);
}

WR_ALWAYS_INLINE int64_t
time_of(const wri_nx_config *c, double delay_us, int64_t n)
{
    return c->base_time_ms + (int64_t)((double)n * delay_us) / 1000;
}

WR_ALWAYS_INLINE int64_t
some_person(uint64_t *rng, wri_nx_ids ids)
{
    int64_t n = ids.person + 1, active = WR_MIN(n, 1000);
    return n - active + below_long(rng, active + 10);
}

/* Filler that brings an event from `used` to about `average` bytes. */
WR_ALWAYS_INLINE wr_strv
filler(const wri_nx_tables *t, uint64_t *rng, int32_t used, int32_t average, uint32_t pool)
{
    if (used > average) return wr_strv_make(NULL, 0);
    int32_t want = average - used, delta = (int32_t)floor(want * 0.2 + 0.5);
    int32_t n = want - delta + (delta == 0 ? 0 : wri_nx_below(rng, 2 * delta));
    int32_t at = wri_nx_below(rng, (int32_t)pool - n);
    return wr_strv_make(t->pool + at, (uint32_t)n);
}

WR_ALWAYS_INLINE void
put_long(wr_vec *row_vec, uint32_t field, uint32_t row, int64_t x)
{
    if (wri_nx_is_read(row_vec, field)) ((int64_t *)row_vec->child[field].data)[row] = x;
}

WR_ALWAYS_INLINE void
put_str(wr_vec *row_vec, uint32_t field, uint32_t row, wr_strv s)
{
    if (wri_nx_is_read(row_vec, field)) ((wr_strv *)row_vec->child[field].data)[row] = s;
}

WR_ALWAYS_INLINE uint32_t
pool_of(const wri_nx_config *c)
{
    return c->counter ? WRI_NX_NEAR : WRI_NX_POOL;
}

/* A word as a piece of the table of words. */
WR_ALWAYS_INLINE wr_strv
piece(const wri_nx_tables *t, uint64_t *rng, uint32_t max)
{
    uint64_t h = (uint64_t)wri_nx_long(rng);
    uint32_t n = 3 + (uint32_t)(((h & 0xffffffff) * (max - 3)) >> 32);
    const char *p = t->words + ((h >> 32) * WRI_NX_NEAR >> 32);
    while (n > 0 && p[n - 1] == ' ') n--;
    while (n > 0 && *p == ' ') p++, n--;
    return wr_strv_make(p, n);
}

WR_ALWAYS_INLINE uint32_t
word(const wri_nx_config *c, const wri_nx_tables *t, uint64_t *rng, int32_t max, char *out)
{
    return c->counter ? wri_nx_word_fast(rng, max, ' ', out) : t->word(rng, max, ' ', out);
}

static char *
put_c(char *o, const char *s)
{
    size_t n = strlen(s);
    memcpy(o, s, n);
    return o + n;
}

bool
wri_nx_person(const wri_nx_config *c, const wri_nx_tables *t, uint64_t *rng, wri_nx_ids ids,
              int64_t ts, wri_nx_rare *r, uint32_t row, wr_arena *a)
{
    wr_vec *v = r->v;
    char discard[128], *buf = v ? wr_arena_alloc(a, 96) : discard;
    if (!buf) return false;
    char *name = buf, *o = put_c(buf, wri_nx_first[wri_nx_below(rng, 11)]);
    *o++ = ' ';
    o = put_c(o, wri_nx_last[wri_nx_below(rng, 9)]);
    uint32_t name_len = (uint32_t)(o - name);
    char *email = o;
    o += word(c, t, rng, 7, o);
    *o++ = '@';
    o += word(c, t, rng, 5, o);
    o = put_c(o, ".com");
    uint32_t email_len = (uint32_t)(o - email);
    char *card = o;
    for (int i = 0; i < 4; i++) {
        if (i) *o++ = ' ';
        memcpy(o, t->digits[wri_nx_below(rng, 10000)], 4);
        o += 4;
    }
    const char *city = wri_nx_city[wri_nx_below(rng, 10)];
    const char *state = wri_nx_state[wri_nx_below(rng, 6)];
    uint32_t city_len = (uint32_t)strlen(city);
    int32_t used = 8 + (int32_t)(name_len + email_len + 19 + city_len + 2);
    wr_strv extra = filler(t, rng, used, c->person_size, pool_of(c));
    if (!v) return true;
    row = wri_nx_entry(r, row);
    put_long(v, 0, row, ids.person + 1000);
    put_str(v, 1, row, wr_strv_make(name, name_len));
    put_str(v, 2, row, wr_strv_make(email, email_len));
    put_str(v, 3, row, wr_strv_make(card, 19));
    put_str(v, 4, row, wr_strv_make(city, city_len));
    put_str(v, 5, row, wr_strv_make(state, 2));
    put_long(v, 6, row, ts);
    put_str(v, 7, row, extra);
    return true;
}

bool
wri_nx_auction(const wri_nx_config *c, const wri_nx_tables *t, uint64_t *rng, wri_nx_ids ids,
               int64_t ts, int64_t horizon_ms, wri_nx_rare *r, uint32_t row, wr_arena *a)
{
    wr_vec *v = r->v;
    char discard[160], *buf = discard;
    if (v && !c->counter && !(buf = wr_arena_alloc(a, 128))) return false;
    int64_t seller =
        (wri_nx_below(rng, c->hot_sellers) > 0 ? ids.person / 100 * 100 : some_person(rng, ids)) +
        1000;
    int64_t category = 10 + wri_nx_below(rng, 5), initial = price(t, rng);
    int64_t expires = ts + 1 + below_long(rng, WR_MAX(2 * horizon_ms, (int64_t)1));
    wr_strv name, text;
    if (c->counter) {
        name = piece(t, rng, 20);
        text = piece(t, rng, 100);
    } else {
        uint32_t n = t->word(rng, 20, ' ', buf);
        name = wr_strv_make(buf, n);
        text = wr_strv_make(buf + n, t->word(rng, 100, ' ', buf + n));
    }
    int64_t reserve = initial + price(t, rng);
    wr_strv extra =
        filler(t, rng, 48 + (int32_t)(name.len + text.len), c->auction_size, pool_of(c));
    if (!v) return true;
    row = wri_nx_entry(r, row);
    put_long(v, 0, row, ids.auction + 1000);
    put_str(v, 1, row, name);
    put_str(v, 2, row, text);
    put_long(v, 3, row, initial);
    put_long(v, 4, row, reserve);
    put_long(v, 5, row, ts);
    put_long(v, 6, row, expires);
    put_long(v, 7, row, seller);
    put_long(v, 8, row, category);
    put_str(v, 9, row, extra);
    return true;
}

/* ---- bids ------------------------------------------------------------------------------------ */

typedef struct bid_run { /* what bids of one epoch have in common, and where they go */
    const wri_nx_config *c;
    const wri_nx_tables *t;
    wri_nx_ids ids;
    int64_t hot_auction, hot_bidder;
    int32_t extra_least, extra_span;        /* span 0: least is the length; least < 0: no filler */
    int64_t *auction, *bidder, *price, *ts; /* NULL: not read */
    wr_strv *channel, *url, *extra;
} bid_run;

static void *
column(const wr_vec *bid, uint32_t field)
{
    return bid && wri_nx_is_read(bid, field) ? bid->child[field].data : NULL;
}

static void
begin_bids(const wri_nx_config *c, const wri_nx_tables *t, const wr_vec *bid, bid_run *b)
{
    *b = (bid_run){.c = c, .t = t, .extra_least = -1};
    b->auction = column(bid, 0);
    b->bidder = column(bid, 1);
    b->price = column(bid, 2);
    b->channel = column(bid, 3);
    b->url = column(bid, 4);
    b->ts = column(bid, 5);
    b->extra = column(bid, 6);
    if (c->bid_size < 32) return;
    const int32_t want = c->bid_size - 32, delta = (int32_t)floor(want * 0.2 + 0.5);
    b->extra_least = want - delta;
    b->extra_span = 2 * delta;
}

/* Hot with probability 1 - 1/ratio: the hot one costs no further draw. Both are made, so that
 * nothing hangs on a branch that nobody can predict. */
WR_ALWAYS_INLINE int64_t
hot_or_cold(uint64_t *rng, int32_t ratio, int64_t hot, int64_t cold_from, int64_t cold_span)
{
    const bool is_hot = wri_nx_below(rng, ratio) > 0;
    uint64_t further = *rng;
    const int64_t cold = cold_from + below_long(&further, cold_span);
    *rng = is_hot ? *rng : further;
    return is_hot ? hot : cold;
}

WR_ALWAYS_INLINE uint32_t
some_channel(uint64_t *rng)
{
    const bool hot = wri_nx_below(rng, 2) > 0;
    uint64_t a = *rng, b = *rng;
    const uint32_t one = WRI_NX_CHANNELS + (uint32_t)wri_nx_below(&a, 4);
    const uint32_t other = (uint32_t)wri_nx_below(&b, 10000);
    *rng = hot ? a : b;
    return hot ? one : other;
}

/* The draws of one bid; its columns at `row`. */
WR_ALWAYS_INLINE void
one_bid(const bid_run *b, uint64_t *rng, int64_t ts, uint32_t row)
{
    const wri_nx_ids ids = b->ids;
    const int64_t max = ids.auction, min = WR_MAX(max - 100, (int64_t)0);
    const int64_t n = ids.person + 1, active = WR_MIN(n, 1000);
    const int64_t auction =
        hot_or_cold(rng, b->c->hot_auctions, b->hot_auction, min, max - min + 1 + 10);
    const int64_t bidder =
        hot_or_cold(rng, b->c->hot_bidders, b->hot_bidder, n - active, active + 10);
    const int64_t cents = price(b->t, rng);
    const uint32_t k = some_channel(rng);
    wr_strv extra = wr_strv_make(NULL, 0);
    if (b->extra_least >= 0) {
        const int32_t more = b->extra_span ? wri_nx_below(rng, b->extra_span) : 0;
        const int32_t len = b->extra_least + more;
        const int32_t at = wri_nx_below(rng, (int32_t)WRI_NX_POOL - len);
        extra = wr_strv_make(b->t->pool + at, (uint32_t)len);
    }
    if (b->auction) b->auction[row] = auction + 1000;
    if (b->bidder) b->bidder[row] = bidder + 2000; /* 1000 twice, as the public generator does */
    if (b->price) b->price[row] = cents;
    if (b->channel) b->channel[row] = b->t->channel[k];
    if (b->url) b->url[row] = b->t->url[k];
    if (b->ts) b->ts[row] = ts;
    if (b->extra) b->extra[row] = extra;
}

static void
some_bids(bid_run *b, wri_nx_split *s, uint64_t *rng, wri_nx_ids ids, uint32_t row, uint32_t count)
{
    const double delay_us = s->delay_us;
    int64_t n = s->done;
    b->ids = ids;
    b->hot_auction = ids.auction / 100 * 100;
    b->hot_bidder = ids.person / 100 * 100 + 1;
    for (uint32_t i = row; i < row + count; i++) one_bid(b, rng, time_of(b->c, delay_us, ++n), i);
    s->done = n;
}

/* Under another event the values of `bid` are zero and empty: they may be looked at. */
static void
no_bid(const bid_run *b, uint32_t row)
{
    const wr_strv empty = wr_strv_make(NULL, 0);
    if (b->auction) b->auction[row] = 0;
    if (b->bidder) b->bidder[row] = 0;
    if (b->price) b->price[row] = 0;
    if (b->ts) b->ts[row] = 0;
    if (b->channel) b->channel[row] = empty;
    if (b->url) b->url[row] = empty;
    if (b->extra) b->extra[row] = empty;
}

static bool
person_or_auction(const wri_nx_config *c, const wri_nx_tables *t, wri_nx_split *s, uint64_t *rng,
                  wri_nx_ids ids, bool person, wri_nx_out *out, uint32_t row)
{
    const int64_t n = ++s->done, ts = time_of(c, s->delay_us, n);
    if (person) return wri_nx_person(c, t, rng, ids, ts, &out->person, row, out->arena);
    const int64_t horizon = time_of(c, s->delay_us, n + 100ll * c->total / c->auction) - ts;
    return wri_nx_auction(c, t, rng, ids, ts, horizon, &out->auction, row, out->arena);
}

bool
wri_nx_java(const wri_nx_config *c, const wri_nx_tables *t, wri_nx_split *s, wri_nx_out *out,
            uint32_t row, uint32_t count)
{
    uint64_t rng = s->rng;
    int64_t epoch = (s->first_id + 1 + s->done) / c->total;
    int64_t rem = (s->first_id + 1 + s->done) % c->total;
    const int64_t first_bid = c->person + c->auction;
    bid_run b;
    begin_bids(c, t, out->bid, &b);
    for (const uint32_t end = row + count; row < end;) {
        const wri_nx_ids ids = wri_nx_ids_of(c, epoch, rem);
        uint32_t same = 1;
        int32_t type = 2;
        if (rem >= first_bid) {
            same = (uint32_t)WR_MIN(c->total - rem, (int64_t)(end - row));
            some_bids(&b, s, &rng, ids, row, same);
            if (out->bid) wri_nx_mark(out->bid, row, same);
        } else {
            type = rem < c->person ? 0 : 1;
            no_bid(&b, row);
            if (!person_or_auction(c, t, s, &rng, ids, type == 0, out, row)) return false;
        }
        for (uint32_t k = 0; out->type && k < same; k++) out->type[row + k] = type;
        row += same;
        rem += same;
        if (rem == c->total) {
            rem = 0;
            epoch++;
        }
    }
    s->rng = rng;
    return true;
}

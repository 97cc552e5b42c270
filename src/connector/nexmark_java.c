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

WR_ALWAYS_INLINE int64_t
price(uint64_t *rng)
{
    return (int64_t)floor(pow(10.0, wri_nx_unit(rng) * 6.0) * 100.0 + 0.5);
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

WR_ALWAYS_INLINE int64_t
some_auction(uint64_t *rng, wri_nx_ids ids)
{
    int64_t max = ids.auction, min = WR_MAX(max - 100, (int64_t)0);
    return min + below_long(rng, max - min + 1 + 10);
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
    ((int64_t *)row_vec->child[field].data)[row] = x;
}

WR_ALWAYS_INLINE void
put_str(wr_vec *row_vec, uint32_t field, uint32_t row, wr_strv s)
{
    ((wr_strv *)row_vec->child[field].data)[row] = s;
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
word(const wri_nx_config *c, uint64_t *rng, int32_t max, char *out)
{
    return c->counter ? wri_nx_word_fast(rng, max, ' ', out) : wri_nx_word(rng, max, ' ', out);
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
              int64_t ts, wr_vec *v, uint32_t row, wr_arena *a)
{
    char discard[128], *buf = v ? wr_arena_alloc(a, 96) : discard;
    if (!buf) return false;
    char *name = buf, *o = put_c(buf, wri_nx_first[wri_nx_below(rng, 11)]);
    *o++ = ' ';
    o = put_c(o, wri_nx_last[wri_nx_below(rng, 9)]);
    uint32_t name_len = (uint32_t)(o - name);
    char *email = o;
    o += word(c, rng, 7, o);
    *o++ = '@';
    o += word(c, rng, 5, o);
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
               int64_t ts, int64_t horizon_ms, wr_vec *v, uint32_t row, wr_arena *a)
{
    char discard[160], *buf = discard;
    if (v && !c->counter && !(buf = wr_arena_alloc(a, 128))) return false;
    int64_t seller =
        (wri_nx_below(rng, c->hot_sellers) > 0 ? ids.person / 100 * 100 : some_person(rng, ids)) +
        1000;
    int64_t category = 10 + wri_nx_below(rng, 5), initial = price(rng);
    int64_t expires = ts + 1 + below_long(rng, WR_MAX(2 * horizon_ms, (int64_t)1));
    wr_strv name, text;
    if (c->counter) {
        name = piece(t, rng, 20);
        text = piece(t, rng, 100);
    } else {
        uint32_t n = wri_nx_word(rng, 20, ' ', buf);
        name = wr_strv_make(buf, n);
        text = wr_strv_make(buf + n, wri_nx_word(rng, 100, ' ', buf + n));
    }
    int64_t reserve = initial + price(rng);
    wr_strv extra =
        filler(t, rng, 48 + (int32_t)(name.len + text.len), c->auction_size, pool_of(c));
    if (!v) return true;
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

static void
bid(const wri_nx_config *c, const wri_nx_tables *t, uint64_t *rng, wri_nx_ids ids, int64_t ts,
    wr_vec *v, uint32_t row)
{
    int64_t auction = (wri_nx_below(rng, c->hot_auctions) > 0 ? ids.auction / 100 * 100
                                                              : some_auction(rng, ids)) +
                      1000;
    int64_t bidder = (wri_nx_below(rng, c->hot_bidders) > 0 ? ids.person / 100 * 100 + 1
                                                            : some_person(rng, ids)) +
                     2000; /* 1000 twice, as the public generator does */
    int64_t cents = price(rng);
    uint32_t k = wri_nx_below(rng, 2) > 0 ? WRI_NX_CHANNELS + (uint32_t)wri_nx_below(rng, 4)
                                          : (uint32_t)wri_nx_below(rng, 10000);
    wr_strv extra = filler(t, rng, 32, c->bid_size, WRI_NX_POOL);
    if (!v) return;
    put_long(v, 0, row, auction);
    put_long(v, 1, row, bidder);
    put_long(v, 2, row, cents);
    put_str(v, 3, row, t->channel[k]);
    put_str(v, 4, row, t->url[k]);
    put_long(v, 5, row, ts);
    put_str(v, 6, row, extra);
}

bool
wri_nx_java(const wri_nx_config *c, const wri_nx_tables *t, wri_nx_split *s, const wri_nx_out *out,
            uint32_t row, uint32_t count)
{
    uint64_t rng = s->rng;
    int64_t epoch = (s->first_id + 1 + s->done) / c->total;
    int64_t rem = (s->first_id + 1 + s->done) % c->total;
    for (uint32_t i = 0; i < count; i++, row++, rem++) {
        int64_t n = 1 + s->done++, ts = time_of(c, s->delay_us, n);
        if (rem == c->total) {
            rem = 0;
            epoch++;
        }
        wri_nx_ids id = wri_nx_ids_of(c, epoch, rem);
        int32_t type;
        if (rem < c->person) {
            type = 0;
            if (!wri_nx_person(c, t, &rng, id, ts, out->person, row, out->arena)) return false;
            if (out->person) wr_bit_set(out->person->validity, row);
        } else if (rem < c->person + c->auction) {
            type = 1;
            int64_t horizon = time_of(c, s->delay_us, n + 100ll * c->total / c->auction) - ts;
            if (!wri_nx_auction(c, t, &rng, id, ts, horizon, out->auction, row, out->arena))
                return false;
            if (out->auction) wr_bit_set(out->auction->validity, row);
        } else {
            type = 2;
            bid(c, t, &rng, id, ts, out->bid, row);
            if (out->bid) wr_bit_set(out->bid->validity, row);
        }
        if (out->type) ((int32_t *)out->type->data)[row] = type;
    }
    s->rng = rng;
    return true;
}

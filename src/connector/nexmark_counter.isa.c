/* SPDX-License-Identifier: Apache-2.0 */
/* Columns of Nexmark bids as functions of the event's id: field = f(seed, id, field), so that any
 * part of the stream can be made at once, in any order, and only the columns that are wanted. The
 * distributions are those of the public generator. Loops are plain so that the compiler vectorises
 * them; one build per ISA level. */
#include "connector/nexmark_int.h"

#define CAT_(a, b) a##_##b
#define CAT(a, b)  CAT_(a, b)

#define PART 256 /* bids whose draws are made before they are used */

WR_ALWAYS_INLINE uint64_t
draw(uint64_t seed, int64_t id, uint64_t column)
{
    uint64_t z = (uint64_t)id * 0x9e3779b97f4a7c15ull + seed + column;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

WR_ALWAYS_INLINE uint64_t
high_of(uint64_t h, uint64_t n) /* uniform below n < 2^32 */
{
    return ((h >> 32) * n) >> 32;
}

/* One epoch: the last auction and person are the same for all its bids. */
static void
epoch_ids(const wri_nx_config *c, int64_t first_id, int64_t last_bid, uint32_t count,
          int64_t *restrict auction, int64_t *restrict bidder)
{
    const uint64_t seed = (uint64_t)c->seed;
    const uint64_t ratio_a = (uint64_t)c->hot_auctions, ratio_b = (uint64_t)c->hot_bidders;
    const wri_nx_ids ids = wri_nx_ids_of(c, last_bid / c->total, last_bid % c->total);
    int64_t max = ids.auction, min = WR_MAX(max - 100, (int64_t)0), last = ids.person, n = last + 1,
            active = WR_MIN(n, 1000);
    const uint64_t span_a = (uint64_t)(max - min + 11), span_b = (uint64_t)active + 10;
    const int64_t hot_a = max / 100 * 100 + 1000, hot_b = last / 100 * 100 + 2001;
    const int64_t cold_a = min + 1000, cold_b = n - active + 2000;
    for (uint32_t i = 0; auction && i < count; i++) {
        uint64_t h = draw(seed, first_id + i, 1);
        int64_t cold = cold_a + (int64_t)high_of(h, span_a);
        auction[i] = (h & 0xffff) * ratio_a >> 16 ? hot_a : cold;
    }
    for (uint32_t i = 0; bidder && i < count; i++) {
        uint64_t h = draw(seed, first_id + i, 2);
        int64_t cold = cold_b + (int64_t)high_of(h, span_b);
        bidder[i] = (h & 0xffff) * ratio_b >> 16 ? hot_b : cold;
    }
}

static void
put_ids(const wri_nx_config *c, const wri_nx_bids *b, int64_t *auction, int64_t *bidder)
{
    for (uint32_t at = 0; at < b->count;) {
        int64_t id = b->first_id + at, rem = id % c->total;
        uint32_t n = (uint32_t)WR_MIN((int64_t)(c->total - rem), (int64_t)(b->count - at));
        epoch_ids(c, id, id - rem + c->total - 1, n, auction ? auction + at : NULL,
                  bidder ? bidder + at : NULL);
        at += n;
    }
}

/* 10^x for 0 <= x < 6, relative error below 1e-9: 2^k times a polynomial on [0, 1). */
WR_ALWAYS_INLINE double
power_of_ten(double x)
{
    double y = x * 3.32192809488736234787; /* log2(10) */
    double k = (y - 0.5) + 0x1.8p52;       /* the integer part, in the low bits */
    uint64_t bits;
    memcpy(&bits, &k, 8);
    double f = y - (k - 0x1.8p52); /* -0.0 .. 1 */
    double p = 1.52527338040598402800e-5;
    p = p * f + 1.54035303933816099544e-4;
    p = p * f + 1.33335581464284434234e-3;
    p = p * f + 9.61812910762847716198e-3;
    p = p * f + 5.55041086648215799532e-2;
    p = p * f + 2.40226506959100712334e-1;
    p = p * f + 6.93147180559945309417e-1;
    p = p * f + 1.0;
    uint64_t scale_bits = (bits + 1023) << 52;
    double scale;
    memcpy(&scale, &scale_bits, 8);
    return p * scale;
}

static void
prices(const wri_nx_config *c, const wri_nx_bids *b, int64_t *out)
{
    const uint64_t seed = (uint64_t)c->seed;
    for (uint32_t i = 0; i < b->count; i++) {
        uint64_t h = draw(seed, b->first_id + i, 3);
        uint64_t unit_bits = (h >> 12) | 0x3ff0000000000000ull; /* [1, 2) */
        double unit;
        memcpy(&unit, &unit_bits, 8);
        double cents = power_of_ten((unit - 1.0) * 6.0) * 100.0 + 0x1.0p52; /* rounds */
        uint64_t bits;
        memcpy(&bits, &cents, 8);
        out[i] = (int64_t)(bits & 0xfffffffffffffull);
    }
}

/* Which channel: half of the bids have one of the hot ones. */
static void
pick_channels(uint64_t seed, int64_t first_id, uint32_t count, uint32_t *restrict pick)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t h = draw(seed, first_id + i, 4);
        const uint64_t hot = WRI_NX_CHANNELS + ((h >> 1) & 3), cold = high_of(h, WRI_NX_CHANNELS);
        const uint64_t is_hot = 0 - (h & 1); /* no branch: nobody could predict it */
        pick[i] = (uint32_t)((hot & is_hot) | (cold & ~is_hot));
    }
}

static void
channels(const wri_nx_config *c, const wri_nx_tables *t, const wri_nx_bids *b, wr_strv *channel,
         wr_strv *url)
{
    uint32_t pick[PART];
    for (uint32_t at = 0; at < b->count; at += PART) {
        const uint32_t n = WR_MIN(b->count - at, (uint32_t)PART);
        pick_channels((uint64_t)c->seed, b->first_id + at, n, pick);
        for (uint32_t i = 0; channel && i < n; i++) channel[at + i] = t->channel[pick[i]];
        for (uint32_t i = 0; url && i < n; i++) url[at + i] = t->url[pick[i]];
    }
}

/* The microseconds are whole and far below 2^50: their quotient is right after rounding. */
static void
times(const wri_nx_config *c, double delay_us, const wri_nx_bids *b, int64_t *restrict out)
{
    const int64_t base = c->base_time_ms, n0 = b->n0;
    for (uint32_t i = 0; i < b->count; i++) {
        const int64_t us = (int64_t)((double)(n0 + i) * delay_us);
        out[i] = base + (int64_t)((double)us / 1000.0);
    }
}

/* Lengths, and places in the part of the pool that stays in the cache. */
static void
pick_extras(uint64_t seed, int64_t first_id, uint32_t count, uint64_t least, uint64_t span,
            uint32_t *restrict len, uint32_t *restrict from)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t h = draw(seed, first_id + i, 5);
        const uint64_t n = least + (((h & 0xffffffff) * span) >> 32);
        len[i] = (uint32_t)n;
        from[i] = (uint32_t)high_of(h, WRI_NX_NEAR - n);
    }
}

/* wr_strv_make for more than 12 bytes. */
WR_ALWAYS_INLINE wr_strv
long_piece(const char *p, uint32_t len)
{
    const uint64_t at = (uint64_t)(uintptr_t)p;
    wr_strv s;
    s.len = len;
    memcpy(s.u.ref.prefix, p, 4);
    s.u.ref.ptr_lo = (uint32_t)at;
    s.u.ref.ptr_hi = (uint32_t)(at >> 32);
    return s;
}

static void
extras(const wri_nx_config *c, const wri_nx_tables *t, const wri_nx_bids *b, wr_strv *out)
{
    const uint64_t seed = (uint64_t)c->seed;
    int64_t want = c->bid_size - 32;
    if (want < 0) {
        memset(out, 0, sizeof *out * b->count);
        return;
    }
    uint64_t delta = (uint64_t)((double)want * 0.2 + 0.5), least = (uint64_t)want - delta;
    for (uint32_t at = 0; at < b->count; at += PART) {
        const uint32_t n = WR_MIN(b->count - at, (uint32_t)PART);
        uint32_t len[PART], from[PART];
        pick_extras(seed, b->first_id + at, n, least, 2 * delta, len, from);
        if (least > 12)
            for (uint32_t i = 0; i < n; i++) out[at + i] = long_piece(t->pool + from[i], len[i]);
        else
            for (uint32_t i = 0; i < n; i++) out[at + i] = wr_strv_make(t->pool + from[i], len[i]);
    }
}

void
CAT(wri_nx_bid_columns, WR_ISA)(const wri_nx_config *c, const wri_nx_tables *t, double delay_us,
                                const wri_nx_bids *b, wr_vec *bid)
{
    const wr_vec *k = bid->child;
    const uint32_t row = b->row;
    const bool auction = wri_nx_is_read(bid, 0), bidder = wri_nx_is_read(bid, 1);
    if (auction || bidder)
        put_ids(c, b, auction ? (int64_t *)k[0].data + row : NULL,
                bidder ? (int64_t *)k[1].data + row : NULL);
    if (wri_nx_is_read(bid, 2)) prices(c, b, (int64_t *)k[2].data + row);
    if (wri_nx_is_read(bid, 3) || wri_nx_is_read(bid, 4))
        channels(c, t, b, wri_nx_is_read(bid, 3) ? (wr_strv *)k[3].data + row : NULL,
                 wri_nx_is_read(bid, 4) ? (wr_strv *)k[4].data + row : NULL);
    if (wri_nx_is_read(bid, 5)) times(c, delay_us, b, (int64_t *)k[5].data + row);
    if (wri_nx_is_read(bid, 6)) extras(c, t, b, (wr_strv *)k[6].data + row);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* What the Nexmark generator makes once: four hot urls and 10,000 channels with their urls (from
 * 'seed.channels'), a mebibyte of filler text (from 'seed.extra'), "0000".."9999". */
#include "connector/nexmark_int.h"
#include "os/os.h"

#include <math.h>

const char *const wri_nx_first[11] = {"Peter", "Paul",  "Luke",  "John",   "Saul",  "Vicky",
                                      "Kate",  "Julie", "Sarah", "Deiter", "Walter"};
const char *const wri_nx_last[9] = {"Shultz", "Abrams", "Spencer", "White", "Bartels",
                                    "Walton", "Smith",  "Jones",   "Noris"};
const char *const wri_nx_city[10] = {"Phoenix",  "Los Angeles", "San Francisco", "Boise",
                                     "Portland", "Bend",        "Redmond",       "Seattle",
                                     "Kent",     "Cheyenne"};
const char *const wri_nx_state[6] = {"AZ", "CA", "ID", "OR", "WA", "WY"};

uint32_t
wri_nx_word_fast(uint64_t *state, int32_t max, char special, char *out)
{
    uint64_t h = (uint64_t)wri_nx_long(state);
    uint32_t n = 3 + (uint32_t)(((h >> 32) * (uint64_t)(max - 3)) >> 32);
    for (uint32_t i = 0; i < n; i += 4) {
        h = (uint64_t)wri_nx_long(state);
        for (uint32_t k = 0; k < 4; k++, h >>= 16) { /* 13 * 26 chances from 16 bits */
            uint32_t v = (uint32_t)(((h & 0xffff) * 338) >> 16);
            out[i + k] = v < 26 ? special : (char)('a' + v % 26);
        }
    }
    return special == ' ' ? wri_nx_trim(out, n) : n;
}

static char *
put_number(char *o, uint64_t x)
{
    char digits[20];
    uint32_t n = 0;
    do digits[n++] = (char)('0' + x % 10);
    while ((x /= 10) != 0);
    while (n > 0) *o++ = digits[--n];
    return o;
}

/* "https://www.nexmark.com/abc/def/ghi/item.htm?query=1" */
static char *
put_url(const wri_nx_tables *t, uint64_t *rng, char *o)
{
    static const char head[] = "https://www.nexmark.com/", tail[] = "item.htm?query=1";
    memcpy(o, head, sizeof head - 1);
    o += sizeof head - 1;
    for (int i = 0; i < 3; i++) {
        o += t->word(rng, 5, '_', o);
        *o++ = '/';
    }
    memcpy(o, tail, sizeof tail - 1);
    return o + sizeof tail - 1;
}

static uint32_t
reverse_bits(uint32_t x)
{
    uint32_t r = 0;
    for (int i = 0; i < 32; i++, x >>= 1) r = r << 1 | (x & 1);
    return r;
}

static void
make_channels(wri_nx_tables *t, int64_t seed)
{
    static const char *const hot[WRI_NX_HOT] = {"Google", "Facebook", "Baidu", "Apple"};
    uint64_t rng = (uint64_t)seed;
    char *o = t->text, name[24];
    for (uint32_t i = 0; i < WRI_NX_HOT; i++) {
        char *from = o;
        o = put_url(t, &rng, o);
        t->url[WRI_NX_CHANNELS + i] = wr_strv_make(from, (uint32_t)(o - from));
        t->channel[WRI_NX_CHANNELS + i] = wr_strv_make(hot[i], (uint32_t)strlen(hot[i]));
    }
    for (uint32_t i = 0; i < WRI_NX_CHANNELS; i++) {
        char *from = o;
        o = put_url(t, &rng, o);
        if (wri_nx_below(&rng, 10) > 0) {
            int64_t id = (int32_t)reverse_bits(i); /* Math.abs of the least int is itself */
            if (id < 0 && id != INT32_MIN) id = -id;
            memcpy(o, "&channel_id=", 12);
            o += 12;
            if (id < 0) *o++ = '-';
            o = put_number(o, (uint64_t)(id < 0 ? -id : id));
        }
        t->url[i] = wr_strv_make(from, (uint32_t)(o - from));
        memcpy(name, "channel-", 8);
        const char *end = put_number(name + 8, i);
        t->channel[i] = wr_strv_make(name, (uint32_t)(end - name)); /* 12 bytes at most: inline */
        t->digits[i][0] = (char)('0' + i / 1000);
        t->digits[i][1] = (char)('0' + i / 100 % 10);
        t->digits[i][2] = (char)('0' + i / 10 % 10);
        t->digits[i][3] = (char)('0' + i % 10);
    }
    WR_ASSERT((size_t)(o - t->text) <= sizeof t->text);
}

static wri_nx_word_fn
best_word(void)
{
#if defined(__x86_64__)
    if (wr_os_isa_level() == WR_OS_ISA_V4) return wri_nx_word_v4;
    if (wr_os_isa_level() == WR_OS_ISA_V3) return wri_nx_word_v3;
#endif
    return wri_nx_word_v1;
}

wri_nx_tables *
wri_nx_tables_create(const wri_nx_config *c)
{
    wri_nx_tables *t = wr_mem_alloc(NULL, sizeof *t);
    if (!t) return NULL;
    wr_ref_init(&t->refs);
    t->word = best_word();
    for (uint32_t i = 0; i < WR_COUNT(t->root); i++) t->root[i] = exp2(i / 64.0);
    make_channels(t, c->seed_channels);
    uint64_t rng = (uint64_t)c->seed_extra;
    const uint32_t room = c->counter ? WRI_NX_NEAR : WRI_NX_POOL;
    int32_t v = 0;
    for (uint32_t i = 0; i < room; i++, v /= 26) {
        if (i % 6 == 0) v = wri_nx_int(&rng);
        t->pool[i] = (char)('a' + v % 26); /* signed: half of them lie below 'a' */
    }
    memset(t->pool + room, 0, 64);
    for (uint32_t i = 0; c->counter && i < sizeof t->words; i++)
        t->words[i] = wri_nx_below(&rng, 13) == 0 ? ' ' : (char)('a' + wri_nx_below(&rng, 26));
    return t;
}

void
wri_nx_tables_release(void *tables)
{
    wri_nx_tables *t = tables;
    if (t && wr_ref_release(&t->refs)) wr_mem_free(NULL, t, sizeof *t);
}

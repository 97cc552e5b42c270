/* SPDX-License-Identifier: Apache-2.0 */
/* Roaring's portable format, written from the sorted numbers. CRoaring could write it too, but
 * breaks ties between its container forms otherwise than the Java library, whose bytes Flink shows:
 * a container of up to 4096 numbers is an array unless runs are strictly smaller, a fuller one a
 * bitset unless runs are strictly smaller. */
#include "types/bitmap_int.h"

#define COOKIE_PLAIN 12346u
#define COOKIE_RUNS  12347u
#define ARRAY_MAX    4096u
#define BITSET_BYTES 8192u
#define OFFSETS_FROM 4u /* with runs, offsets are written from that many containers on */

typedef struct container {
    const uint32_t *v;
    uint32_t count, runs;
    bool as_runs;
} container;

/* The container that begins at v. */
static container
container_at(const uint32_t *v, uint64_t left)
{
    container c = {.v = v, .count = 1, .runs = 1};
    for (; c.count < left && v[c.count] >> 16 == v[0] >> 16; c.count++)
        c.runs += v[c.count] != v[c.count - 1] + 1;
    const uint32_t plain = c.count <= ARRAY_MAX ? 2 * c.count : BITSET_BYTES;
    c.as_runs = plain > 2 + 4 * c.runs;
    return c;
}

static uint32_t
body_bytes(const container *c)
{
    if (c->as_runs) return 2 + 4 * c->runs;
    return c->count <= ARRAY_MAX ? 2 * c->count : BITSET_BYTES;
}

static void
put16(wr_text *out, uint32_t v)
{
    const char b[2] = {(char)v, (char)(v >> 8)};
    wr_text_put(out, b, 2);
}

static void
put32(wr_text *out, uint32_t v)
{
    put16(out, v & 0xffff);
    put16(out, v >> 16);
}

static void
put_runs(wr_text *out, const container *c)
{
    put16(out, c->runs);
    for (uint32_t i = 0; i < c->count;) {
        uint32_t n = 1;
        while (i + n < c->count && c->v[i + n] == c->v[i] + n) n++;
        put16(out, c->v[i] & 0xffff);
        put16(out, n - 1);
        i += n;
    }
}

static void
put_body(wr_text *out, const container *c)
{
    if (c->as_runs) {
        put_runs(out, c);
        return;
    }
    if (c->count <= ARRAY_MAX) {
        for (uint32_t i = 0; i < c->count; i++) put16(out, c->v[i] & 0xffff);
        return;
    }
    char bits[BITSET_BYTES] = {0};
    for (uint32_t i = 0; i < c->count; i++)
        bits[(c->v[i] & 0xffff) >> 3] |= (char)(1 << (c->v[i] & 7));
    wr_text_put(out, bits, sizeof bits);
}

/* What the headers need to know. */
typedef struct shape {
    uint32_t containers;
    bool any_runs;
    uint8_t flags[8192]; /* which containers are runs */
} shape;

static void
survey(const uint32_t *v, uint64_t n, shape *s)
{
    memset(s, 0, sizeof *s);
    for (uint64_t at = 0; at < n;) {
        const container c = container_at(v + at, n - at);
        if (c.as_runs) s->flags[s->containers / 8] |= (uint8_t)(1u << (s->containers % 8));
        s->any_runs = s->any_runs || c.as_runs;
        s->containers++;
        at += c.count;
    }
}

void
wri_bitmap_write(const uint32_t *v, uint64_t n, wr_text *out)
{
    shape s;
    survey(v, n, &s);
    uint32_t offset = s.any_runs ? 4 + (s.containers + 7) / 8 : 8;
    if (s.any_runs) {
        put32(out, COOKIE_RUNS | (s.containers - 1) << 16);
        wr_text_put(out, (const char *)s.flags, (s.containers + 7) / 8);
    } else {
        put32(out, COOKIE_PLAIN);
        put32(out, s.containers);
    }
    const bool offsets = !s.any_runs || s.containers >= OFFSETS_FROM;
    for (uint64_t at = 0; at < n;) {
        const container c = container_at(v + at, n - at);
        put16(out, c.v[0] >> 16);
        put16(out, c.count - 1);
        at += c.count;
    }
    offset += s.containers * (offsets ? 8 : 4);
    for (uint64_t at = 0; at < n && offsets;) {
        const container c = container_at(v + at, n - at);
        put32(out, offset);
        offset += body_bytes(&c);
        at += c.count;
    }
    for (uint64_t at = 0; at < n;) {
        const container c = container_at(v + at, n - at);
        put_body(out, &c);
        at += c.count;
    }
}

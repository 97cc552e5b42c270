/* SPDX-License-Identifier: Apache-2.0 */
/* BITMAP over CRoaring; without the library every call says so or does nothing. */
#include "types/bitmap.h"

#include "types/bitmap_int.h"
#include "types/number.h"

#ifdef WR_HAVE_ROARING
#include <roaring/roaring.h>

struct wr_bitmap {
    roaring_bitmap_t r;
};

/* CRoaring allocates its own objects; a wr_bitmap is one of them under our name. */
static roaring_bitmap_t *
raw(const wr_bitmap *b)
{
    return (roaring_bitmap_t *)(uintptr_t)&b->r;
}

wr_bitmap *
wr_bitmap_create(void)
{
    return (wr_bitmap *)(void *)roaring_bitmap_create();
}

void
wr_bitmap_destroy(wr_bitmap *b)
{
    if (b) roaring_bitmap_free(raw(b));
}

wr_bitmap *
wr_bitmap_decode(wr_str bytes)
{
    const size_t need = roaring_bitmap_portable_deserialize_size(bytes.ptr, bytes.len);
    if (need == 0 || need > bytes.len) return NULL;
    return (wr_bitmap *)(void *)roaring_bitmap_portable_deserialize_safe(bytes.ptr, bytes.len);
}

void
wr_bitmap_add(wr_bitmap *b, uint32_t value)
{
    roaring_bitmap_add(raw(b), value);
}

void
wr_bitmap_add_many(wr_bitmap *b, const uint32_t *values, uint32_t n)
{
    roaring_bitmap_add_many(raw(b), n, values);
}

bool
wr_bitmap_has(const wr_bitmap *b, uint32_t value)
{
    return roaring_bitmap_contains(raw(b), value);
}

uint64_t
wr_bitmap_count(const wr_bitmap *b)
{
    return roaring_bitmap_get_cardinality(raw(b));
}

void
wr_bitmap_apply(wr_bitmap *b, wr_bitmap_op op, const wr_bitmap *with)
{
    switch (op) {
    case WR_BITMAP_AND:
        roaring_bitmap_and_inplace(raw(b), raw(with));
        return;
    case WR_BITMAP_OR:
        roaring_bitmap_or_inplace(raw(b), raw(with));
        return;
    case WR_BITMAP_XOR:
        roaring_bitmap_xor_inplace(raw(b), raw(with));
        return;
    case WR_BITMAP_ANDNOT:
        roaring_bitmap_andnot_inplace(raw(b), raw(with));
        return;
    }
}

void
wr_bitmap_values(const wr_bitmap *b, uint32_t *out)
{
    roaring_bitmap_to_uint32_array(raw(b), out);
}

void
wr_bitmap_encode(const wr_bitmap *b, wr_text *out)
{
    const uint64_t n = wr_bitmap_count(b);
    const size_t bytes = sizeof(uint32_t) * (n ? n : 1);
    uint32_t *values = wr_mem_alloc(NULL, bytes);
    if (!values) {
        out->failed = true;
        return;
    }
    wr_bitmap_values(b, values);
    wri_bitmap_write(values, n, out);
    wr_mem_free(NULL, values, bytes);
}

typedef struct printing {
    wr_text *out;
    bool first;
} printing;

static bool
print_one(uint32_t value, void *arg)
{
    printing *p = arg;
    char number[WR_I64_TEXT_MAX];
    if (!p->first) wr_text_putc(p->out, ',');
    p->first = false;
    wr_text_put(p->out, number, wr_i64_print(value, number));
    return !p->out->failed;
}

void
wr_bitmap_print(const wr_bitmap *b, wr_text *out)
{
    printing p = {out, true};
    wr_text_putc(out, '{');
    (void)roaring_iterate(raw(b), print_one, &p);
    wr_text_putc(out, '}');
}

bool
wr_bitmap_print_bytes(wr_str bytes, wr_text *out)
{
    wr_bitmap *b = wr_bitmap_decode(bytes);
    if (!b) return false;
    wr_bitmap_print(b, out);
    wr_bitmap_destroy(b);
    return true;
}

#else /* without CRoaring: no bitmap can come to be */
struct wr_bitmap {
    int unused;
};

wr_bitmap *
wr_bitmap_create(void)
{
    return NULL;
}

void
wr_bitmap_destroy(wr_bitmap *b)
{
    (void)b;
}

wr_bitmap *
wr_bitmap_decode(wr_str bytes)
{
    (void)bytes;
    return NULL;
}

void
wr_bitmap_add(wr_bitmap *b, uint32_t value)
{
    (void)b, (void)value;
}

void
wr_bitmap_add_many(wr_bitmap *b, const uint32_t *values, uint32_t n)
{
    (void)b, (void)values, (void)n;
}

bool
wr_bitmap_has(const wr_bitmap *b, uint32_t value)
{
    return (void)b, (void)value, false;
}

uint64_t
wr_bitmap_count(const wr_bitmap *b)
{
    return (void)b, 0;
}

void
wr_bitmap_apply(wr_bitmap *b, wr_bitmap_op op, const wr_bitmap *with)
{
    (void)b, (void)op, (void)with;
}

void
wr_bitmap_values(const wr_bitmap *b, uint32_t *out)
{
    (void)b, (void)out;
}

void
wr_bitmap_encode(const wr_bitmap *b, wr_text *out)
{
    (void)b;
    out->failed = true;
}

void
wr_bitmap_print(const wr_bitmap *b, wr_text *out)
{
    (void)b, (void)out;
}

bool
wr_bitmap_print_bytes(wr_str bytes, wr_text *out)
{
    return (void)bytes, (void)out, false;
}
#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Digests as hexadecimal text, and Java's hashCode. */
#include "expr/digest_int.h"
#include "expr/fn_int.h"
#include "expr/str_int.h"

/* ---- digests --------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    wri_digest_id id;
    int32_t hex; /* length of the text */
} digests[] = {{"MD5", WRI_MD5, 32},       {"SHA1", WRI_SHA1, 40},     {"SHA224", WRI_SHA224, 56},
               {"SHA256", WRI_SHA256, 64}, {"SHA384", WRI_SHA384, 96}, {"SHA512", WRI_SHA512, 128}};

static bool
find_digest(const char *name, uint32_t *at)
{
    for (uint32_t i = 0; i < WR_COUNT(digests); i++) {
        *at = i;
        if (strcmp(name, digests[i].name) == 0) return true;
    }
    return false;
}

/* CHAR of the digest's length; SHA2: VARCHAR(128). */
wr_status
wri_r_digest(wr_ctx *ctx, wr_fn_bind *b)
{
    const wr_type *s = b->arg_types[0];
    bool ok = wr_type_is_string(s) || wr_type_is_binary(s) || wr_type_is(s, WR_T_NULL);
    if (b->arg_count > 1)
        ok = ok && (wr_type_is_integer(b->arg_types[1]) || wr_type_is(b->arg_types[1], WR_T_NULL));
    if (!ok) return wri_refuse(ctx, b, NULL);
    uint32_t at = 0;
    bool one = find_digest(b->fn->name, &at);
    const wr_type *t = one ? wr_type_char(b->arena, WR_T_CHAR, digests[at].hex, true)
                           : wr_type_char(b->arena, WR_T_VARCHAR, 128, true);
    WR_TRY_ALLOC(ctx, t);
    return wri_result(ctx, b, t);
}

wr_status
wri_p_digest(wr_ctx *ctx, const wr_expr *call, const wr_eval_env *env, wr_arena *arena,
             void **state_out)
{
    (void)call, (void)env;
    wri_digests *d = NULL;
    WR_TRY(wri_digests_create(ctx, arena, &d));
    *state_out = d;
    return WR_OK;
}

static bool
sha2_of(int64_t bits, wri_digest_id *id)
{
    switch (bits) {
    case 224:
        *id = WRI_SHA224;
        return true;
    case 256:
        *id = WRI_SHA256;
        return true;
    case 384:
        *id = WRI_SHA384;
        return true;
    case 512:
        *id = WRI_SHA512;
        return true;
    default:
        return false;
    }
}

wr_status
wri_k_digest(wr_fn_call *call)
{
    static const char hex[] = "0123456789abcdef";
    uint32_t at = 0;
    bool one = find_digest(call->expr->fn->name, &at);
    wri_digest_id id = digests[at].id;
    wr_view s = wri_view(call, 0), bits = {0};
    if (!one) bits = wri_view(call, 1);
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        if (!one && !sha2_of(wri_int(&bits, call->args[1]->phys, row), &id)) {
            wr_row_err(call->errs, row, WR_DATA, "Unsupported algorithm.");
            wri_null(call, row);
            continue;
        }
        unsigned char raw[WRI_DIGEST_BYTES_MAX];
        uint32_t n = wri_digest(call->state, id, wr_view_str(&s, row), raw);
        if (n == 0) return wr_raise(call->ctx, WR_UNSUPPORTED, "the digest is not available here");
        char *p = wri_room(call, 2 * (size_t)n);
        if (!p) return call->ctx->err.status;
        for (uint32_t i = 0; i < n; i++) {
            p[2 * i] = hex[raw[i] >> 4];
            p[2 * i + 1] = hex[raw[i] & 15];
        }
        wri_put_ref(call, row, p, 2 * (size_t)n);
    }
    return WR_OK;
}

/* ---- HASH_CODE ------------------------------------------------------------------------------- */

wr_status
wri_r_hash_code(wr_ctx *ctx, wr_fn_bind *b)
{
    const wr_type *t = b->arg_types[0];
    bool ok = wr_type_is_string(t) || wr_type_is_numeric(t) || wr_type_is(t, WR_T_BOOLEAN) ||
              wr_type_family(t) == WR_FAM_DATETIME || wr_type_is(t, WR_T_NULL);
    if (!ok) return wri_refuse(ctx, b, NULL);
    return wri_result_id(ctx, b, WR_T_INT);
}

static int32_t
hash_long(int64_t v)
{
    return (int32_t)((uint64_t)v ^ (uint64_t)v >> 32);
}

/* BigDecimal.hashCode */
static int32_t
hash_decimal(wr_i128 v, int scale)
{
    bool neg = v < 0;
    wr_u128 m = neg ? -(wr_u128)v : (wr_u128)v;
    uint32_t h = 0;
    bool started = false;
    for (int shift = 96; shift >= 0; shift -= 32) {
        uint32_t word = (uint32_t)(m >> shift);
        if (word == 0 && !started) continue;
        started = true;
        h = 31 * h + word;
    }
    if (neg) h = 0 - h;
    return (int32_t)(31 * h + (uint32_t)scale);
}

static int32_t
hash_double(double d)
{
    int64_t bits = 0x7ff8000000000000ll; /* every NaN */
    if (d == d) memcpy(&bits, &d, 8);
    return hash_long(bits);
}

static int32_t
hash_float(float f)
{
    int32_t bits = 0x7fc00000;
    if (f == f) memcpy(&bits, &f, 4);
    return bits;
}

static int32_t
hash_timestamp(wr_ts t)
{
    return (int32_t)(31 * (uint32_t)hash_long(t.ms) + (uint32_t)t.nano);
}

static int32_t
hash_entry(const wr_vec *v, const wr_view *w, uint32_t row)
{
    const wr_type *t = v->type;
    if (wr_type_is(t, WR_T_DECIMAL)) return hash_decimal(wri_dec(w, v->phys, row), t->scale);
    if (wr_type_is(t, WR_T_TIMESTAMP) || wr_type_is(t, WR_T_TIMESTAMP_LTZ))
        return hash_timestamp(wri_ts(w, v->phys, row));
    if (v->phys == WR_PHYS_STR) { /* without its sign, but for the number that has no other */
        const int32_t h = wri_java_hash(wr_view_str(w, row));
        return h < 0 ? (int32_t)(0u - (uint32_t)h) : h;
    }
    if (v->phys == WR_PHYS_F64) return hash_double(WR_VIEW(w, double, row));
    if (v->phys == WR_PHYS_F32) return hash_float(WR_VIEW(w, float, row));
    int64_t i = wri_int(w, v->phys, row);
    if (v->phys == WR_PHYS_BOOL) return i ? 1231 : 1237;
    return v->phys == WR_PHYS_I64 ? hash_long(i) : (int32_t)i;
}

wr_status
wri_k_hash_code(wr_fn_call *call)
{
    wr_view w = wri_view(call, 0);
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        WRI_OUT(call, int32_t)[row] = hash_entry(call->args[0], &w, row);
    }
    return WR_OK;
}

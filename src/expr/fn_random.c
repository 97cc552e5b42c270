/* SPDX-License-Identifier: Apache-2.0 */
/* RAND, RAND_INTEGER and UUID. With a seed the numbers are those of java.util.Random: a 48-bit
 * linear congruential generator. A constant seed makes one generator for the task; a seed that
 * varies makes a new one for every row. */
#include "expr/fn_int.h"
#include "os/os.h"

#define LCG_MASK ((1ull << 48) - 1)

typedef struct generator {
    uint64_t seed;
    bool per_row; /* the seed is an argument that varies */
} generator;

static uint64_t
scramble(int64_t seed)
{
    return ((uint64_t)seed ^ 0x5deece66dull) & LCG_MASK;
}

static int32_t
next_bits(uint64_t *seed, int bits)
{
    *seed = (*seed * 0x5deece66dull + 0xb) & LCG_MASK;
    return (int32_t)(int64_t)(*seed >> (48 - bits));
}

static double
next_double(uint64_t *seed)
{
    const int64_t high = (int64_t)next_bits(seed, 26) << 27;
    return (double)(high + next_bits(seed, 27)) * 0x1p-53;
}

static int32_t
next_int(uint64_t *seed, int32_t bound)
{
    int32_t r = next_bits(seed, 31);
    const int32_t m = bound - 1;
    if ((bound & m) == 0) return (int32_t)(((int64_t)bound * r) >> 31);
    for (int32_t u = r; (int32_t)((uint32_t)u - (uint32_t)(r = u % bound) + (uint32_t)m) < 0;)
        u = next_bits(seed, 31);
    return r;
}

static bool
is_integer_fn(const wr_fn *fn)
{
    return fn->name[4] != 0;
}

wr_status
wri_r_rand(wr_ctx *ctx, wr_fn_bind *b)
{
    for (uint32_t i = 0; i < b->arg_count; i++) {
        const wr_type *t = b->arg_types[i];
        if (t->id != WR_T_NULL && !wr_type_is_numeric(t)) return wri_refuse(ctx, b, NULL);
        WR_TRY(wri_cast_arg_id(ctx, b, i, WR_T_INT));
    }
    return wri_result_id(ctx, b, is_integer_fn(b->fn) ? WR_T_INT : WR_T_DOUBLE);
}

wr_status
wri_p_rand(wr_ctx *ctx, const wr_expr *call, const wr_eval_env *env, wr_arena *arena,
           void **state_out)
{
    (void)env;
    generator *g = WR_NEW(arena, generator);
    WR_TRY_ALLOC(ctx, g);
    const bool seeded = call->arg_count == (is_integer_fn(call->fn) ? 2u : 1u);
    int64_t seed = 0;
    if (!seeded) {
        wr_os_random(&seed, sizeof seed);
        g->seed = (uint64_t)seed & LCG_MASK;
    } else if (wri_const_int(call, 0, &seed)) {
        g->seed = scramble(seed);
    } else {
        g->per_row = true;
    }
    *state_out = g;
    return WR_OK;
}

wr_status
wri_k_rand(wr_fn_call *call)
{
    generator *g = call->state;
    wr_view s = {0};
    if (g->per_row) s = wri_view(call, 0);
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        if (g->per_row) g->seed = scramble(WR_VIEW(&s, int32_t, row));
        WRI_OUT(call, double)[row] = next_double(&g->seed);
    }
    return WR_OK;
}

wr_status
wri_k_rand_integer(wr_fn_call *call)
{
    generator *g = call->state;
    wr_view s = {0};
    if (g->per_row) s = wri_view(call, 0);
    const wr_view bounds = wri_view(call, call->arg_count - 1);
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        const int32_t bound = WR_VIEW(&bounds, int32_t, row);
        if (bound <= 0) {
            wr_row_err(call->errs, row, WR_DATA, "bound must be positive");
            wri_null(call, row);
            continue;
        }
        if (g->per_row) g->seed = scramble(WR_VIEW(&s, int32_t, row));
        WRI_OUT(call, int32_t)[row] = next_int(&g->seed, bound);
    }
    return WR_OK;
}

wr_status
wri_r_uuid(wr_ctx *ctx, wr_fn_bind *b)
{
    return wri_result_null(ctx, b, wr_type_char(b->arena, WR_T_CHAR, 36, false), false);
}

wr_status
wri_k_uuid(wr_fn_call *call)
{
    static const char digits[] = "0123456789abcdef";
    uint8_t *raw = wr_arena_alloc(call->arena, (size_t)call->n * 16 + 1);
    if (!raw) return WRI_NOMEM(call);
    wr_os_random(raw, (size_t)call->n * 16);
    uint32_t i = 0;
    WR_FOR_CALL(call, row)
    {
        uint8_t *u = raw + (size_t)i++ * 16;
        u[6] = (uint8_t)((u[6] & 0x0f) | 0x40);
        u[8] = (uint8_t)((u[8] & 0x3f) | 0x80);
        char *p = wri_room(call, 36);
        if (!p) return call->ctx->err.status;
        char *w = p;
        for (uint32_t k = 0; k < 16; k++) {
            if (k == 4 || k == 6 || k == 8 || k == 10) *w++ = '-';
            *w++ = digits[u[k] >> 4];
            *w++ = digits[u[k] & 15];
        }
        wri_put_ref(call, row, p, 36);
    }
    return WR_OK;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Positions of splits, as they lie in checkpoints: decimal numbers between blanks. They can be read
 * by people, do not depend on the machine, and may get more numbers at their end: an older position
 * is a shorter one. */
#include "connector/connector_int.h"
#include "types/number.h"

wr_status
wri_position_put(wr_ctx *ctx, wr_opstate *s, wr_str split, const int64_t *numbers, uint32_t count)
{
    char text[WRI_POSITION_MAX * (WR_I64_TEXT_MAX + 1)];
    size_t n = 0;
    WR_ASSERT(count <= WRI_POSITION_MAX);
    for (uint32_t i = 0; i < count; i++) {
        if (i) text[n++] = ' ';
        n += wr_i64_print(numbers[i], text + n);
    }
    return wr_split_put(ctx, s, split, (wr_str){text, n});
}

wr_status
wri_position_get(wr_ctx *ctx, wr_str split, wr_str position, int64_t *numbers, uint32_t count,
                 uint32_t *got)
{
    wr_str rest = position;
    *got = 0;
    while (rest.len && *got < count) {
        const char *blank = memchr(rest.ptr, ' ', rest.len);
        const size_t n = blank ? (size_t)(blank - rest.ptr) : rest.len;
        if (!wr_i64_parse(rest.ptr, n, &numbers[*got])) break;
        const size_t step = n + (blank ? 1 : 0);
        rest = (wr_str){rest.ptr + step, rest.len - step};
        ++*got;
    }
    if (rest.len == 0) return WR_OK;
    return wr_raise(ctx, WR_CORRUPT, "malformed position '%.*s' of split '%.*s'",
                    WR_STR_ARG(position), WR_STR_ARG(split));
}

wr_status
wri_share_put(wr_ctx *ctx, wr_opstate *s, uint32_t index, uint32_t count, const int64_t *numbers,
              uint32_t number_count)
{
    const wr_str split = wr_arena_printf(s->arena, "%u/%u", index, count);
    WR_TRY_ALLOC(ctx, split.ptr);
    return wri_position_put(ctx, s, split, numbers, number_count);
}

bool
wri_split_of(wr_str split, uint32_t *index, uint32_t *count)
{
    uint64_t n[2] = {0, 0};
    uint32_t part = 0, digits = 0;
    for (size_t i = 0; i < split.len; i++) {
        const char c = split.ptr[i];
        if (c == '/' && part == 0 && digits > 0) {
            part = 1;
            digits = 0;
        } else if (c >= '0' && c <= '9' && digits < 9) {
            n[part] = n[part] * 10 + (uint64_t)(c - '0');
            digits++;
        } else {
            return false;
        }
    }
    *index = (uint32_t)n[0];
    *count = (uint32_t)n[1];
    return part == 1 && digits > 0 && n[0] < n[1] && n[1] <= WR_PARALLELISM_MAX;
}

wr_status
wri_discover_shares(wr_ctx *ctx, const wr_source_spec *spec, uint32_t parallelism, wr_arena *arena,
                    wr_str **splits_out, uint32_t *count_out, int64_t *recheck_ms)
{
    (void)spec;
    wr_str *splits = WR_NEW_N(arena, wr_str, parallelism);
    WR_TRY_ALLOC(ctx, splits);
    for (uint32_t i = 0; i < parallelism; i++) {
        splits[i] = wr_arena_printf(arena, "%u/%u", i, parallelism);
        WR_TRY_ALLOC(ctx, splits[i].ptr);
    }
    *splits_out = splits;
    *count_out = parallelism;
    *recheck_ms = 0;
    return WR_OK;
}

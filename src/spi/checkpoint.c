/* SPDX-License-Identifier: Apache-2.0 */
/* Operator state: lists of byte strings, who gets which after a restore, and splits in them. */
#include "spi/checkpoint.h"

#include "spi/connector.h"

#define NOMEM(ctx) wr_raise((ctx), WR_NOMEM, "out of memory")

static wr_opstate_list *
list_of(const wr_opstate *s, wr_str name)
{
    for (uint32_t i = 0; i < s->lists.count; i++)
        if (wr_str_eq(s->lists.items[i].name, name)) return &s->lists.items[i];
    return NULL;
}

static wr_status
need_list(wr_ctx *ctx, wr_opstate *s, wr_str name, wr_opstate_mode mode, wr_opstate_list **out)
{
    *out = list_of(s, name);
    if (!*out) {
        wr_opstate_list fresh = {.name = wr_arena_str(s->arena, name), .mode = (uint8_t)mode};
        if (!fresh.name.ptr || !wr_list_push(s->arena, &s->lists, fresh)) return NOMEM(ctx);
        *out = &s->lists.items[s->lists.count - 1];
    }
    if ((*out)->mode != mode)
        return wr_raise(ctx, WR_CORRUPT, "operator state '%.*s' is kept in two ways",
                        WR_STR_ARG(name));
    return WR_OK;
}

wr_status
wr_opstate_add(wr_ctx *ctx, wr_opstate *s, wr_str name, wr_opstate_mode mode, wr_str item)
{
    wr_opstate_list *list = NULL;
    WR_TRY(need_list(ctx, s, name, mode, &list));
    const wr_str copy = item.len ? wr_arena_str(s->arena, item) : WR_STR("");
    if (!copy.ptr || !wr_list_push(s->arena, &list->items, copy)) return NOMEM(ctx);
    return WR_OK;
}

const wr_opstate_list *
wr_opstate_find(const wr_opstate *s, const char *name)
{
    return list_of(s, wr_str_c(name));
}

/* Items of one list of one former subtask; *dealt counts a LIST's items over all of them. */
static wr_status
take_share(wr_ctx *ctx, const wr_opstate_list *from, uint64_t *dealt, uint32_t subtask,
           uint32_t parallelism, wr_opstate_list *to, wr_arena *arena)
{
    for (uint32_t i = 0; i < from->items.count; i++) {
        const bool mine = from->mode != WR_OPSTATE_LIST || (*dealt)++ % parallelism == subtask;
        if (mine && !wr_list_push(arena, &to->items, from->items.items[i])) return NOMEM(ctx);
    }
    return WR_OK;
}

wr_status
wr_opstate_redistribute(wr_ctx *ctx, const wr_opstate *const *old, uint32_t count, uint32_t subtask,
                        uint32_t parallelism, wr_opstate *out)
{
    for (uint32_t first = 0; first < count; first++) {
        for (uint32_t k = 0; k < old[first]->lists.count; k++) {
            const wr_opstate_list *list = &old[first]->lists.items[k];
            if (list_of(out, list->name)) continue; /* met in an earlier subtask */
            wr_opstate_list *to = NULL;
            WR_TRY(need_list(ctx, out, list->name, (wr_opstate_mode)list->mode, &to));
            uint64_t dealt = 0;
            for (uint32_t i = first; i < count; i++) {
                const wr_opstate_list *part = list_of(old[i], list->name);
                if (!part) continue;
                WR_TRY(take_share(ctx, part, &dealt, subtask, parallelism, to, out->arena));
                if (list->mode == WR_OPSTATE_BROADCAST) break;
            }
        }
    }
    return WR_OK;
}

/* ---- splits: length of the name in 4 bytes (little endian), the name, the position ----------- */

wr_status
wr_split_put(wr_ctx *ctx, wr_opstate *s, wr_str split, wr_str position)
{
    if (split.len > UINT32_MAX) return wr_raise(ctx, WR_LIMIT, "the name of a split is too long");
    const size_t len = 4 + split.len + position.len;
    char *p = wr_arena_alloc(s->arena, len);
    WR_TRY_ALLOC(ctx, p);
    wr_store32(p, (uint32_t)split.len);
    if (split.len) memcpy(p + 4, split.ptr, split.len);
    if (position.len) memcpy(p + 4 + split.len, position.ptr, position.len);
    return wr_opstate_add(ctx, s, WR_STR("splits"), WR_OPSTATE_LIST, (wr_str){p, len});
}

bool
wr_split_get(wr_str item, wr_str *split, wr_str *position)
{
    if (item.len < 4) return false;
    const size_t n = wr_load32(item.ptr);
    if (n > item.len - 4) return false;
    *split = (wr_str){item.ptr + 4, n};
    *position = (wr_str){item.ptr + 4 + n, item.len - 4 - n};
    return true;
}

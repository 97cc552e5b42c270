/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of a materialized table: entries in the order of their arrival, found by a hash of their
 * keys. Bytes lie in an arena that is made anew when more than half of it is dead. */
#include "connector/materialized_int.h"

#define SLOTS_MIN  64u
#define ITEM_BYTES (1u << 20) /* of operator state, about */

/* ---- changes --------------------------------------------------------------------------------- */

typedef struct change {
    wr_str key, row;
    bool gone;
} change;

struct wri_changes {
    wr_arena *arena;
    WR_LIST(change) list;
    uint64_t checkpoint; /* once prepared */
    wri_changes *next;
};

wri_changes *
wri_changes_create(void)
{
    wr_arena *a = wr_arena_create(NULL, 0);
    wri_changes *c = a ? WR_NEW(a, wri_changes) : NULL;
    if (!c) {
        wr_arena_destroy(a);
        return NULL;
    }
    c->arena = a;
    return c;
}

void
wri_changes_destroy(wri_changes *c)
{
    if (c) wr_arena_destroy(c->arena);
}

bool
wri_changes_empty(const wri_changes *c)
{
    return c->list.count == 0;
}

bool
wri_changes_add(wri_changes *c, bool gone, wr_str key, wr_str row)
{
    change x = {.key = wr_arena_str(c->arena, key), .row = row, .gone = gone};
    if (row.len) x.row = wr_arena_str(c->arena, row);
    return x.key.ptr && (!row.len || x.row.ptr) && wr_list_push(c->arena, &c->list, x);
}

/* ---- content --------------------------------------------------------------------------------- */

typedef struct entry {
    wr_str key, row; /* row empty: the key is the row */
    uint64_t hash;
    int64_t copies; /* 0: gone; fewer: taken away here, to come in another part */
} entry;

struct wri_content {
    wr_str id;
    uint32_t part;
    wr_arena *own; /* this and the id */
    wr_arena *arena;
    WR_LIST(entry) entries;
    uint32_t *slots; /* entry + 1; 0: free. At most half of them are taken */
    uint32_t slot_count, dead;
    wri_changes *prepared; /* oldest first */
};

wri_content *
wri_content_create(wr_str id, uint32_t part)
{
    wr_arena *a = wr_arena_create(NULL, 0);
    wri_content *c = a ? WR_NEW(a, wri_content) : NULL;
    if (c) c->id = wr_arena_str(a, id);
    if (!c || !c->id.ptr) {
        wr_arena_destroy(a);
        return NULL;
    }
    c->own = a;
    c->part = part;
    return c;
}

void
wri_content_clear(wri_content *c)
{
    while (c->prepared) {
        wri_changes *first = c->prepared;
        c->prepared = first->next;
        wri_changes_destroy(first);
    }
    wr_arena_destroy(c->arena);
    c->arena = NULL;
    memset(&c->entries, 0, sizeof c->entries);
    c->slots = NULL;
    c->slot_count = c->dead = 0;
}

void
wri_content_destroy(wri_content *c)
{
    if (!c) return;
    wri_content_clear(c);
    wr_arena_destroy(c->own);
}

wr_str
wri_content_id(const wri_content *c)
{
    return c->id;
}

uint32_t
wri_content_part(const wri_content *c)
{
    return c->part;
}

/* The slot of a key: its entry's, or the free one where it belongs. */
static uint32_t *
slot_of(const wri_content *c, uint64_t hash, wr_str key)
{
    const uint32_t mask = c->slot_count - 1;
    for (uint32_t at = (uint32_t)hash & mask;; at = (at + 1) & mask) {
        const uint32_t s = c->slots[at];
        if (!s) return &c->slots[at];
        const entry *e = &c->entries.items[s - 1];
        if (e->hash == hash && wr_str_eq(e->key, key)) return &c->slots[at];
    }
}

/* A new arena with the live entries, and room for as many again. */
static bool
rebuild(wri_content *c)
{
    wri_content fresh = {.arena = wr_arena_create(NULL, 0)};
    const uint32_t live = c->entries.count - c->dead;
    fresh.slot_count = SLOTS_MIN;
    while (fresh.slot_count / 4 < live && fresh.slot_count < UINT32_C(1) << 31)
        fresh.slot_count *= 2;
    fresh.slots = fresh.arena ? WR_NEW_N(fresh.arena, uint32_t, fresh.slot_count) : NULL;
    bool ok = fresh.slots && live < fresh.slot_count / 2;
    for (uint32_t i = 0; ok && i < c->entries.count; i++) {
        entry e = c->entries.items[i];
        if (!e.copies) continue;
        e.key = wr_arena_str(fresh.arena, e.key);
        if (e.row.len) e.row = wr_arena_str(fresh.arena, e.row);
        ok = e.key.ptr && (!e.row.len || e.row.ptr) && wr_list_push(fresh.arena, &fresh.entries, e);
        if (ok) *slot_of(&fresh, e.hash, e.key) = fresh.entries.count;
    }
    if (!ok) {
        wr_arena_destroy(fresh.arena);
        return false;
    }
    wr_arena_destroy(c->arena);
    c->arena = fresh.arena;
    memcpy(&c->entries, &fresh.entries, sizeof c->entries);
    c->slots = fresh.slots;
    c->slot_count = fresh.slot_count;
    c->dead = 0;
    return true;
}

/* `copies` more of a row, or fewer; with `row` the key's one row, or none. */
static bool
add(wri_content *c, wr_str key, wr_str row, int64_t copies)
{
    if (c->entries.count + 1 > c->slot_count / 2 && !rebuild(c)) return false;
    const uint64_t hash = wr_hash_bytes(key.ptr, key.len, 0);
    uint32_t *slot = slot_of(c, hash, key);
    entry e = {.hash = hash, .copies = copies, .row = WR_STR("")};
    if (row.len) e.row = wr_arena_str(c->arena, row);
    if (row.len && !e.row.ptr) return false;
    if (*slot) {
        entry *old = &c->entries.items[*slot - 1];
        c->dead -= old->copies == 0;
        old->copies = row.len ? copies > 0 : old->copies + copies;
        old->row = e.row;
        c->dead += old->copies == 0;
        return true;
    }
    if (row.len && copies <= 0) return true; /* a deletion of nothing */
    e.key = wr_arena_str(c->arena, key);
    if (!e.key.ptr || !wr_list_push(c->arena, &c->entries, e)) return false;
    *slot = c->entries.count;
    return true;
}

/* Changes that were applied leave the list, so that a second attempt goes on behind them. */
static bool
apply(wri_content *c, wri_changes *x)
{
    for (uint32_t i = 0; i < x->list.count; i++) {
        const change *one = &x->list.items[i];
        if (!add(c, one->key, one->row, one->gone ? -1 : 1)) {
            x->list.items += i;
            x->list.count -= i;
            x->list.cap -= i;
            return false;
        }
    }
    x->list.count = 0;
    return true;
}

void
wri_content_prepare(wri_content *c, uint64_t id, wri_changes *take)
{
    wri_changes **last = &c->prepared;
    while (*last) last = &(*last)->next;
    take->checkpoint = id;
    take->next = NULL;
    *last = take;
}

bool
wri_content_publish(wri_content *c, uint64_t id)
{
    while (c->prepared && c->prepared->checkpoint <= id) {
        wri_changes *first = c->prepared;
        if (!apply(c, first)) return false;
        c->prepared = first->next;
        wri_changes_destroy(first);
    }
    return c->dead <= c->entries.count / 2 || c->entries.count < SLOTS_MIN || rebuild(c);
}

/* ---- reading --------------------------------------------------------------------------------- */

static wr_str
row_of(const entry *e)
{
    return e->row.len ? e->row : e->key;
}

static bool
read_rows(const wri_content *c, wr_arena *a, wri_rows *out)
{
    uint64_t n = 0, bytes = 0;
    for (uint32_t i = 0; i < c->entries.count; i++) {
        const entry *e = &c->entries.items[i];
        if (e->copies <= 0) continue;
        n += (uint64_t)e->copies;
        bytes += row_of(e).len;
    }
    char *text = wr_arena_alloc(a, bytes + 1);
    out->items = n < SIZE_MAX / sizeof(wr_str) - 1 ? WR_NEW_N(a, wr_str, n + 1) : NULL;
    out->count = 0;
    if (!text || !out->items) return false;
    for (uint32_t i = 0; i < c->entries.count; i++) {
        const entry *e = &c->entries.items[i];
        const wr_str row = row_of(e);
        if (e->copies <= 0) continue;
        memcpy(text, row.ptr, row.len);
        for (int64_t k = 0; k < e->copies; k++) out->items[out->count++] = (wr_str){text, row.len};
        text += row.len;
    }
    return true;
}

bool
wri_content_read(wri_content *const *parts, uint32_t count, wr_arena *a, wri_rows *out)
{
    if (count == 1) return read_rows(parts[0], a, out);
    wri_content sum = {0};
    bool ok = true;
    for (uint32_t p = 0; ok && p < count; p++)
        for (uint32_t i = 0; ok && i < parts[p]->entries.count; i++) {
            const entry *e = &parts[p]->entries.items[i];
            ok = !e->copies || add(&sum, e->key, e->row, e->copies);
        }
    ok = ok && read_rows(&sum, a, out);
    wr_arena_destroy(sum.arena);
    return ok;
}

static void
take_rows(wri_content *c, wri_content *from)
{
    wr_arena_destroy(c->arena);
    c->arena = from->arena;
    memcpy(&c->entries, &from->entries, sizeof c->entries);
    c->slots = from->slots;
    c->slot_count = from->slot_count;
    c->dead = from->dead;
}

bool
wri_content_replace(wri_content *const *parts, uint32_t count, wri_changes *changes,
                    bool (*gone)(void *arg, wr_str row), void *arg)
{
    wri_content fresh = {0};
    bool ok = true;
    for (uint32_t p = 0; gone && ok && p < count; p++)
        for (uint32_t i = 0; ok && i < parts[p]->entries.count; i++) {
            const entry *e = &parts[p]->entries.items[i];
            if (e->copies && !gone(arg, row_of(e))) ok = add(&fresh, e->key, e->row, e->copies);
        }
    if (!ok || !apply(&fresh, changes)) {
        wr_arena_destroy(fresh.arena);
        return false;
    }
    for (uint32_t p = 0; p < count; p++) {
        wri_content none = {0};
        take_rows(parts[p], p ? &none : &fresh);
    }
    return true;
}

/* ---- operator state: list "rows", then "changes", of (copies, key, row)* --------------------- */

static void
put_entry(wr_text *t, int64_t copies, wr_str key, wr_str row)
{
    const uint64_t head[3] = {(uint64_t)copies, key.len, row.len};
    wr_text_put(t, (const char *)head, sizeof head);
    wr_text_put(t, key.ptr, key.len);
    wr_text_put(t, row.ptr, row.len);
}

static wr_status
flush_item(wr_ctx *ctx, wr_text *t, const char *list, wr_opstate *out, bool end)
{
    if (t->failed) return wr_text_raise(ctx, t);
    if (!t->len || (!end && t->len < ITEM_BYTES)) return WR_OK;
    WR_TRY(wr_opstate_add(ctx, out, wr_str_c(list), WR_OPSTATE_LIST, wr_text_str(t)));
    t->len = 0;
    return WR_OK;
}

static wr_status
save_lists(wr_ctx *ctx, const wri_content *c, wr_arena *a, wr_opstate *out)
{
    wr_text t;
    wr_text_init(&t, a);
    for (uint32_t i = 0; i < c->entries.count; i++) {
        const entry *e = &c->entries.items[i];
        if (e->copies) put_entry(&t, e->copies, e->key, e->row);
        WR_TRY(flush_item(ctx, &t, "rows", out, false));
    }
    WR_TRY(flush_item(ctx, &t, "rows", out, true));
    for (const wri_changes *x = c->prepared; x; x = x->next)
        for (uint32_t i = 0; i < x->list.count; i++) {
            const change *one = &x->list.items[i];
            put_entry(&t, one->gone ? -1 : 1, one->key, one->row);
            WR_TRY(flush_item(ctx, &t, "changes", out, false));
        }
    return flush_item(ctx, &t, "changes", out, true);
}

wr_status
wri_content_save(wr_ctx *ctx, const wri_content *c, wr_opstate *out)
{
    wr_arena *a = wr_arena_create(NULL, 0);
    WR_TRY_ALLOC(ctx, a);
    const wr_status status = save_lists(ctx, c, a, out);
    wr_arena_destroy(a);
    return status;
}

static wr_status
load_item(wr_ctx *ctx, wri_content *c, wr_str item)
{
    uint64_t head[3];
    while (item.len) {
        bool sound = item.len >= sizeof head;
        if (sound) memcpy(head, item.ptr, sizeof head);
        item.ptr += sound ? sizeof head : 0;
        item.len -= sound ? sizeof head : 0;
        sound = sound && head[1] && head[1] <= item.len && head[2] <= item.len - head[1];
        if (!sound)
            return wr_raise(ctx, WR_CORRUPT, "malformed rows of a materialized table in the state");
        const wr_str key = {item.ptr, head[1]}, row = {item.ptr + head[1], head[2]};
        item.ptr += head[1] + head[2];
        item.len -= head[1] + head[2];
        if (!add(c, key, row, (int64_t)head[0])) return wr_raise(ctx, WR_NOMEM, "out of memory");
    }
    return WR_OK;
}

wr_status
wri_content_load(wr_ctx *ctx, wri_content *c, const wr_opstate *in)
{
    wri_content_clear(c);
    for (int changes = 0; changes < 2; changes++) {
        const wr_opstate_list *l = wr_opstate_find(in, changes ? "changes" : "rows");
        for (uint32_t i = 0; l && i < l->items.count; i++)
            WR_TRY(load_item(ctx, c, l->items.items[i]));
    }
    return WR_OK;
}
